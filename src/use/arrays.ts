/** Reads codes, factors and labels from a person's files: .npy, .npz, .csv, .tsv and .parquet. */
import { basename, extname } from 'node:path';
import type { TableColumn } from '../data/index.ts';
import { type NpyArray, openNpz, readNpy, readTable } from '../data/index.ts';
import { UntangleError } from '../errors.ts';
import type { CodeTable, FactorTable, Inputs } from '../metrics/index.ts';
import type { Factor, Labels } from '../model/index.ts';

/** Numbers in rows, with names for the columns where the file has them. */
interface Matrix {
  values: Float64Array;
  n: number;
  d: number;
  names: string[];
  /** Which columns were texts, whose numbers are places in the sorted list of texts. */
  texts: (string[] | undefined)[];
}

export interface ArrayFiles {
  codes: string;
  factors?: string;
  labels?: string;
  logVariance?: string;
  background?: string;
}

/** Everything that a person gave to be measured. */
export async function readInputs(files: ArrayFiles): Promise<Inputs> {
  const together = extname(files.codes) === '.npz' ? await openNpz(files.codes) : undefined;
  const beside = (name: string) => (together?.names.includes(name) ? files.codes : undefined);
  const codes = await readCodes(files.codes, 'codes');
  const logVarianceFile = files.logVariance ?? beside('logVariance');
  if (logVarianceFile !== undefined) {
    const { values, n, d } = await readCodes(logVarianceFile, 'logVariance');
    if (n !== codes.n || d !== codes.d) {
      throw wrong(`The log variances are ${n} × ${d}, but the codes are ${codes.n} × ${codes.d}.`);
    }
    codes.logVariance = values;
  }
  const factorsFile = files.factors ?? beside('factors');
  const labelsFile = files.labels ?? beside('labels');
  const backgroundFile = files.background ?? beside('background');
  return {
    codes,
    factors: factorsFile === undefined ? undefined : factorTable(await readMatrix(factorsFile, 'factors'), codes.n),
    labels: labelsFile === undefined ? undefined : labelsOf(await readMatrix(labelsFile, 'labels'), codes.n),
    background: backgroundFile === undefined ? undefined : await readCodes(backgroundFile, 'background'),
  };
}

async function readCodes(path: string, key: string): Promise<CodeTable> {
  const { values, n, d, names, texts } = await readMatrix(path, key);
  const text = texts.findIndex((categories) => categories !== undefined);
  if (text >= 0) throw wrong(`The column “${names[text]}” of ${basename(path)} holds texts; codes are numbers.`);
  return { values, n, d };
}

async function readMatrix(path: string, key: string): Promise<Matrix> {
  const ending = extname(path).toLowerCase();
  if (ending === '.npy') return fromNpy(await readNpy(path), path);
  if (ending === '.npz') {
    const archive = await openNpz(path);
    const name = archive.names.includes(key) ? key : archive.names.length === 1 ? archive.names[0] : key;
    return fromNpy(await archive.read(name), `“${name}” in ${path}`);
  }
  if (['.csv', '.tsv', '.parquet'].includes(ending)) {
    const { columns, rows } = await readTable(path);
    return fromColumns(columns, rows);
  }
  throw new UntangleError(`${path} does not end in .npy, .npz, .csv, .tsv or .parquet.`, { kind: 'call' });
}

function fromNpy(array: NpyArray, name: string): Matrix {
  if (array.shape.length < 1 || array.shape.length > 2) {
    throw wrong(`${name} has ${array.shape.length} dimensions; rows of numbers have two.`);
  }
  const [n, d = 1] = array.shape;
  const names = Array.from({ length: d }, (_, i) => `column ${i + 1}`);
  if (array.kind === 'numbers') {
    return { values: Float64Array.from(array.data, Number), n, d, names, texts: names.map(() => undefined) };
  }
  const categories = [...new Set(array.data)].sort();
  const places = new Map(categories.map((text, i) => [text, i]));
  return {
    values: Float64Array.from(array.data, (text) => places.get(text)!),
    n,
    d,
    names,
    texts: names.map(() => categories),
  };
}

function fromColumns(columns: readonly TableColumn[], n: number): Matrix {
  const d = columns.length;
  const values = new Float64Array(n * d);
  for (const [k, column] of columns.entries()) {
    const list = column.kind === 'number' ? column.values : column.codes;
    for (let i = 0; i < n; i++) values[i * d + k] = column.kind === 'text' && list[i] < 0 ? Number.NaN : list[i];
  }
  return {
    values,
    n,
    d,
    names: columns.map(({ name }) => name),
    texts: columns.map((column) => (column.kind === 'text' ? column.categories : undefined)),
  };
}

/** Factors by column: whole numbers and texts are discrete, their values numbered in order; all else is continuous. */
function factorTable(matrix: Matrix, n: number): FactorTable {
  if (matrix.n !== n) throw wrong(`There are factors of ${matrix.n} items, but codes of ${n}.`);
  const values = Float64Array.from(matrix.values);
  const factors = matrix.names.map((name, k): Factor => {
    const column = Float64Array.from({ length: n }, (_, i) => matrix.values[i * matrix.d + k]);
    const given = column.filter((value) => !Number.isNaN(value));
    if (!given.every(Number.isInteger)) return { name, kind: 'continuous', size: 0 };
    const distinct = [...new Set(given)].sort((a, b) => a - b);
    const places = new Map(distinct.map((value, i) => [value, i]));
    for (let i = 0; i < n; i++) values[i * matrix.d + k] = places.get(column[i]) ?? Number.NaN;
    return { name, kind: 'discrete', size: distinct.length };
  });
  return { values, n, factors };
}

function labelsOf(matrix: Matrix, n: number): Labels {
  if (matrix.d !== 1) throw wrong(`Labels are one column, not ${matrix.d}.`);
  if (matrix.n !== n) throw wrong(`There are labels of ${matrix.n} items, but codes of ${n}.`);
  const distinct = [...new Set(matrix.values)].sort((a, b) => a - b);
  if (!distinct.every(Number.isInteger)) throw wrong('Labels are whole numbers or texts.');
  if (distinct.length > 65535) throw wrong(`${distinct.length} different labels are more than 65,535.`);
  const places = new Map(distinct.map((value, i) => [value, i]));
  const [texts] = matrix.texts;
  return {
    names: distinct.map((value) => texts?.[value] ?? String(value)),
    values: Uint16Array.from(matrix.values, (value) => places.get(value)!),
  };
}

const wrong = (sentence: string) => new UntangleError(sentence, { kind: 'call' });
