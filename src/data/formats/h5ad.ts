/**
 * AnnData's files (.h5ad) through h5wasm: a matrix of cells × genes that is dense, by rows (CSR) or by columns (CSC), and what is
 * known of either. Matrices are read in slices, and kept as they are sparse. Codes are written beside them as scanpy looks for them.
 */
import { copyFile, rename, rm } from 'node:fs/promises';
import { basename } from 'node:path';
import type { Dataset as Array5, File as File5, Group } from 'h5wasm/node';
import { UntangleError } from '../../errors.ts';
import type { Table, TableColumn } from '../tables/columns.ts';
import { withFile } from './files.ts';

/** The rows of a matrix one after the other: of row i the entries from `starts[i]` on, each in a column with a value. */
export interface SparseRows {
  rows: number;
  columns: number;
  starts: Float64Array;
  places: Uint16Array | Uint32Array;
  values: Float32Array;
}

export interface H5ad {
  matrix: SparseRows;
  /** What is known of the cells, their names in the column `obs_names`. */
  obs: Table;
  genes: string[];
}

/** Entries that are read at once. */
const atOnce = 2 ** 21;
/** The column of the cells' names. */
export const cellNames = 'obs_names';

/** Reads the matrix X, or a layer, with what is known of cells and the names of genes. */
export async function readH5ad(path: string, layer?: string): Promise<H5ad> {
  const name = basename(path);
  return await withH5(path, 'r', (file, { Dataset, Group }) => {
    const at = layer === undefined ? 'X' : `layers/${layer}`;
    const known = file.keys();
    if (layer !== undefined) {
      const layers = file.get('layers');
      const names = layers instanceof Group ? layers.keys() : [];
      if (!names.includes(layer))
        throw new UntangleError(`${name} has no layer “${layer}”.`, {
          kind: 'call',
          hint: names.length > 0 ? `It has ${names.join(', ')}.` : 'It has none; leave --layer away.',
        });
    }
    if (!known.includes('X') && layer === undefined)
      throw new UntangleError(`${name} has no matrix X: it is no file of AnnData, or keeps its counts in a layer.`, {
        hint: 'Name the layer with --layer.',
      });
    const entity = file.get(at);
    const matrix =
      entity instanceof Dataset ? dense(entity, name) : entity instanceof Group ? sparse(entity, name) : undefined;
    if (matrix === undefined) throw new UntangleError(`${name} holds no matrix at ${at}.`);
    const frame = (of: 'obs' | 'var') => {
      const group = file.get(of);
      if (!(group instanceof Group)) throw new UntangleError(`${name} has no table “${of}”.`);
      return group;
    };
    const columns = frameColumns(frame('obs'), name, matrix.rows);
    const genes = texts(indexOf(frame('var')), name);
    if (genes.length !== matrix.columns)
      throw new UntangleError(`${name} has ${matrix.columns} columns and names for ${genes.length} genes.`);
    return { matrix, obs: { name, rows: matrix.rows, columns, notes: [] }, genes };
  });
}

export interface H5adAddition {
  /** Arrays with a row for each cell, by name. */
  obsm: Record<string, { width: number; values: Float32Array }>;
  /** Arrays with a row for each of some genes; the file's other genes have none. */
  varm: Record<string, { width: number; values: Float32Array }>;
  genes: readonly string[];
}

/** A copy of a file with arrays of cells and genes beside those that are there; of the same name they are replaced. */
export async function addToH5ad(path: string, out: string, { obsm, varm, genes }: H5adAddition): Promise<void> {
  const part = `${out}.part`;
  await copyFile(path, part);
  try {
    await withH5(part, 'a', (file, { Group, Dataset }) => {
      const frame = file.get('var');
      if (!(frame instanceof Group)) throw new UntangleError(`${path} has no table “var”.`);
      const names = texts(indexOf(frame), path);
      const ofAll = Object.entries(varm).map(([name, { width, values }]) => {
        const all = new Float32Array(names.length * width).fill(Number.NaN);
        const place = new Map(names.map((gene, j) => [gene, j]));
        for (const [k, gene] of genes.entries())
          all.set(values.subarray(k * width, (k + 1) * width), (place.get(gene) ?? 0) * width);
        return [name, { width, values: all }] as const;
      });
      for (const [where, arrays] of Object.entries({ obsm, varm: Object.fromEntries(ofAll) })) {
        if (!file.keys().includes(where)) {
          const made = file.create_group(where);
          made.create_attribute('encoding-type', 'dict');
          made.create_attribute('encoding-version', '0.1.0');
        }
        const group = file.get(where);
        if (!(group instanceof Group)) throw new UntangleError(`${path} holds something else at “${where}”.`);
        for (const [name, { width, values }] of Object.entries(arrays)) {
          if (group.keys().includes(name))
            throw new UntangleError(`${path} has “${name}” in ${where} already.`, {
              kind: 'call',
              hint: 'Start from the file as it was before codes were written into it.',
            });
          group.create_dataset({ name, data: values, shape: [values.length / width, width], dtype: '<f4' });
          const written = group.get(name);
          if (!(written instanceof Dataset)) throw new UntangleError(`${name} could not be written into ${out}.`);
          written.create_attribute('encoding-type', 'array');
          written.create_attribute('encoding-version', '0.2.0');
        }
      }
    });
    await rename(part, out);
  } finally {
    await rm(part, { force: true });
  }
}

