/** `encode`: the codes of data by a run's model with what is known of the items, and the files that hold them. */
import { extname } from 'node:path';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { type NumberArray, takenFactors, takenLabels, writeCsv, writeNpy, writeNpz } from '../data/index.ts';
import { defined } from '../defined.ts';
import { writeAtomically } from '../disk.ts';
import { UntangleError } from '../errors.ts';
import type { FactorTable } from '../metrics/index.ts';
import type { Labels } from '../model/index.ts';
import { classVariables, type ModelFile, type Run } from '../runs/index.ts';
import { encodeItems } from './encode-items.ts';
import { type ChosenItems, type DataRequest, dataForModel } from './model-data.ts';
import { type BlockCodes, type TrainedModel, withModel } from './trained-model.ts';

/** The codes of a set's items, block by block in the model's order, with the labels and factors that are known of them. */
export interface EncodedItems {
  /** The set's name. */
  data: string;
  /** The places of the items in their set. */
  items: Uint32Array;
  codes: BlockCodes[];
  labels?: Labels;
  factors?: FactorTable;
}

export interface Encoded {
  model: ModelFile;
  target: EncodedItems;
  background?: EncodedItems;
}

/**
 * Encodes data, or the test part of the run's own.
 *
 * @example const { target } = await encode('runs/n-vae-mnist-1', { data: './photos' })
 */
export async function encode(run: Run | string, request: DataRequest = {}): Promise<Encoded> {
  const { onProgress = () => {} } = request;
  return await withModel(run, async (model, opened) => {
    if (!model.file.encodes)
      throw new UntangleError(`${model.file.title} has no encoder: it can only decode.`, { kind: 'call' });
    const { target, background } = await dataForModel(opened, model.file, request);
    const total = target.items.length + (background?.items.length ?? 0);
    const encoded = (chosen: ChosenItems, before: number) =>
      encodedSet(model, chosen, (done) => onProgress((before + done) / total, 'encoding'));
    return {
      model: model.file,
      target: await encoded(target, 0),
      ...(background && { background: await encoded(background, target.items.length) }),
    };
  });
}

async function encodedSet(model: TrainedModel, { data, items }: ChosenItems, onItems: (done: number) => void) {
  const { name, labels, factors } = data;
  return {
    data: name,
    items,
    codes: await encodeItems(model, data, items, onItems),
    ...defined({
      labels: labels && takenLabels(labels, items),
      factors: factors && { ...takenFactors(factors, items), n: items.length },
    }),
  };
}

/** Numbers or texts in rows, with a name for each column. */
interface Columns {
  shape: number[];
  data: NumberArray | readonly string[];
  columns: string[];
}

/** Files that hold one array alone come in several: the codes, and beside them what else `untangle score` takes. */
const besideCodes: Record<string, string> = {
  logVariance: 'log-variance',
  labels: 'labels',
  factors: 'factors',
  background: 'background',
};

/**
 * Encodes data into a file that `untangle score` and other programs read: an .npz with every array, or .npy, .csv and .parquet with
 * further files beside it. Gives what was written by what it holds.
 */
export async function encodeToFile(run: Run | string, path: string, request: DataRequest = {}) {
  const ending = extname(path).toLowerCase();
  if (!['.npz', '.npy', '.csv', '.parquet'].includes(ending))
    throw new UntangleError(`Codes are written as .npz, .npy, .csv or .parquet, not as “${path}”.`, { kind: 'call' });
  const encoded = await encode(run, request);
  const { model, target, background } = encoded;
  const arrays = {
    ...codeArrays(target),
    ...(background && { background: codeArrays(background).codes }),
    ...knownArrays(target),
  };
  const files = ending === '.npz' ? await writeAll(path, arrays, model) : await writeEach(path, ending, arrays);
  return { files, encoded };
}

