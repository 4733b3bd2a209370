/** `untangle data`: what there is, how to get the rest, what it looks like. */
import { writeFile } from 'node:fs/promises';
import { basename, extname, join } from 'node:path';
import type { BuiltIn, Dataset, Opened } from '../data/index.ts';
import { builtIn, chooseData, dataFolder, importData, isHere, lookAtTable } from '../data/index.ts';
import { toPng } from '../drawing/index.ts';
import { unknownName } from '../errors.ts';
import { datasetSheet } from '../pictures/index.ts';
import type { PlaceFlags, PreviewFlags } from './data-verbs.ts';
import { dataChoice } from './flags.ts';
import { lookPage, lookText } from './table-look.ts';
import { print, printJson, progress, say, styled, table, wrapped } from './terminal.ts';

export function listData({ dataDir, json }: PlaceFlags): void {
  const list = Object.entries(builtIn).map(([name, set]) => ({
    name,
    title: set.title,
    what: set.what,
    here: isHere(set, dataDir),
  }));
  if (json) {
    printJson({ folder: dataFolder(dataDir), datasets: list });
    return;
  }
  print(
    table([
      ['name', 'here', 'what it is'],
      ...list.map(({ name, here, what }) => [styled('bold', name), here ? 'yes' : 'no', what]),
    ]),
  );
  print(`\nThe data folder is ${dataFolder(dataDir)}. “untangle data show NAME” tells how to get what is not here.`);
  print('Your own: a folder of pictures, a .csv, .parquet, .npy or .npz; give its path in place of a name.');
}

export function showData(name: string, { dataDir, json }: PlaceFlags): void {
  const set = setOf(name);
  const { title, what, licence, get, put, parts } = set;
  const place = put === undefined ? undefined : join(dataFolder(dataDir), put);
  if (json) {
    printJson({ name, title, what, licence, get, put: place, parts, here: isHere(set, dataDir) });
    return;
  }
  print(`${styled('bold', title)} (${name})`);
  print(wrapped(what, 100));
  print(`Licence: ${licence}`);
  print(`Get it: ${get}`);
  if (place !== undefined) print(`Put it: ${place}`);
  if (set.places !== undefined) print(isHere(set, dataDir) ? 'It is here.' : 'It is not here yet.');
  if (parts !== undefined) print(`Parts: ${parts.join(', ')} (as in ${name}:part=${parts[0]})`);
}

export async function previewData(name: string, options: PreviewFlags): Promise<void> {
  const line = progress();
  const { opened, warnings } = await chooseData(name, {
    ...dataChoice(options),
    onProgress: ({ what, done, total }) => line.at(done / total, what),
  });
  line.end();
  for (const sentence of new Set([...warnings, ...setsOf(opened).flatMap(notesOf)])) say(sentence);
  const base = basename(name, extname(name)).replace(/[^\w.-]+/g, '-');
  if (setsOf(opened).every(({ shape }) => shape.kind === 'table')) {
    await previewTable(opened, options.out ?? `${base}.html`, options.json);
    return;
  }
  const sheet = datasetSheet(opened, options.items, options.seed);
  const out = options.out ?? `${base}.png`;
  await writeFile(out, toPng(sheet));
  const facts = setsOf(opened).map(({ name: set, length, shape, range, labels, factors, fingerprint }) => ({
    name: set,
    items: length,
    shape,
    range,
    labels: labels?.names,
    factors: factors?.factors,
    fingerprint,
  }));
  if (options.json) printJson({ file: out, sets: facts });
  else print(`${facts.map((one) => `${one.name}: ${one.items} items`).join('; ')}. The contact sheet is ${out}.`);
}

/** A table has no pictures: its columns are looked at. */
async function previewTable(opened: Opened, file: string, json?: boolean): Promise<void> {
  const sets = setsOf(opened).map((data) => ({ name: data.name, items: data.length, columns: lookAtTable(data) }));
  const notes = setsOf(opened).flatMap(notesOf);
  await writeFile(file, lookPage(sets.map(({ name }) => name).join(' and '), sets, [...new Set(notes)]));
  if (json) printJson({ file, sets });
  else print(`${sets.map(lookText).join('\n\n')}\n\nThe same as a page, with histograms: ${file}.`);
}

export async function importInto(name: string, path: string, { dataDir, json }: PlaceFlags): Promise<void> {
  setOf(name);
  const line = progress();
  const opened = await importData(name, path, {
    dataDir,
    onProgress: ({ what, done, total }) => line.at(done / total, what),
  });
  line.end();
  const items = setsOf(opened).reduce((sum, { length }) => sum + length, 0);
  const folder = dataFolder(dataDir);
  if (json) printJson({ name, folder, items });
  else print(`${name} is now in ${folder}: ${items} items.`);
}

/** What a folder of pictures or a table has to say about itself. */
function notesOf(data: Dataset): string[] {
  return 'notes' in data && Array.isArray(data.notes) ? data.notes.map(String) : [];
}

function setsOf(opened: Opened): Dataset[] {
  return opened.kind === 'single' ? [opened.data] : [opened.target, opened.background];
}

function setOf(name: string): BuiltIn {
  if (!Object.hasOwn(builtIn, name)) throw unknownName('dataset', name, Object.keys(builtIn));
  return builtIn[name];
}
