/**
 * Array files as datasets: items × height × width (× channels, before or after) are images, items × columns a table. How
 * numbers are to be read follows from them: zeros and ones, [0, 1], [−1, 1] or 0 … 255.
 */
import { UntangleError } from '../errors.ts';
import type { ImageShape, ValueRange } from '../model/index.ts';
import { type Dataset, fingerprint, gatherBy } from './dataset.ts';
import { type ArrayFile, arrayTable, labelColumn, numberColumn, readArrayFile } from './formats/array-table.ts';
import type { NumberNpy } from './formats/npy.ts';
import type { NumberArray } from './formats/numbers.ts';
import { factorsFrom, labelsFrom } from './tables/described.ts';
import { resolveColumns, type TableOptions, tableDataset } from './tables/table.ts';
import { allRows, fitTransformation } from './tables/transformation.ts';

export interface ArrayOptions extends TableOptions {
  /** Which array of an archive holds the items. */
  array?: string;
}

/**
 * Opens an .npy, .npz or IDX file.
 *
 * @example await openArrays('cells.npz', { array: 'scans' })
 */
export async function openArrays(path: string, options: ArrayOptions = {}): Promise<Dataset> {
  const file = await readArrayFile(path, options);
  return file.items.shape.length === 2 ? tableOf(file, options) : imagesOf(file);
}

function tableOf(file: ArrayFile, options: ArrayOptions): Dataset {
  const table = arrayTable(file);
  const settings = resolveColumns(table, { ...options, exclude: [...(options.exclude ?? []), ...table.factorNames] });
  const rows = allRows(table);
  return tableDataset(table, rows, fitTransformation(table, rows, settings), settings.label);
}

function imagesOf({ name, items, labels, factors }: ArrayFile): Dataset {
  const { shape, isLast } = imageShape(name, items.shape);
  const { range, scale } = readingOf(name, items);
  const size = shape.channels * shape.height * shape.width;
  const [length] = items.shape;
  const table = { name, rows: length, columns: [], notes: [] };
  const rows = allRows(table);
  const { data } = items;
  const columns = Array.from({ length: factors?.shape[1] ?? 0 }, (_, k) => `factor ${k + 1}`).flatMap((factor, k) =>
    factors ? [numberColumn(factor, factors, k)] : [],
  );
  const known = labels && labelsFrom(table, labelColumn(labels), rows);
  return {
    name: name.replace(/\.[^.]*$/, ''),
    title: name,
    shape,
    range,
    length,
    labels: known,
    factors: factorsFrom(columns, rows),
    fingerprint: fingerprint(
      'images',
      JSON.stringify({ range, shape, isLast, classes: known?.names }),
      data,
      known?.values ?? '',
      factors?.data ?? '',
    ),
    gather: gatherBy({ name, length, size }, (item, out, at) => {
      // From pixels that hold all their channels together, or as the numbers stand.
      const [step, planes] = isLast ? [shape.channels, shape.channels] : [1, 1];
      for (let c = 0, to = at; c < planes; c++)
        for (let from = item * size + c; to < at + ((c + 1) * size) / planes; from += step)
          out[to++] = data[from] * scale;
    }),
  };
}

function imageShape(name: string, shape: readonly number[]): { shape: ImageShape; isLast: boolean } {
  const [, a, b, c] = shape;
  if (shape.length === 3) return { shape: { kind: 'image', channels: 1, height: a, width: b }, isLast: false };
  if (shape.length === 4 && (c === 1 || c === 3)) {
    return { shape: { kind: 'image', channels: c, height: a, width: b }, isLast: c > 1 };
  }
  if (shape.length === 4 && (a === 1 || a === 3)) {
    return { shape: { kind: 'image', channels: a, height: b, width: c }, isLast: false };
  }
  throw new UntangleError(`${name} holds an array of shape ${shape.join(' × ')}; that is neither images nor a table.`, {
    hint: 'Images are items × height × width, with 1 or 3 channels before or after; tables are items × columns.',
  });
}

/** How an array's numbers are to be read, and what to multiply them by. */
function readingOf(name: string, { data, type }: NumberNpy): { range: ValueRange; scale: number } {
  const { least, most, isWhole } = extremes(data);
  if (least >= 0 && most <= 1 && isWhole) return { range: 'binary', scale: 1 };
  if (type === 'u1') return { range: 'unit', scale: 1 / 255 };
  if (least >= 0 && most <= 1) return { range: 'unit', scale: 1 };
  if (least >= -1 && most <= 1) return { range: 'symmetric', scale: 1 };
  if (least >= 0 && most <= 255) return { range: 'unit', scale: 1 / 255 };
  throw new UntangleError(`${name} holds pixels from ${least} to ${most}.`, {
    hint: 'Pixels lie in [0, 1], in [−1, 1] or in 0 … 255; none is missing or infinite.',
  });
}

function extremes(data: NumberArray): { least: number; most: number; isWhole: boolean } {
  let least = Number.POSITIVE_INFINITY;
  let most = Number.NEGATIVE_INFINITY;
  let isWhole = true;
  for (let i = 0; i < data.length; i++) {
    const value = data[i];
    if (Number.isNaN(value)) return { least: Number.NaN, most: Number.NaN, isWhole: false };
    if (value < least) least = value;
    if (value > most) most = value;
    if (isWhole && !Number.isInteger(value)) isWhole = false;
  }
  return { least, most, isWhole };
}