type Library = Pick<typeof import('h5wasm/node'), 'Dataset' | 'Group'>;

async function withH5<T>(path: string, mode: 'r' | 'a', work: (file: File5, library: Library) => T): Promise<T> {
  await withFile(path, async () => {});
  const h5wasm = await import('h5wasm/node');
  (await h5wasm.ready).activate_throwing_error_handler();
  let file: File5 | undefined;
  try {
    file = new h5wasm.File(path, mode);
    return work(file, h5wasm);
  } catch (cause) {
    if (cause instanceof UntangleError) throw cause;
    throw new UntangleError(`${path} can’t be read as AnnData’s HDF5: it is damaged, cut short or something else.`, {
      cause,
    });
  } finally {
    file?.close();
  }
}

/** A dense matrix, of which the entries that are not zero are kept. */
function dense(array: Array5, name: string): SparseRows {
  const [rows, columns] = shapeOf(array, name);
  const step = Math.max(1, Math.floor(atOnce / columns));
  const starts = new Float64Array(rows + 1);
  const pieces: { places: Uint32Array; values: Float32Array }[] = [];
  for (let from = 0; from < rows; from += step) {
    const to = Math.min(rows, from + step);
    const values = numbers(array.slice([[from, to], []]), name);
    let count = 0;
    for (let i = 0; i < values.length; i++) if (values[i] !== 0) count++;
    const piece = { places: new Uint32Array(count), values: new Float32Array(count) };
    for (let i = 0, at = 0; i < values.length; i++) {
      if (i % columns === 0) starts[from + i / columns] = starts[from] + at;
      if (values[i] === 0) continue;
      piece.places[at] = i % columns;
      piece.values[at++] = values[i];
    }
    starts[to] = starts[from] + count;
    pieces.push(piece);
  }
  const places = placesFor(columns, starts[rows]);
  const values = new Float32Array(starts[rows]);
  let at = 0;
  for (const piece of pieces) {
    places.set(piece.places, at);
    values.set(piece.values, at);
    at += piece.values.length;
  }
  return { rows, columns, starts, places, values };
}

/** A sparse matrix; one that lies by columns is turned. */
function sparse(group: Group, name: string): SparseRows {
  const attribute = (of: string) => group.attrs[of]?.value;
  const kind = String(attribute('encoding-type') ?? attribute('h5sparse_format') ?? '').replace('_matrix', '');
  const shape = attribute('shape') ?? attribute('h5sparse_shape');
  if ((kind !== 'csr' && kind !== 'csc') || !ArrayBuffer.isView(shape))
    throw new UntangleError(`The matrix of ${name} is of a kind that is not known: “${kind}”.`, {
      hint: 'It may be dense, CSR or CSC.',
    });
  const [rows, columns] = Array.from(shape as unknown as ArrayLike<number | bigint>, Number);
  const [data, indices, pointers] = ['data', 'indices', 'indptr'].map((of) => group.get(of) as Array5 | null);
  if (!data || !indices || !pointers) throw new UntangleError(`The sparse matrix of ${name} lacks a part.`);
  const [count] = shapeOf(data, name);
  const lines = kind === 'csr' ? rows : columns;
  const starts = Float64Array.from(numbers(pointers.slice([[0, lines + 1]]), name));
  const [inner] = shapeOf(indices, name);
  if (starts.length !== lines + 1 || starts[lines] !== count || inner !== count)
    throw new UntangleError(`The sparse matrix of ${name} contradicts itself: it was cut short.`);
  const across = kind === 'csr' ? columns : rows;
  const values = new Float32Array(count);
  const places = placesFor(across, count);
  for (let from = 0; from < count; from += atOnce) {
    const to = Math.min(count, from + atOnce);
    values.set(numbers(data.slice([[from, to]]), name), from);
    const part = numbers(indices.slice([[from, to]]), name);
    for (let e = 0; e < part.length; e++)
      if (!(part[e] >= 0 && part[e] < across))
        throw new UntangleError(`The sparse matrix of ${name} names the place ${part[e]} of ${across}.`);
    places.set(part, from);
  }
  const own = { rows, columns, starts, places, values };
  return kind === 'csr' ? own : turned(own);
}