/** Each block by its name with its log variance, and all side by side as `codes` and `logVariance`. */
function codeArrays({ codes, items }: EncodedItems): Record<string, Columns> {
  const columns = codes.flatMap(({ block }) => columnNames(block.name, block.size));
  const rowsOf = (values: readonly Float32Array[]) => sideBySide(values, items.length);
  const spreads = codes.flatMap(({ logVariance }) => logVariance ?? []);
  return {
    codes: { ...rowsOf(codes.map(({ values }) => values)), columns },
    ...(spreads.length === codes.length && { logVariance: { ...rowsOf(spreads), columns } }),
    ...Object.fromEntries(
      codes.flatMap(({ block: { name, size }, values, logVariance }) => {
        const array = (data: Float32Array) => ({ shape: [items.length, size], data, columns: columnNames(name, size) });
        return [[name, array(values)], ...(logVariance ? [[`${name} log variance`, array(logVariance)]] : [])];
      }),
    ),
  };
}

/** Arrays of n rows each, joined row by row. */
function sideBySide(all: readonly Float32Array[], n: number): { shape: number[]; data: Float32Array } {
  const width = all.reduce((sum, { length }) => sum + length / n, 0);
  const data = new Float32Array(n * width);
  let at = 0;
  for (const values of all) {
    const size = values.length / n;
    for (let row = 0; row < n; row++) data.set(values.subarray(row * size, (row + 1) * size), row * width + at);
    at += size;
  }
  return { shape: [n, width], data };
}

/** @example columnNames('z', 2) // ['z_0', 'z_1'] */
export function columnNames(block: string, size: number): string[] {
  return Array.from({ length: size }, (_, i) => `${block}_${i}`);
}

/** Which items they are, and their labels and factors where these are known. */
function knownArrays({ items, labels, factors }: EncodedItems): Record<string, Columns> {
  const n = items.length;
  return {
    items: { shape: [n], data: items, columns: ['item'] },
    ...(labels && {
      labels: { shape: [n], data: Array.from(labels.values, (value) => labels.names[value]), columns: ['label'] },
    }),
    ...(factors && {
      factors: {
        shape: [n, factors.factors.length],
        data: Float32Array.from(factors.values),
        columns: factors.factors.map(({ name }) => name),
      },
    }),
  };
}

async function writeAll(path: string, arrays: Readonly<Record<string, Columns>>, model: ModelFile) {
  const names = arrays.factors && {
    'factor names': { shape: [arrays.factors.columns.length], data: arrays.factors.columns },
  };
  const classes = classVariables(model).map(({ block, classes: called }) => [
    `${block.name} classes`,
    { shape: [called.length], data: called },
  ]);
  // A block that is called like one of the arrays would hide it.
  const clash = model.blocks.find(({ name }) => ['codes', 'items', ...Object.keys(besideCodes)].includes(name));
  if (clash) throw new UntangleError(`The block “${clash.name}” has the name of another array in ${path}.`);
  await writeNpz(path, { ...arrays, ...names, ...Object.fromEntries(classes) });
  return { codes: path };
}

async function writeEach(path: string, ending: string, arrays: Readonly<Record<string, Columns>>) {
  const files: Record<string, string> = { codes: path };
  for (const [name, suffix] of Object.entries(besideCodes))
    if (arrays[name]) files[name] = `${path.slice(0, -ending.length)}.${suffix}${ending}`;
  for (const [name, file] of Object.entries(files)) {
    const { shape, data, columns } = arrays[name];
    if (ending === '.npy') await writeNpy(file, shape, data);
    else if (ending === '.parquet') await writeAtomically(file, parquetOf(columns, data));
    else await writeCsv(file, columns, data);
  }
  return files;
}

/** Rows as a Parquet file: numbers as they are, texts as texts. */
function parquetOf(columns: readonly string[], data: Columns['data']): Uint8Array {
  const column = (j: number) =>
    Array.from({ length: data.length / columns.length }, (_, i) => data[i * columns.length + j]);
  const typeOf = (cells: readonly (number | bigint | string)[]) => (typeof cells[0] === 'string' ? 'STRING' : 'DOUBLE');
  const columnData = columns.map((name, j) => {
    const cells = column(j);
    const type = typeOf(cells);
    return { name, type, nullable: false, data: type === 'DOUBLE' ? cells.map(Number) : cells } as const;
  });
  return new Uint8Array(parquetWriteBuffer({ columnData }));
}
