/** `untangle encode`: the codes of data, in arrays that `untangle score` and other programs read. */
import { extname } from 'node:path';
import type { NumberArray } from '../data/index.ts';
import { type Dataset, writeNpy, writeNpz, writeWhole } from '../data/index.ts';
import { UntangleError } from '../errors.ts';
import { classVariables, findRun, type ModelFile } from '../runs/index.ts';
import { type Chosen, dataForModel, type Part, TrainedModel } from '../use/index.ts';
import { type DataFlags, dataChoice } from './data-flags.ts';
import { print, printJson, progress, say } from './terminal.ts';

export interface EncodeFlags extends DataFlags {
  out: string;
  part?: Part;
  json?: boolean;
}

/** Numbers or texts in rows, with a name for each column. */
interface Columns {
  shape: number[];
  data: NumberArray | readonly string[];
  columns: string[];
}

export async function encode(meant: string, spec: string | undefined, flags: EncodeFlags): Promise<void> {
  const { out, part, json, ...rest } = flags;
  const ending = extname(out).toLowerCase();
  if (!['.npz', '.npy', '.csv'].includes(ending))
    throw new UntangleError(`Codes are written as .npz, .npy or .csv, not as “${out}”.`, { kind: 'call' });
  const run = await findRun(meant);
  const model = await TrainedModel.open(run.folder);
  const line = progress(2000);
  try {
    if (!model.file.encodes)
      throw new UntangleError(`${model.file.title} has no encoder: it can only decode.`, { kind: 'call' });
    const choice = { ...dataChoice(rest), onProgress: atShare(line) };
    const { target, background } = await dataForModel(run, model.file, { spec, choice, part, onNote: say });
    const total = target.items.length + (background?.items.length ?? 0);
    let before = 0;
    const onItems = (done: number) => line.at((before + done) / total, 'encoding');
    const arrays = await codesOf(model, target, onItems);
    before = target.items.length;
    if (background) {
      const { codes } = await codesOf(model, background, onItems);
      arrays.background = codes;
    }
    Object.assign(arrays, knownOf(target));
    line.end();
    const files = await writeArrays(out, ending, arrays, model.file);
    report(files, arrays, model.file, target, json);
  } finally {
    line.end();
    await model.close();
  }
}

/** How many items are held at once, so that a set larger than the memory can be encoded. */
const atOnce = 1024;

/** The codes of items: each block by its name with its log variance, and all side by side as `codes` and `logVariance`. */
async function codesOf(
  model: TrainedModel,
  { data, items }: Chosen,
  onItems: (done: number) => void,
): Promise<Record<string, Columns>> {
  const { blocks } = model.file;
  const n = items.length;
  const width = blocks.reduce((sum, { size }) => sum + size, 0);
  const codes = new Float32Array(n * width);
  const logVariance = blocks.every(({ kind }) => kind === 'gaussian') ? new Float32Array(n * width) : undefined;
  const each = blocks.map(({ size, kind }) => ({
    values: new Float32Array(n * size),
    ...(kind === 'gaussian' && { logVariance: new Float32Array(n * size) }),
  }));
  for (let start = 0; start < n; start += atOnce) {
    const batch = items.subarray(start, start + atOnce);
    let column = 0;
    for (const [k, found] of (await model.encode(data.gather(batch))).entries()) {
      const { size } = found.block;
      each[k].values.set(found.values, start * size);
      if (found.logVariance) each[k].logVariance?.set(found.logVariance, start * size);
      for (let i = 0; i < found.values.length; i++) {
        const at = (start + Math.floor(i / size)) * width + column + (i % size);
        codes[at] = found.values[i];
        if (logVariance && found.logVariance) logVariance[at] = found.logVariance[i];
      }
      column += size;
    }
    onItems(start + batch.length);
  }
  const arrays: Record<string, Columns> = {};
  const all = blocks.flatMap(({ name, size }) => columnNames(name, size));
  arrays.codes = { shape: [n, width], data: codes, columns: all };
  if (logVariance) arrays.logVariance = { shape: [n, width], data: logVariance, columns: all };
  for (const [k, { name, size }] of blocks.entries()) {
    const { values, logVariance: spread } = each[k];
    arrays[name] = { shape: [n, size], data: values, columns: columnNames(name, size) };
    if (spread) arrays[`${name} log variance`] = { shape: [n, size], data: spread, columns: columnNames(name, size) };
  }
  return arrays;
}

/** @example columnNames('z', 2) // ['z_0', 'z_1'] */
export function columnNames(block: string, size: number): string[] {
  return Array.from({ length: size }, (_, i) => `${block}_${i}`);
}

