/** Opens data by a name or a path: `mnist`, `mnist:size=32`, `./faces`, `mice.csv`, `scans.npz`. */
import { existsSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { UntangleError, unknownName } from '../errors.ts';
import { type ArrayOptions, openArrays } from './arrays.ts';
import type { Dataset, Opened } from './dataset.ts';
import { arrayEndings, isArrayFile } from './formats/array-table.ts';
import { type H5adOptions, isH5ad, openH5ad } from './h5ad.ts';
import { openImageFolder } from './images/image-folder.ts';
import type { PictureFileOptions } from './images/picture-files.ts';
import { greyed, ranged, resized } from './images/views.ts';
import type { OpenOptions } from './sets/built-in.ts';
import { builtIn } from './sets/registry.ts';
import { isTableFile, tableEndings } from './tables/read-table.ts';
import { openTable } from './tables/table.ts';

export interface DataOptions extends OpenOptions, PictureFileOptions, ArrayOptions, H5adOptions {}

/**
 * Opens a registered set, a folder of pictures, a table or an array file. Options behind a colon go before those in `options`.
 *
 * @example await openData('mnist:size=32')
 * @example await openData('faces', { size: 64, crop: true, skipBad: true })
 */
export async function openData(spec: string, options: DataOptions = {}): Promise<Opened> {
  const { name, given } = parseSpec(spec);
  const all = checkOptions({ ...options, ...given });
  const set = Object.hasOwn(builtIn, name) ? builtIn[name] : undefined;
  if (!set) return { kind: 'single', data: await openPath(name, all) };
  if (all.part !== undefined && !set.parts?.includes(all.part)) {
    if (set.parts) throw unknownName(`part of ${name}`, all.part, set.parts);
    throw new UntangleError(`${name} has no parts, and so no “${all.part}”.`, { kind: 'call' });
  }
  const opened = await set.open(all);
  if (opened.kind === 'single') return { kind: 'single', data: framed(opened.data, all) };
  return { kind: 'contrast', target: framed(opened.target, all), background: framed(opened.background, all) };
}

/** The same data named so that it is found from any folder: paths are made absolute, names of registered sets stay. */
export function settledSpec(spec: string): string {
  const { name } = parseSpec(spec);
  return Object.hasOwn(builtIn, name) ? spec : resolve(name) + spec.slice(name.length);
}

/** The names of all registered sets. */
export function datasetNames(): string[] {
  return Object.keys(builtIn);
}

async function openPath(path: string, options: DataOptions) {
  if (!existsSync(path)) {
    if (!/[/\\.]/.test(path)) throw unknownName('dataset', path, datasetNames());
    throw new UntangleError(`There is no file or folder ${path}.`, {
      kind: 'call',
      hint: 'Was it moved, or is it seen from another folder? “untangle data list” shows the sets that have names.',
    });
  }
  if (statSync(path).isDirectory()) return openImageFolder(path, options);
  if (isTableFile(path)) return openTable(path, options);
  if (isH5ad(path)) return openH5ad(path, options);
  if (isArrayFile(path)) return framed(await openArrays(path, options), options);
  throw new UntangleError(`${path} is of a kind that is not read as data.`, {
    kind: 'call',
    hint: `Give a folder of pictures, or a file that ends in ${[...tableEndings, ...arrayEndings, 'h5ad', 'idx3-ubyte.gz'].join(', ')}.`,
  });
}

/** Brings images to the size, colour and range that were asked for, where the set itself did not. */
function framed(data: Dataset, { size, grey, range }: OpenOptions): Dataset {
  const sized = size === undefined ? data : resized(data, size);
  const coloured = grey ? greyed(sized) : sized;
  return range === undefined ? coloured : ranged(coloured, range);
}

const readers = {
  size: (text: string) => Number(text),
  seed: (text: string) => Number(text),
  crop: (text: string) => (text === '' || text === 'true' ? true : Number(text)),
  grey: (text: string) => ['', 'true', 'yes', '1'].includes(text),
  part: (text: string) => text,
  range: (text: string) => text,
  array: (text: string) => text,
  label: (text: string) => text,
};

/** Parts a name or path from the options behind its last colon; a colon inside an existing path is left alone. */
function parseSpec(spec: string): { name: string; given: DataOptions } {
  const colon = spec.lastIndexOf(':');
  if (colon < 1 || existsSync(spec) || /[/\\]/.test(spec.slice(colon))) return { name: spec, given: {} };
  const name = spec.slice(0, colon);
  const given: Record<string, unknown> = {};
  for (const item of spec.slice(colon + 1).split(',')) {
    const [key, ...rest] = item.split('=');
    if (!isKey(key)) throw unknownName(`option of ${name}`, key, Object.keys(readers));
    given[key] = readers[key](rest.join('='));
  }
  return { name, given };
}

function isKey(key: string): key is keyof typeof readers {
  return Object.hasOwn(readers, key);
}

const ranges = ['unit', 'symmetric'];

function checkOptions(options: DataOptions): DataOptions {
  const { size, seed, range } = options;
  if (range !== undefined && !ranges.includes(range)) throw unknownName('range', range, ranges);
  if (size !== undefined && !(Number.isInteger(size) && size >= 1 && size <= 4096)) {
    throw new UntangleError(`The size ${size} is not a whole number of pixels from 1 to 4096.`, { kind: 'call' });
  }
  if (seed !== undefined && !(Number.isSafeInteger(seed) && seed >= 0)) {
    throw new UntangleError(`The seed ${seed} is not a whole number from 0 on.`, { kind: 'call' });
  }
  return options;
}
