/**
 * What an array file holds, by the usual names: the items, and where they are there, classes and factors. Reads .npy, .npz and
 * IDX; an array with a row an item can be seen as a table.
 */
import { existsSync } from 'node:fs';
import { basename } from 'node:path';
import { UntangleError } from '../../errors.ts';
import { type Table, type TableColumn, textBuilder } from '../tables/columns.ts';
import { readIdx } from './idx.ts';
import { type NpyArray, type NumberNpy, readNpy } from './npy.ts';
import { openNpz } from './npz.ts';

export interface ArrayFile {
  /** What messages call it. */
  name: string;
  items: NumberNpy;
  /** One for each item. */
  labels?: NpyArray;
  /** A row for each item. */
  factors?: NumberNpy;
}

/** Endings of files that hold arrays. */
export const arrayEndings = ['npy', 'npz'];

/** Whether a path is one of an array file: by its ending, or by MNIST's way to name files. */
export function isArrayFile(path: string): boolean {
  return /\.(npy|npz)$/i.test(path) || isIdxFile(path);
}

const isIdxFile = (path: string) => /(\.idx|idx\d-ubyte)(\.gz)?$/i.test(path);

const usual = {
  items: ['images', 'imgs', 'x', 'X', 'data', 'items', 'codes', 'arr_0'],
  labels: ['labels', 'label', 'y', 'Y', 'targets', 'target', 'class', 'classes'],
  factors: ['factors', 'latents_classes', 'latents'],
};

/** Reads an array file; in an archive, `array` names the items where they do not go by a usual name. */
export async function readArrayFile(path: string, { array }: { array?: string } = {}): Promise<ArrayFile> {
  const name = basename(path);
  const file = isIdxFile(path)
    ? await fromIdx(path)
    : /\.npz$/i.test(path)
      ? await fromNpz(path, array)
      : { items: await readNpy(path) };
  const { items, labels, factors } = file;
  if (items.kind !== 'numbers') throw new UntangleError(`${name} holds strings where numbers are needed.`);
  const [count] = items.shape;
  if (items.shape.length < 2 || items.data.length === 0) {
    throw new UntangleError(`${name} holds an array of shape ${items.shape.join(' × ') || '()'}; it has no items.`, {
      hint: 'The first dimension counts the items: images are items × height × width (× 3), tables items × columns.',
    });
  }
  if (labels && labels.data.length !== count) {
    throw new UntangleError(`${name} has ${count} items and ${labels.data.length} labels.`);
  }
  if (factors && (factors.kind !== 'numbers' || factors.shape.length !== 2 || factors.shape[0] !== count)) {
    throw new UntangleError(`${name} has ${count} items and factors of shape ${factors.shape.join(' × ')}.`);
  }
  return { name, items, labels, factors: factors?.kind === 'numbers' ? factors : undefined };
}

/** An array of items × columns as a table; labels become the column “label”, factors go by “factor 1” and so on. */
export function arrayTable({ name, items, labels, factors }: ArrayFile): Table & { factorNames: string[] } {
  const [rows] = items.shape;
  const width = items.data.length / rows;
  const columns = Array.from({ length: width }, (_, k) => numberColumn(`column ${k + 1}`, items, k));
  if (labels) columns.push(labelColumn(labels));
  const factorNames = Array.from({ length: factors?.shape[1] ?? 0 }, (_, k) => `factor ${k + 1}`);
  if (factors) columns.push(...factorNames.map((factor, k) => numberColumn(factor, factors, k)));
  return { name, rows, columns, notes: [], factorNames };
}

/** Labels as a column of their own. */
export function labelColumn(labels: NpyArray): TableColumn {
  if (labels.kind === 'numbers') return { kind: 'number', name: 'label', values: Float64Array.from(labels.data) };
  const builder = textBuilder(labels.data.length);
  for (const [row, text] of labels.data.entries()) builder.set(row, text);
  return builder.column('label');
}

/** Column `k` of an array of rows. */
export function numberColumn(name: string, { shape, data }: NumberNpy, k: number): TableColumn {
  const width = data.length / shape[0];
  const values = new Float64Array(shape[0]);
  for (let row = 0; row < values.length; row++) {
    const value = data[row * width + k];
    values[row] = Number.isFinite(value) ? value : Number.NaN;
  }
  return { kind: 'number', name, values };
}

interface Found {
  items: NpyArray;
  labels?: NpyArray;
  factors?: NpyArray;
}

async function fromNpz(path: string, array: string | undefined): Promise<Found> {
  const npz = await openNpz(path);
  const find = (names: string[]) => names.find((name) => npz.names.includes(name));
  const items = array ?? find(usual.items) ?? (npz.names.length === 1 ? npz.names[0] : undefined);
  if (items === undefined) {
    throw new UntangleError(`${path} holds ${npz.names.join(', ')}: which of them are the items is not plain.`, {
      kind: 'call',
      hint: `Name it: ${basename(path)}:array=${npz.names[0]}`,
    });
  }
  const read = async (name: string | undefined) => (name === undefined || name === items ? undefined : npz.read(name));
  return {
    items: await npz.read(items),
    labels: await read(find(usual.labels)),
    factors: await read(find(usual.factors)),
  };
}

/** MNIST's files come in pairs: …images-idx3-ubyte and …labels-idx1-ubyte. */
async function fromIdx(path: string): Promise<Found> {
  const read = async (from: string): Promise<NumberNpy> => {
    const { shape, data } = await readIdx(from);
    return { kind: 'numbers', shape, type: data instanceof Uint8Array ? 'u1' : 'f8', data };
  };
  const partner = path.replace(/images([-.])idx3/, 'labels$1idx1');
  const hasLabels = partner !== path && existsSync(partner);
  return { items: await read(path), labels: hasLabels ? await read(partner) : undefined };
}
