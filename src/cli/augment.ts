/**
 * `untangle augment`: generated items of each class, labelled, for other tools to learn from (N-VAE, section IV-C). Pictures go
 * into a folder for each class beside a `labels.csv`; rows of a table into a CSV in their own units.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, extname, join } from 'node:path';
import { decodeRows, writeCsv } from '../data/index.ts';
import { refuseFull } from '../disk.ts';
import { encodePng, rasterOf } from '../drawing/index.ts';
import { UntangleError } from '../errors.ts';
import type { Classes } from '../pictures/index.ts';
import { classesWith, sampleCodes } from '../pictures/index.ts';
import { type ClassVariable, classVariables, createFolder, findRun, replaceFolder } from '../runs/index.ts';
import { TrainedModel } from '../use/index.ts';
import { positiveNumber, wholeNumber } from './numbers.ts';
import { print, printJson, progress, say } from './terminal.ts';

interface Flags {
  perClass: string;
  sigma: string;
  seed: string;
  out?: string;
  json?: boolean;
}

interface Drawing {
  model: TrainedModel;
  variables: readonly ClassVariable[];
  perClass: number;
  sigma: number;
  seed: number;
  onShare: (share: number) => void;
}

export async function augment(meant: string, flags: Flags): Promise<void> {
  const perClass = wholeNumber('--per-class', flags.perClass, 1, most);
  const sigma = positiveNumber('--sigma', flags.sigma);
  const seed = wholeNumber('--seed', flags.seed);
  const run = await findRun(meant);
  const model = await TrainedModel.open(run.folder);
  const line = progress(1000);
  try {
    const variables = drawnVariables(model);
    const isTable = model.file.data.shape.kind === 'table';
    const out = flags.out ?? (isTable ? 'augmented.csv' : 'augmented');
    checkOut(out, isTable);
    const [{ classes, isNamed }] = variables;
    const items = perClass * classes.length;
    if (items > most)
      throw new UntangleError(
        `${perClass} items of each of ${classes.length} classes are ${items}; the limit is ${most}.`,
        {
          kind: 'call',
        },
      );
    if (!isTable) await refuseFull(out);
    if (!isNamed) say(`${model.file.title} found its classes without labels: they are numbered, not named.`);
    const drawing: Drawing = { model, variables, perClass, sigma, seed, onShare: (share) => line.at(share, 'drawing') };
    if (isTable) await writeRows(out, drawing);
    else await writePictures(out, drawing);
    line.end();
    if (flags.json) printJson({ out, items, perClass, classes, sigma, seed });
    else {
      const what = isTable ? 'rows' : 'pictures';
      print(`${perClass} ${what} of each of ${classes.length} classes, ${items} in all, are in ${out}.`);
    }
  } finally {
    line.end();
    await model.close();
  }
}

/** No more items are made at once. */
const most = 1_000_000;

/** The variables whose classes can be drawn; a sentence where there are none. */
function drawnVariables({ file }: TrainedModel): ClassVariable[] {
  const variables = classVariables(file);
  if (variables.length === 0)
    throw new UntangleError(`${file.title} has no class block, so it draws no items of a class.`, {
      kind: 'call',
      hint: 'Train a method with classes, such as n-vae, conditional-vae, cgan, ac-gan or parted-vae.',
    });
  if (file.blocks.every(({ kind }) => kind === 'categorical'))
    throw new UntangleError(`${file.title} tells classes, but draws nothing.`, { kind: 'call' });
  return variables;
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

/** Draws the items of each class of the first variable; others take all their classes by chance. */
async function inPieces(
  { model, variables, perClass, sigma, seed, onShare }: Drawing,
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
async function writePictures(path: string, drawing: Drawing): Promise<void> {
  const { shape, range } = drawing.model.file.data;
  if (shape.kind !== 'image') return;
  const [first, ...others] = drawing.variables;
  const folders = folderNames(first.classes);
  const digits = `${drawing.perClass - 1}`.length;
  await createFolder(dirname(path));
  await replaceFolder(path, async (folder) => {
    for (const name of folders) await mkdir(join(folder, name));
    const cells: (string | number)[] = [];
    await inPieces(drawing, async (values, classes, start) => {
      for (const [i, [k, ...rest]] of classes.entries()) {
        const name = `${folders[k]}/${`${start + i}`.padStart(digits, '0')}.png`;
        await writeFile(join(folder, name), encodePng(rasterOf({ values, shape, range }, i)));
        cells.push(name, first.classes[k], ...rest);
      }
    });
    await writeCsv(join(folder, 'labels.csv'), ['file', 'label', ...others.map(({ name }) => name)], cells);
  });
}

async function writeRows(path: string, drawing: Drawing): Promise<void> {
  const { shape, transformation } = drawing.model.file.data;
  if (shape.kind !== 'table') return;
  const label = transformation?.left.find(({ why }) => why === 'label')?.name ?? 'label';
  const [first, ...others] = drawing.variables;
  const columns = transformation?.columns.map(({ name }) => name) ?? shape.columns;
  const cells: (string | number)[] = [];
  await inPieces(drawing, (values, classes) => {
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
