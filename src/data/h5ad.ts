/** AnnData's files as datasets: cells are items, genes are columns, and what is known of cells is asked about in conditions. */
import { basename, extname } from 'node:path';
import { UntangleError, unknownName } from '../errors.ts';
import { fingerprint, gatherBy } from './dataset.ts';
import { withFields } from './fields.ts';
import { cellNames, type H5ad, readH5ad } from './formats/h5ad.ts';
import { factorsFrom, fieldsFrom, labelsFrom } from './tables/described.ts';
import type { TableDataset, TableOptions } from './tables/table.ts';
import { allRows, type Transformation } from './tables/transformation.ts';

export interface H5adOptions extends TableOptions {
  /** The layer that takes the place of X. */
  layer?: string;
}

/** A category with more values than this is no factor, but names its cells. */
const mostCategories = 50;

export function isH5ad(path: string): boolean {
  return extname(path).toLowerCase() === '.h5ad';
}

/**
 * Opens an .h5ad file. Whole numbers from 0 on are counts; new cells are standardised as those before, where a transformation is
 * given.
 *
 * @example await openH5ad('cells.h5ad', { layer: 'counts', label: 'cell_type' })
 */
export async function openH5ad(path: string, options: H5adOptions = {}, known?: Transformation): Promise<TableDataset> {
  const found = await readH5ad(path, options.layer);
  const { matrix, obs } = found;
  const name = basename(path, extname(path));
  const transformation = known ?? fitted(found, options);
  const columns = transformation.columns.map((column) => column.name);
  const rows = allRows(obs);
  const labelName = labelOf(found, options.label);
  const labels = labelName === undefined ? undefined : obs.columns.find((column) => column.name === labelName);
  const factors = obs.columns.filter(
    (column) =>
      column.name !== labelName &&
      (column.kind === 'number' || (column.categories.length > 1 && column.categories.length <= mostCategories)),
  );
  const ofLabel = labels && labelsFrom(obs, labels, rows);
  const data: TableDataset = {
    name,
    title: basename(path),
    shape: { kind: 'table', columns },
    range: 'real',
    length: matrix.rows,
    gather: gatherBy({ name, length: matrix.rows, size: columns.length }, writer(found, transformation)),
    labels: ofLabel,
    factors: factorsFrom(factors, rows),
    fingerprint: fingerprint(
      'h5ad',
      JSON.stringify(transformation),
      matrix.starts,
      matrix.places,
      matrix.values,
      ofLabel ? ofLabel.names.join('\n') : '',
      ofLabel?.values ?? '',
    ),
    transformation,
    notes: notesOn(transformation),
  };
  return withFields(data, fieldsFrom(obs.columns, rows));
}

function labelOf({ obs }: H5ad, label: string | undefined): string | undefined {
  const names = obs.columns.map(({ name }) => name);
  if (label === undefined) return names.find((name) => ['label', 'class'].includes(name.toLowerCase()));
  if (!names.includes(label)) throw unknownName(`column of obs in ${obs.name}`, label, names);
  return label;
}

/** Means and deviations of the genes, without those that never vary. */
function fitted({ matrix, genes, obs }: H5ad, { exclude = [], counts, label }: H5adOptions): Transformation {
  const { rows, columns, places, values } = matrix;
  const sums = new Float64Array(columns);
  const squares = new Float64Array(columns);
  let isCounted = true;
  for (let e = 0; e < values.length; e++) {
    const value = values[e];
    if (!Number.isFinite(value))
      throw new UntangleError(`${obs.name} holds ${value} for the gene ${genes[places[e]]}.`, {
        hint: 'Every entry must be a number; leave such cells or genes out.',
      });
    sums[places[e]] += value;
    squares[places[e]] += value * value;
    isCounted &&= value >= 0 && Number.isInteger(value);
  }
  if (counts?.includes('all') && !isCounted)
    throw new UntangleError(`${obs.name} is said to hold counts, and holds other numbers.`, {
      kind: 'call',
      hint: 'Counts as they were counted may be in a layer, as in --layer counts.',
    });
  const unwanted = new Set(exclude);
  const left: Transformation['left'] = obs.columns.map(({ name }) => ({
    name,
    why: name === cellNames ? 'id' : name === label ? 'label' : 'excluded',
  }));
  const kept: Transformation['columns'] = [];
  const seen = new Set<string>();
  for (const [j, name] of genes.entries()) {
    if (seen.has(name))
      throw new UntangleError(`${obs.name} has two genes “${name}”.`, {
        hint: 'Make their names unique, as adata.var_names_make_unique() does.',
      });
    seen.add(name);
    const mean = sums[j] / rows;
    const deviation = Math.sqrt(Math.max(0, squares[j] / rows - mean * mean));
    if (unwanted.has(name)) left.push({ name, why: 'excluded' });
    else if (!(deviation > 1e-6 * Math.abs(mean))) left.push({ name, why: 'constant' });
    else kept.push({ kind: 'number', name, mean, deviation, fill: mean, ...(isCounted && { counts: true }) });
  }
  if (kept.length === 0) throw new UntangleError(`No gene of ${obs.name} varies.`);
  return { columns: kept, left, filled: {} };
}

/** Writes a cell as standardised numbers, the genes in the transformation's order. */
function writer({ matrix, genes, obs }: H5ad, { columns }: Transformation) {
  const { starts, places, values } = matrix;
  const at = new Map(genes.map((gene, j) => [gene, j]));
  const ofGene = new Int32Array(matrix.columns).fill(-1);
  const means = new Float64Array(columns.length);
  const precisions = new Float64Array(columns.length);
  const empty = new Float32Array(columns.length);
  for (const [k, column] of columns.entries()) {
    const j = at.get(column.name);
    if (j === undefined || column.kind !== 'number')
      throw new UntangleError(`${obs.name} has no gene “${column.name}”, which the model was trained with.`);
    ofGene[j] = k;
    means[k] = column.mean;
    precisions[k] = 1 / column.deviation;
    empty[k] = -column.mean / column.deviation;
  }
  return (item: number, out: Float32Array, to: number) => {
    out.set(empty, to);
    for (let e = starts[item]; e < starts[item + 1]; e++) {
      const k = ofGene[places[e]];
      if (k >= 0) out[to + k] = (values[e] - means[k]) * precisions[k];
    }
  };
}

function notesOn({ left, columns }: Transformation): string[] {
  const still = left.filter(({ why }) => why === 'constant').length;
  const isCounted = columns.some((column) => column.kind === 'number' && column.counts);
  return [
    ...(still > 0 ? [`${still} genes are the same in every cell and were left out.`] : []),
    isCounted
      ? 'Its entries are whole numbers from 0 on, and are taken for counts.'
      : 'Its entries are no counts, and are standardised like any table’s.',
  ];
}
