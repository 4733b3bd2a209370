/** `decode`: pictures, or rows of a table in their own units, from codes: in memory, or from a file into files. */
import { writeFile } from 'node:fs/promises';
import { basename, dirname, extname, join } from 'node:path';
import { decodeRows, type NpyArray, openNpz, readNpy, readTable, writeCsv, writeNpy } from '../data/index.ts';
import { createFolder, refuseFull, replaceFolder } from '../disk.ts';
import { encodePng, rasterOf } from '../drawing/index.ts';
import { UntangleError, unknownName } from '../errors.ts';
import type { Codes, ItemShape, ModelBlock, ValueRange } from '../model/index.ts';
import type { ModelFile, Run } from '../runs/index.ts';
import { columnNames } from './encode.ts';
import { type TrainedModel, withModel } from './trained-model.ts';

/** What a decoder made: the items one after the other, and the rows of a table in their own units. */
export interface Decoded {
  values: Float32Array;
  shape: ItemShape;
  range: ValueRange;
  rows?: ReturnType<typeof decodeRows>;
}

/**
 * Decodes codes: a row for each item of some blocks, by the blocks' names. A block that is not given is neutral.
 *
 * @example const { values } = await decode('runs/beta-vae-dsprites-1', { z: new Float32Array(10) })
 */
export async function decode(run: Run | string, codes: Readonly<Codes>): Promise<Decoded> {
  return await withModel(run, async (model) => {
    const { blocks } = model.file;
    for (const name of Object.keys(codes))
      if (!blocks.some((block) => block.name === name))
        throw unknownName(
          `block of ${model.file.title}`,
          name,
          blocks.map((block) => block.name),
        );
    return decodedItems(model.file, await model.decode(codes));
  });
}

/** Items with what says how to read them. */
export function decodedItems({ data: { shape, range, transformation } }: ModelFile, values: Float32Array): Decoded {
  return { values, shape, range, rows: transformation && decodeRows(transformation, values) };
}

/** Codes of some blocks as somebody gives them. */
interface GivenCodes {
  n: number;
  blocks: Codes;
}

/** Decodes a file of codes into a folder of pictures, an array or a table, and says which. */
export async function decodeToFiles(
  run: Run | string,
  path: string,
  { out, onNote, onProgress }: DecodeOptions = {},
): Promise<{ out: string; kind: Output['kind']; items: number }> {
  return await withModel(run, async (model) => {
    const { file } = model;
    const place = outputOf(file, out);
    if (place.kind === 'pictures') await refuseFull(place.path);
    const codes = await readCodes(path, file);
    const missing = file.blocks.filter(({ name }) => codes.blocks[name] === undefined).map(({ name }) => name);
    if (missing.length > 0) onNote?.(`No codes of ${missing.join(', ')} were given: they are neutral.`);
    const writers = { pictures: writePictures, array: writeArray, table: writeRows };
    await writers[place.kind](place.path, model, codes, (done) => onProgress?.(done / codes.n, 'decoding'));
    return { out: place.path, kind: place.kind, items: codes.n };
  });
}

export interface DecodeOptions {
  /** A folder or an .npy for pictures, a .csv for a table; by default `decoded` or `decoded.csv`. */
  out?: string | undefined;
  onNote?: (sentence: string) => void;
  onProgress?: (share: number, what: string) => void;
}

interface Output {
  kind: 'pictures' | 'array' | 'table';
  path: string;
}

function outputOf({ data }: ModelFile, out: string | undefined): Output {
  const ending = out === undefined ? '' : extname(out).toLowerCase();
  if (data.shape.kind === 'table') {
    if (out === undefined || ending === '.csv') return { kind: 'table', path: out ?? 'decoded.csv' };
    throw new UntangleError(`The model decodes rows of a table, which are written as .csv, not as “${out}”.`, {
      kind: 'call',
    });
  }
  if (ending === '.npy') return { kind: 'array', path: out! };
  if (['.csv', '.npz', '.png', '.jpg', '.jpeg'].includes(ending))
    throw new UntangleError(`Pictures are written into a folder or as .npy, not as “${out}”.`, { kind: 'call' });
  return { kind: 'pictures', path: out ?? 'decoded' };
}

