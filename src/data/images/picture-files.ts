/**
 * A list of picture files as one set: each is decoded, brought to one shape, and kept packed, so that the next opening
 * decodes nothing. Pictures that can't be read or do not fit are named and counted.
 */
import { createHash } from 'node:crypto';
import { closeSync, openSync, readFileSync, readSync, statSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { z } from 'zod';
import type { Write } from '../../disk.ts';
import { UntangleError } from '../../errors.ts';
import type { Factors, ImageShape, Labels, ValueRange } from '../../model/index.ts';
import { type Dataset, fingerprint } from '../dataset.ts';
import { decodeImage, readImageHeader } from '../formats/image-file.ts';
import { badPicture, type PictureHeader } from '../formats/picture.ts';
import type { DataProgress } from '../sets/built-in.ts';
import { type Box, checkFraming, commonShape, type Framing, framed, misfit } from './framing.ts';
import { oddities } from './oddities.ts';
import { checkRoom, type Packed, packPictures } from './packed.ts';

export interface PictureFile {
  path: string;
  /** What messages call it. */
  name: string;
  /** The part of the picture that is meant, where it is not the whole. */
  box?: Box;
}

export interface PictureFileOptions extends Framing {
  /** Goes on without the pictures that can't be read or do not fit. */
  skipBad?: boolean;
  dataDir?: string;
  onProgress?: (progress: DataProgress) => void;
}

/** A picture that was left out, and why. */
export interface BadPicture {
  name: string;
  why: string;
}

export interface PictureSet {
  shape: ImageShape;
  length: number;
  gather: Packed<unknown>['gather'];
  /** A hash of the files' bytes and of how they are framed. */
  fingerprint: string;
  /** Which of the files are in the set, in its order. */
  kept: Uint32Array;
  bad: BadPicture[];
  /** What is odd about pictures that are in the set, in sentences. */
  notes: string[];
}

/** What is kept beside the packed pictures. */
const noteSchema = z.object({
  shape: z.object({ kind: z.literal('image'), channels: z.int(), height: z.int(), width: z.int() }),
  fingerprint: z.string(),
  bad: z.array(z.object({ index: z.int(), name: z.string(), why: z.string() })),
  notes: z.array(z.string()).default([]),
});

/** A larger file is no picture that belongs into a set. */
const mostBytes = 2 ** 28;

/**
 * Opens the files as one set, which messages call `title`. What is prepared from one folder (or of one named set) under a
 * title and framing takes the place of what was prepared before, should its files have changed.
 */
export async function openPictureFiles(
  title: string,
  from: string,
  files: readonly PictureFile[],
  options: PictureFileOptions = {},
): Promise<PictureSet> {
  const framing = checkFraming(options);
  const list = files.map(({ path, name, box }) => {
    const state = statSync(path, { throwIfNoEntry: false });
    return JSON.stringify([name, box, state?.size, state?.mtimeMs]);
  });
  const settings = JSON.stringify([framing, options.skipBad === true]);
  const packed = await packPictures({
    name: `${title.slice(0, 40)}-${fingerprint(from, settings).slice(0, 12)}`,
    key: fingerprint('pictures 1', settings, list.join('')),
    dataDir: options.dataDir,
    note: noteSchema,
    build: (write) => pack(title, files, framing, options, write),
  });
  const { shape, fingerprint: hash, bad, notes } = packed.note;
  const left = new Set(bad.map(({ index }) => index));
  return {
    shape,
    length: packed.length,
    gather: packed.gather,
    fingerprint: hash,
    kept: Uint32Array.from(files.keys()).filter((index) => !left.has(index)),
    bad: bad.map(({ name, why }) => ({ name, why })),
    notes,
  };
}

/** The dataset of a picture set; its fingerprint covers labels and factors too. */
export function pictureDataset(
  set: PictureSet,
  known: {
    name: string;
    title: string;
    range?: ValueRange;
    labels?: Labels;
    factors?: Factors;
    split?: Dataset['split'];
  },
): Dataset {
  const { labels, factors, range = 'unit' } = known;
  return {
    ...known,
    range,
    shape: set.shape,
    length: set.length,
    gather: set.gather,
    fingerprint: fingerprint(
      set.fingerprint,
      JSON.stringify([range, labels?.names, factors?.factors]),
      labels?.values ?? '',
      factors?.values ?? '',
    ),
  };
}

/** Headers first, which tell the common shape and most of what is wrong; then every picture in its turn. */
async function pack(
  title: string,
  files: readonly PictureFile[],
  framing: Framing,
  options: PictureFileOptions,
  write: Write,
): Promise<z.infer<typeof noteSchema>> {
  const bad = new Map<number, string>();
  const report = reporter(files.length, options.onProgress);
  const headers = await inOrder(files, 16, async (file, i) => {
    report('Looking at pictures', i + 1);
    return readHeader(file).catch((error) => void bad.set(i, reason(error, file.name)));
  });
  const shape = commonShape(
    headers.filter((header) => header !== undefined),
    framing,
  );
  for (const [i, header] of headers.entries()) {
    const why = header && shape && misfit(header, shape, framing);
    if (why) bad.set(i, why);
  }
  refuse(title, files, bad, options);
  if (shape === undefined) throw noneLeft(title, bad);

  await checkRoom(files.length * shape.channels * shape.height * shape.width, options.dataDir);
  const contents = createHash('sha256');
  const waiting: Uint8Array[] = [];
  const pixels = headers.reduce((most, header) => Math.max(most, header ? header.width * header.height : 1), 1);
  const atOnce = Math.max(1, Math.min(16, Math.floor(2 ** 25 / pixels)));
  await inOrder(
    files,
    atOnce,
    async (file, i) => {
      if (bad.has(i)) return undefined;
      try {
        const bytes = readFileSync(file.path);
        return { bytes, framed: framed(await decodeImage(bytes, file.name), shape, framing, file.box) };
      } catch (error) {
        bad.set(i, reason(error, file.name));
        return undefined;
      }
    },
    async (decoded, i) => {
      report('Decoding pictures', i + 1);
      if (!decoded) return;
      contents.update(createHash('sha256').update(decoded.bytes).digest());
      contents.update(JSON.stringify(files[i].box ?? null));
      waiting.push(decoded.framed);
      if (waiting.length * decoded.framed.length >= 2 ** 20) await write(Buffer.concat(waiting.splice(0)));
    },
  );
  await write(Buffer.concat(waiting));
  refuse(title, files, bad, options);
  if (bad.size === files.length) throw noneLeft(title, bad);
  return {
    shape,
    fingerprint: fingerprint('pictures', JSON.stringify([shape, framing]), contents.digest()),
    bad: [...bad].toSorted(([a], [b]) => a - b).map(([index, why]) => ({ index, name: files[index].name, why })),
    notes: await oddities(
      files.map(({ name }, i) => ({ name, header: bad.has(i) ? undefined : headers[i] })),
      shape,
    ),
  };
}

/**
 * The header, from the file's beginning if that is enough. Small files are read at once rather than in the background, which
 * takes a fraction of the time.
 */
async function readHeader({ path, name }: PictureFile): Promise<PictureHeader> {
  const size = statSync(path, { throwIfNoEntry: false })?.size;
  if (size === undefined) throw badPicture(name, 'it is not there');
  if (size === 0) throw badPicture(name, 'it is empty');
  if (size > mostBytes) throw badPicture(name, `it has ${size} bytes, and ${mostBytes} are allowed`);
  const head = new Uint8Array(Math.min(size, 65536));
  let file: number | undefined;
  try {
    file = openSync(path, 'r');
    readSync(file, head);
  } catch (cause) {
    throw badPicture(name, cause instanceof Error ? cause.message : 'it is not readable', cause);
  } finally {
    if (file !== undefined) closeSync(file);
  }
  try {
    return await readImageHeader(head, name);
  } catch (error) {
    if (head.length === size) throw error;
    return await readImageHeader(readFileSync(path), name);
  }
}

/** The error that names and counts what is bad, unless that is to be skipped. */
function refuse(
  title: string,
  files: readonly PictureFile[],
  bad: Map<number, string>,
  options: PictureFileOptions,
): void {
  if (bad.size === 0 || options.skipBad) return;
  const first = [...bad].toSorted(([a], [b]) => a - b).slice(0, 5);
  const named = first.map(([index, why]) => `${files[index].name} (${why})`).join('; ');
  const more = bad.size > first.length ? `; and ${bad.size - first.length} more` : '';
  const sizes = [...bad.values()].some((why) => why.includes('where most are'));
  throw new UntangleError(`${bad.size} of the ${files.length} pictures in ${title} can't be used: ${named}${more}.`, {
    hint: sizes
      ? `--size 64 --crop brings all to one size, and stretches nothing. (--skip-bad would leave ${files.length - bad.size} of ${files.length}.)`
      : '--skip-bad goes on without them.',
  });
}

function noneLeft(title: string, bad: Map<number, string>): UntangleError {
  const [why] = bad.values();
  return new UntangleError(`None of the ${bad.size} pictures in ${title} can be used; the first: ${why}.`);
}

/** Why a picture is bad, without its name and the full stop. */
function reason(error: unknown, name: string): string {
  if (!(error instanceof UntangleError)) throw error;
  return error.message
    .replace(`${name} can't be read as a picture: `, '')
    .replace(`${name} is`, 'it is')
    .replace(/\.$/, '');
}

/** Calls the listener at most every tenth of a second, and at the end. */
function reporter(total: number, onProgress: PictureFileOptions['onProgress']) {
  let last = 0;
  return (what: string, done: number) => {
    const now = Date.now();
    if (now - last < 100 && done < total) return;
    last = now;
    onProgress?.({ what, done, total });
  };
}

/** Runs `work` on the items, up to `atOnce` at a time, and `then` on the results in the order of the items. */
async function inOrder<Item, Result>(
  items: readonly Item[],
  atOnce: number,
  work: (item: Item, index: number) => Promise<Result>,
  then?: (result: Result, index: number) => Promise<void>,
): Promise<Result[]> {
  const results: Result[] = [];
  const running: Promise<Result>[] = [];
  for (let started = 0, done = 0; done < items.length; done++) {
    while (started < items.length && started < done + atOnce) {
      const promise = work(items[started], started);
      // A failure is thrown where its turn comes; until then it must not count as unhandled.
      promise.catch(() => {});
      running.push(promise);
      started++;
    }
    const next = running.shift();
    if (next === undefined) break;
    // Lets signals and timers have their turn.
    if (done % 64 === 0) await setImmediate();
    const result = await next;
    if (then) await then(result, done);
    else results.push(result);
  }
  return results;
}
