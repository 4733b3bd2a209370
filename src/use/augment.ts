/**
 * `augment`: generated items of each class, labelled, for other tools to learn from (N-VAE, section IV-C): in memory, or pictures
 * in a folder for each class beside a `labels.csv`, or rows of a table as CSV in their own units.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, extname, join } from 'node:path';
import { decodeRows, writeCsv } from '../data/index.ts';
import { createFolder, refuseFull, replaceFolder } from '../disk.ts';
import { encodePng, rasterOf } from '../drawing/index.ts';
import { UntangleError } from '../errors.ts';
import { type ClassVariable, classVariables, type Run } from '../runs/index.ts';
import { type Decoded, decodedItems, mostNumbers } from './decode.ts';
import { type Classes, classesWith, sampleCodes } from './prior-samples.ts';
import { type TrainedModel, withModel } from './trained-model.ts';

export interface AugmentOptions {
  perClass: number;
  /** The spread of the latent, in deviations of the prior. */
  sigma?: number;
  seed?: number;
  onNote?: (sentence: string) => void;
  onProgress?: (share: number, what: string) => void;
}

/** Generated items, and for each variable the class of each item as a place in its classes. */
export interface Augmented extends Decoded {
  variables: { name: string; classes: readonly string[]; values: Uint16Array }[];
}

/**
 * Draws as many items of each class of the first variable; others take all their classes by chance.
 *
 * @example const { values, variables } = await augment('runs/n-vae-mnist-1', { perClass: 100, sigma: 1.4 })
 */
export async function augment(run: Run | string, options: AugmentOptions): Promise<Augmented> {
  return await withModel(run, async (model) => {
    const generation = generationOf(model, options);
    const { variables, items } = generation;
    if (items * model.itemSize > mostNumbers)
      throw new UntangleError(`${items} items are too many for one array; files take as many.`, { kind: 'call' });
    const values = new Float32Array(items * model.itemSize);
    const found = variables.map(({ name, classes }) => ({ name, classes, values: new Uint16Array(items) }));
    let at = 0;
    await inPieces(generation, (piece, classes) => {
      values.set(piece, at * model.itemSize);
      for (const ofItem of classes) {
        for (const [v, k] of ofItem.entries()) found[v].values[at] = k;
        at++;
      }
    });
    return { ...decodedItems(model.file, values), variables: found };
  });
}

/** Draws items into a folder of pictures, or a table, and says where and of which classes. */
export async function augmentToFiles(run: Run | string, out: string | undefined, options: AugmentOptions) {
  return await withModel(run, async (model) => {
    const generation = generationOf(model, options);
    const [{ classes, isNamed }] = generation.variables;
    const isTable = model.file.data.shape.kind === 'table';
    const path = out ?? (isTable ? 'augmented.csv' : 'augmented');
    checkOut(path, isTable);
    if (!isTable) await refuseFull(path);
    if (!isNamed)
      options.onNote?.(`${model.file.title} found its classes without labels: they are numbered, not named.`);
    if (isTable) await writeRows(path, generation);
    else await writePictures(path, generation);
    const kind = isTable ? ('table' as const) : ('pictures' as const);
    return { out: path, kind, items: generation.items, classes };
  });
}

interface Generation {
  model: TrainedModel;
  variables: readonly ClassVariable[];
  items: number;
  perClass: number;
  sigma: number;
  seed: number;
  onShare: (share: number) => void;
}

/** No more items are made at once. */
const most = 1_000_000;

/** What is drawn; a sentence where there are no classes, or too many items. */
function generationOf(model: TrainedModel, { perClass, sigma = 1, seed = 1, onProgress }: AugmentOptions): Generation {
  const { file } = model;
  const variables = classVariables(file);
  if (variables.length === 0)
    throw new UntangleError(`${file.title} has no class block, so it draws no items of a class.`, {
      kind: 'call',
      hint: 'Train a method with classes, such as n-vae, conditional-vae, cgan, ac-gan or parted-vae.',
    });
  if (file.blocks.every(({ kind }) => kind === 'categorical'))
    throw new UntangleError(`${file.title} tells classes, but draws nothing.`, { kind: 'call' });
  const count = variables[0].classes.length;
  const items = perClass * count;
  if (items > most)
    throw new UntangleError(`${perClass} items of each of ${count} classes are ${items}; the limit is ${most}.`, {
      kind: 'call',
    });
  return { model, variables, items, perClass, sigma, seed, onShare: (share) => onProgress?.(share, 'drawing') };
}