/** Which items they are, and their labels and factors where these are known. */
function knownOf({ data, items }: Chosen): Record<string, Columns> {
  const { labels, factors }: Pick<Dataset, 'labels' | 'factors'> = data;
  const n = items.length;
  const known: Record<string, Columns> = { items: { shape: [n], data: items, columns: ['item'] } };
  if (labels)
    known.labels = {
      shape: [n],
      data: Array.from(items, (item) => labels.names[labels.values[item]]),
      columns: ['label'],
    };
  if (factors) {
    const width = factors.factors.length;
    const values = new Float32Array(n * width);
    for (const [i, item] of items.entries())
      values.set(factors.values.subarray(item * width, (item + 1) * width), i * width);
    known.factors = { shape: [n, width], data: values, columns: factors.factors.map(({ name }) => name) };
  }
  return known;
}

/** Files that hold one array alone come in several: the codes, and beside them what else `untangle score` takes. */
const besideCodes: Record<string, string> = {
  logVariance: 'log-variance',
  labels: 'labels',
  factors: 'factors',
  background: 'background',
};

async function writeArrays(
  out: string,
  ending: string,
  arrays: Readonly<Record<string, Columns>>,
  file: ModelFile,
): Promise<Record<string, string>> {
  if (ending === '.npz') {
    const names = arrays.factors && {
      'factor names': { shape: [arrays.factors.columns.length], data: arrays.factors.columns },
    };
    const classes = classVariables(file).map(({ block, classes: called }) => [
      `${block.name} classes`,
      { shape: [called.length], data: called },
    ]);
    // A block that is called like one of the arrays would hide it.
    const clash = file.blocks.find(({ name }) => ['codes', 'items', ...Object.keys(besideCodes)].includes(name));
    if (clash) throw new UntangleError(`The block “${clash.name}” has the name of another array in ${out}.`);
    await writeNpz(out, { ...arrays, ...names, ...Object.fromEntries(classes) });
    return { codes: out };
  }
  const files: Record<string, string> = { codes: out };
  for (const [name, suffix] of Object.entries(besideCodes))
    if (arrays[name]) files[name] = `${out.slice(0, -ending.length)}.${suffix}${ending}`;
  for (const [name, path] of Object.entries(files)) {
    const { shape, data, columns } = arrays[name];
    if (ending === '.npy') await writeNpy(path, shape, data);
    else await writeCsv(path, columns, data);
  }
  return files;
}

/** Writes rows of values under a header; numbers with the nine digits that tell floats apart. */
export async function writeCsv(
  path: string,
  columns: readonly string[],
  values: ArrayLike<number | string>,
): Promise<void> {
  const cell = (value: number | string) =>
    typeof value === 'number' ? `${Number(value.toPrecision(9))}` : quoted(value);
  const width = columns.length;
  await writeWhole(path, async (write) => {
    await write(Buffer.from(`${columns.map(quoted).join(',')}\n`));
    const rows = values.length / width;
    for (let start = 0; start < rows; start += 4096) {
      let text = '';
      for (let row = start; row < Math.min(rows, start + 4096); row++) {
        for (let k = 0; k < width; k++) text += `${k === 0 ? '' : ','}${cell(values[row * width + k])}`;
        text += '\n';
      }
      await write(Buffer.from(text));
    }
  });
}

const quoted = (text: string) => (/[",\n\r]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

function report(
  files: Record<string, string>,
  arrays: Readonly<Record<string, Columns>>,
  file: ModelFile,
  { data }: Chosen,
  json: boolean | undefined,
): void {
  const [items, dimensions] = arrays.codes.shape;
  if (json) {
    printJson({
      files,
      data: data.name,
      items,
      dimensions,
      blocks: file.blocks.map((block) => {
        const { name, size, role } = block;
        const classes = classVariables(file).find((variable) => variable.block === block)?.classes;
        return { name, size, role, ...(classes && { classes }) };
      }),
    });
    return;
  }
  print(`The codes of ${items} items of ${data.name}, ${dimensions} numbers each, are in ${files.codes}.`);
  const flags = Object.entries(files).map(
    ([name, path]) => `--${name === 'logVariance' ? 'log-variance' : name} ${path}`,
  );
  say(`Measure them:  untangle score ${flags.join(' ')}`);
}

function atShare(line: ReturnType<typeof progress>) {
  return ({ what, done, total }: { what: string; done: number; total: number }) => line.at(done / total, what);
}