/** By rows what lies by columns. */
function turned({ rows, columns, starts, places, values }: SparseRows): SparseRows {
  const next = new Float64Array(rows + 1);
  for (let e = 0; e < places.length; e++) next[places[e] + 1]++;
  for (let i = 0; i < rows; i++) next[i + 1] += next[i];
  const byRow = {
    starts: next.slice(),
    places: placesFor(columns, places.length),
    values: new Float32Array(values.length),
  };
  for (let j = 0; j < columns; j++)
    for (let e = starts[j]; e < starts[j + 1]; e++) {
      const to = next[places[e]]++;
      byRow.places[to] = j;
      byRow.values[to] = values[e];
    }
  return { rows, columns, ...byRow };
}

function placesFor(columns: number, count: number): Uint16Array | Uint32Array {
  return columns <= 2 ** 16 ? new Uint16Array(count) : new Uint32Array(count);
}

function shapeOf(array: Array5, name: string): number[] {
  const { shape } = array;
  if (!shape || shape.length === 0) throw new UntangleError(`${name} holds a single value where an array is needed.`);
  return shape;
}

function numbers(value: unknown, name: string): ArrayLike<number> {
  if (value instanceof BigInt64Array || value instanceof BigUint64Array) return Float64Array.from(value, Number);
  if (ArrayBuffer.isView(value)) return value as unknown as ArrayLike<number>;
  if (Array.isArray(value)) return value.map(Number);
  throw new UntangleError(`${name} holds something else where numbers are needed.`);
}

function texts(array: Array5, name: string): string[] {
  const { value } = array;
  if (Array.isArray(value)) return value.map(String);
  if (ArrayBuffer.isView(value)) return Array.from(numbers(value, name), String);
  throw new UntangleError(`${name} holds something else where names are needed.`);
}

/** The names of a table's rows. */
function indexOf(frame: Group): Array5 {
  const name = String(frame.attrs._index?.value ?? '_index');
  return frame.get(name) as Array5;
}

/** The columns of a table: numbers, texts, truth values, and categories with their codes. */
function frameColumns(frame: Group, name: string, rows: number): TableColumn[] {
  const index = String(frame.attrs._index?.value ?? '_index');
  const order = frame.attrs['column-order']?.value;
  const names = Array.isArray(order) ? order.map(String) : frame.keys().filter((key) => key !== index);
  const columns = names.flatMap((column): TableColumn[] => {
    const found = frame.get(column);
    if (found === null) return [];
    if ('get' in found) return groupColumn(column, found as Group, name);
    const { value } = found as Array5;
    if (ArrayBuffer.isView(value))
      return [{ kind: 'number', name: column, values: Float64Array.from(numbers(value, name)) }];
    if (Array.isArray(value) && value.every((one) => typeof one === 'boolean' || typeof one === 'number'))
      return [{ kind: 'number', name: column, values: Float64Array.from(value, Number) }];
    return Array.isArray(value) ? [textColumn(column, value.map(String))] : [];
  });
  const all = [textColumn(cellNames, texts(indexOf(frame), name)), ...columns];
  for (const column of all) {
    const count = column.kind === 'number' ? column.values.length : column.codes.length;
    if (count !== rows) throw new UntangleError(`${name} has ${rows} cells and ${count} values of ${column.name}.`);
  }
  return all;
}

/** A category with its codes, or numbers with a mask of those that are missing. */
function groupColumn(column: string, group: Group, name: string): TableColumn[] {
  const keys = group.keys();
  if (keys.includes('categories') && keys.includes('codes')) {
    const codes = numbers((group.get('codes') as Array5).value, name);
    const categories = texts(group.get('categories') as Array5, name);
    return [
      textColumn(
        column,
        Array.from(codes, (code) => categories[code]),
      ),
    ];
  }
  if (keys.includes('values') && keys.includes('mask')) {
    const values = numbers((group.get('values') as Array5).value, name);
    const mask = numbers((group.get('mask') as Array5).value, name);
    return [
      { kind: 'number', name: column, values: Float64Array.from(values, (value, i) => (mask[i] ? Number.NaN : value)) },
    ];
  }
  return [];
}

function textColumn(name: string, values: readonly (string | undefined)[]): TableColumn {
  const categories = [...new Set(values.filter((text) => text !== undefined))].toSorted();
  const place = new Map(categories.map((text, code) => [text, code]));
  return {
    kind: 'text',
    name,
    categories,
    codes: Int32Array.from(values, (text) => (text === undefined ? -1 : (place.get(text) ?? -1))),
  };
}