function checkOut(out: string, isTable: boolean): void {
  const ending = extname(out).toLowerCase();
  if (isTable && ending !== '.csv')
    throw new UntangleError(`The model draws rows of a table, which are written as .csv, not as “${out}”.`, {
      kind: 'call',
    });
  if (!isTable && ['.csv', '.npy', '.npz', '.png', '.jpg', '.jpeg', '.zip'].includes(ending))
    throw new UntangleError(`Pictures are written into a folder, not as “${out}”.`, { kind: 'call' });
}

/** How many items are drawn at a time. */
const atOnce = 256;

/** Draws and hands on the items, class after class. */
async function inPieces(
  { model, variables, perClass, sigma, seed, onShare }: Generation,
  take: (values: Float32Array, classes: readonly Classes[], start: number) => Promise<void> | void,
): Promise<void> {
  const count = variables[0].classes.length;
  const total = variables.reduce((sum, { classes }) => sum + classes.length, 0);
  for (let k = 0; k < count; k++)
    for (let start = 0; start < perClass; start += atOnce) {
      // The first piece of a class is drawn like its row in `untangle picture RUN samples`.
      const draw = (start / atOnce) * total + k;
      const size = Math.min(atOnce, perClass - start);
      const classes = classesWith(model, { variable: 0, class: k }, size, seed, draw);
      await take(await model.decode(sampleCodes(model, classes, sigma, seed, draw)), classes, start);
      onShare((k * perClass + start + size) / (count * perClass));
    }
}

/** A folder for each class of the first variable; further ones are columns of `labels.csv`, as numbers like any factor. */
async function writePictures(path: string, generation: Generation): Promise<void> {
  const { shape, range } = generation.model.file.data;
  if (shape.kind !== 'image') return;
  const [first, ...others] = generation.variables;
  const folders = folderNames(first.classes);
  const digits = `${generation.perClass - 1}`.length;
  await createFolder(dirname(path));
  await replaceFolder(path, async (folder) => {
    for (const name of folders) await mkdir(join(folder, name));
    const cells: (string | number)[] = [];
    await inPieces(generation, async (values, classes, start) => {
      for (const [i, [k, ...rest]] of classes.entries()) {
        const name = `${folders[k]}/${`${start + i}`.padStart(digits, '0')}.png`;
        await writeFile(join(folder, name), encodePng(rasterOf({ values, shape, range }, i)));
        cells.push(name, first.classes[k], ...rest);
      }
    });
    await writeCsv(join(folder, 'labels.csv'), ['file', 'label', ...others.map(({ name }) => name)], cells);
  });
}

async function writeRows(path: string, generation: Generation): Promise<void> {
  const { shape, transformation } = generation.model.file.data;
  if (shape.kind !== 'table') return;
  const label = transformation?.left.find(({ why }) => why === 'label')?.name ?? 'label';
  const [first, ...others] = generation.variables;
  const columns = transformation?.columns.map(({ name }) => name) ?? shape.columns;
  const cells: (string | number)[] = [];
  await inPieces(generation, (values, classes) => {
    const rows = transformation && decodeRows(transformation, values);
    for (const [i, [k, ...rest]] of classes.entries()) {
      cells.push(first.classes[k], ...rest);
      for (const [c, name] of columns.entries()) cells.push(rows ? rows[i][name] : values[i * columns.length + c]);
    }
  });
  await writeCsv(path, [label, ...others.map(({ name }) => name), ...columns], cells);
}

/**
 * Names of classes as folders that every system takes and no reader skips, each another.
 *
 * @example folderNames(['cat', 'a/b', '.hidden']) // ['cat', 'a_b', '_.hidden']
 */
export function folderNames(classes: readonly string[]): string[] {
  const taken = new Set<string>();
  return classes.map((name) => {
    const plain = name
      .replace(/[\p{Cc}\\/:*?"<>|]/gu, '_')
      .trim()
      .replace(/[. ]+$/, '')
      .slice(0, 100);
    const visible = plain === '' || /^\.|^__MACOSX$/.test(plain) ? `_${plain}` : plain;
    let free = visible;
    // Some file systems do not tell upper case from lower.
    for (let again = 2; taken.has(free.toLowerCase()); again++) free = `${visible}_${again}`;
    taken.add(free.toLowerCase());
    return free;
  });
}