async function readCodes(path: string, { blocks }: ModelFile): Promise<GivenCodes> {
  const ending = extname(path).toLowerCase();
  const codes =
    ending === '.npz'
      ? await fromNpz(path, blocks)
      : ending === '.npy'
        ? sideBySide(await readNpy(path), path, blocks)
        : ['.csv', '.tsv', '.parquet'].includes(ending)
          ? await fromTable(path, blocks)
          : undefined;
  if (codes === undefined)
    throw new UntangleError(`${path} does not end in .npz, .npy, .csv, .tsv or .parquet.`, { kind: 'call' });
  if (codes.n === 0) throw new UntangleError(`${path} holds no codes.`);
  for (const { name, size } of blocks) {
    const bad = codes.blocks[name]?.findIndex((value) => !Number.isFinite(value)) ?? -1;
    if (bad >= 0)
      throw new UntangleError(
        `${columnNames(name, size)[bad % size]} of row ${Math.floor(bad / size) + 1} in ${basename(path)} is missing or not a finite number.`,
      );
  }
  return codes;
}

async function fromNpz(path: string, blocks: readonly ModelBlock[]): Promise<GivenCodes> {
  const archive = await openNpz(path);
  const given = blocks.filter(({ name }) => archive.names.includes(name));
  if (given.length === 0) {
    const all = archive.names.includes('codes') ? 'codes' : archive.names.length === 1 ? archive.names[0] : undefined;
    if (all !== undefined) return sideBySide(await archive.read(all), `“${all}” in ${path}`, blocks);
    throw new UntangleError(`${path} holds ${archive.names.join(', ')}; none of them is a block of the model.`, {
      kind: 'call',
      hint: `The model’s blocks are ${blocks.map(({ name, size }) => `${name} (${size})`).join(', ')}.`,
    });
  }
  const codes: GivenCodes = { n: 0, blocks: {} };
  for (const { name, size } of given) {
    const { values, n, d } = matrixOf(await archive.read(name), `“${name}” in ${path}`);
    if (d !== size)
      throw new UntangleError(`“${name}” in ${path} has ${d} columns; the block has ${size}.`, { kind: 'call' });
    if (codes.n > 0 && n !== codes.n)
      throw new UntangleError(`“${name}” in ${path} has ${n} rows, but the blocks before it ${codes.n}.`);
    codes.n = n;
    codes.blocks[name] = values;
  }
  return codes;
}

/** Columns by their names where the header has them, as `encode` writes it; otherwise all in the model's order. */
async function fromTable(path: string, blocks: readonly ModelBlock[]): Promise<GivenCodes> {
  const { columns, rows } = await readTable(path);
  const numbers = new Map(columns.map((column) => [column.name, column.kind === 'number' ? column.values : undefined]));
  const wanted = blocks.map(({ name, size }) => columnNames(name, size));
  const named = blocks.filter((_, k) => wanted[k].some((name) => numbers.has(name)));
  const isNamed = named.length > 0;
  const width = blocks.reduce((sum, { size }) => sum + size, 0);
  if (!isNamed && columns.length !== width) throw wrongWidth(path, columns.length, blocks);
  const codes: GivenCodes = { n: rows, blocks: {} };
  let at = 0;
  for (const [k, { name, size }] of blocks.entries()) {
    const names = isNamed ? wanted[k] : columns.slice(at, at + size).map((column) => column.name);
    at += size;
    if (isNamed && !named.includes(blocks[k])) continue;
    const values = new Float32Array(rows * size);
    for (const [i, column] of names.entries()) {
      const list = numbers.get(column);
      if (list === undefined)
        throw new UntangleError(
          numbers.has(column)
            ? `The column “${column}” of ${basename(path)} holds texts; codes are numbers.`
            : `${basename(path)} has codes of ${name}, but no column “${column}”.`,
        );
      for (let row = 0; row < rows; row++) values[row * size + i] = list[row];
    }
    codes.blocks[name] = values;
  }
  return codes;
}

function sideBySide(array: NpyArray, where: string, blocks: readonly ModelBlock[]): GivenCodes {
  const { values, n, d } = matrixOf(array, where);
  if (d !== blocks.reduce((sum, { size }) => sum + size, 0)) throw wrongWidth(where, d, blocks);
  const codes: GivenCodes = { n, blocks: {} };
  let at = 0;
  for (const { name, size } of blocks) {
    const part = new Float32Array(n * size);
    for (let row = 0; row < n; row++) part.set(values.subarray(row * d + at, row * d + at + size), row * size);
    codes.blocks[name] = part;
    at += size;
  }
  return codes;
}

function matrixOf(array: NpyArray, where: string): { values: Float32Array; n: number; d: number } {
  if (array.kind !== 'numbers') throw new UntangleError(`${where} holds texts; codes are numbers.`);
  if (array.shape.length < 1 || array.shape.length > 2)
    throw new UntangleError(`${where} has ${array.shape.length} dimensions; codes are rows of numbers.`);
  const [n, d = 1] = array.shape;
  return { values: Float32Array.from(array.data, Number), n, d };
}

function wrongWidth(where: string, given: number, blocks: readonly ModelBlock[]): UntangleError {
  const width = blocks.reduce((sum, { size }) => sum + size, 0);
  return new UntangleError(`${where} has ${given} columns; the model’s code has ${width}.`, {
    kind: 'call',
    hint: `In this order: ${blocks.map(({ name, size }) => `${name} (${size})`).join(', ')}.`,
  });
}

/** How many items are decoded and written at a time. */
const atOnce = 256;

async function inPieces(
  model: TrainedModel,
  { n, blocks }: GivenCodes,
  onItems: (done: number) => void,
  take: (items: Float32Array, start: number, count: number) => Promise<void> | void,
): Promise<void> {
  for (let start = 0; start < n; start += atOnce) {
    const count = Math.min(atOnce, n - start);
    const part = Object.entries(blocks).map(([name, values]) => {
      const size = values.length / n;
      return [name, values.subarray(start * size, (start + count) * size)];
    });
    await take(await model.decode(Object.fromEntries(part)), start, count);
    onItems(start + count);
  }
}

type Writer = (path: string, model: TrainedModel, codes: GivenCodes, onItems: (done: number) => void) => Promise<void>;

/** A PNG for each row, by its number, with as many zeros in front as keep the names in order. */
const writePictures: Writer = async (path, model, codes, onItems) => {
  const { shape, range } = model.file.data;
  if (shape.kind !== 'image') return;
  const digits = `${codes.n - 1}`.length;
  await createFolder(dirname(path));
  await replaceFolder(path, (folder) =>
    inPieces(model, codes, onItems, async (values, start, count) => {
      for (let i = 0; i < count; i++) {
        const name = `${`${start + i}`.padStart(digits, '0')}.png`;
        await writeFile(join(folder, name), encodePng(rasterOf({ values, shape, range }, i)));
      }
    }),
  );
};

/** No array of more numbers is made: two gigabytes. */
export const mostNumbers = 2 ** 29;

const writeArray: Writer = async (path, model, codes, onItems) => {
  const { shape } = model.file.data;
  if (shape.kind !== 'image') return;
  if (codes.n * model.itemSize > mostNumbers)
    throw new UntangleError(`${codes.n} pictures are too many for one array.`, {
      hint: `Decode at most ${Math.floor(mostNumbers / model.itemSize)} at a time, or give a folder for --out.`,
    });
  const all = new Float32Array(codes.n * model.itemSize);
  await inPieces(model, codes, onItems, (values, start) => all.set(values, start * model.itemSize));
  await writeNpy(path, [codes.n, shape.channels, shape.height, shape.width], all);
};

const writeRows: Writer = async (path, model, codes, onItems) => {
  const { shape, transformation } = model.file.data;
  if (shape.kind !== 'table') return;
  const columns = transformation?.columns.map(({ name }) => name) ?? shape.columns;
  const cells: (number | string)[] = [];
  await inPieces(model, codes, onItems, (values) => {
    if (transformation === undefined) for (const value of values) cells.push(value);
    else for (const row of decodeRows(transformation, values)) for (const name of columns) cells.push(row[name]);
  });
  await writeCsv(path, columns, cells);
};
