/**
 * Some lines of a log, without holding or parsing all of it: a few for a small curve, some hundreds for a large one, or those
 * after a step. Logs may have millions of lines, and one that is being written ends in a part of a line.
 */
import { type FileHandle, open, stat } from 'node:fs/promises';
import type { LogLine } from '../runs/index.ts';
import { isMissing, parseLine } from '../runs/index.ts';

/** Lines at even distances, the first and the last among them. Reads at most one piece of the log for each. */
export async function sampledLines(path: string, most: number): Promise<LogLine[]> {
  return await withLog(path, [], async (file, size) => {
    if (size <= pieceSize) {
      const lines = wholeLines(await bytesAt(file, 0, size));
      return evenly(lines.length, most).flatMap((i) => parseLine(lines[i]) ?? []);
    }
    const last = wholeLines(await bytesAt(file, size - pieceSize, pieceSize)).at(-1);
    const found: LogLine[] = [];
    for (let i = 0; i < most - 1; i++) {
      const line = await lineFrom(file, Math.floor((size * i) / (most - 1)), size);
      if (line && line.step > (found.at(-1)?.step ?? -1)) found.push(line);
    }
    const end = last === undefined ? undefined : parseLine(last);
    return end && end.step > (found.at(-1)?.step ?? -1) ? [...found, end] : found;
  });
}

/**
 * At most `most` lines of a log at even distances, the first and the last among them. Those with held-out terms are rarer, and
 * go first.
 */
export async function thinnedLog(path: string, most: number): Promise<LogLine[]> {
  return await withLog(path, [], async (file, size) => {
    const whole = size <= heldSize ? await bytesAt(file, 0, size) : undefined;
    const read = async (start: number, length: number) =>
      whole ? whole.subarray(start, start + length) : await bytesAt(file, start, length);
    const lines: LogLine[] = [];
    for (const { start, end } of thinned(await linePlaces(read, size), most)) {
      const line = parseLine((await read(start, end - start)).toString('utf8'));
      if (line) lines.push(line);
    }
    return lines;
  });
}

/** The byte from which on the lines after `step` stand, or a little before it, found by halving since steps only grow. */
export async function offsetAfter(path: string, step: number): Promise<number> {
  return await withLog(path, 0, async (file, size) => {
    let [low, high] = [0, size];
    while (high - low > pieceSize) {
      const middle = Math.floor((low + high) / 2);
      const line = await lineFrom(file, middle, size);
      if (line && line.step <= step) low = middle;
      else high = middle;
    }
    // `low` may lie inside a line; the first whole one begins after the next line end.
    return low === 0 ? 0 : low + (await bytesAt(file, low, longest)).indexOf(newline) + 1;
  });
}

/** The whole lines from a byte on, at most a piece of them, and the byte after the last. */
export async function linesAt(path: string, offset: number): Promise<{ lines: LogLine[]; end: number; size: number }> {
  return await withLog(path, { lines: [], end: 0, size: 0 }, async (file, size) => {
    // The log was cut at a checkpoint, so what comes now takes the place of lines that were there.
    const start = Math.min(offset, size);
    let bytes = await bytesAt(file, start, Math.min(pieceSize, size - start));
    if (bytes.length === pieceSize && !bytes.includes(newline)) bytes = await bytesAt(file, start, longest);
    const end = bytes.lastIndexOf(newline) + 1;
    const texts = wholeLines(bytes.subarray(0, end), true);
    const isDamage = end === 0 && bytes.length >= longest;
    return { lines: texts.flatMap((text) => parseLine(text) ?? []), end: start + (isDamage ? longest : end), size };
  });
}

const newline = 0x0a;
const pieceSize = 65_536;
/** A log up to this size is read at once; a larger one in pieces, twice. */
const heldSize = 8_000_000;
/** No line that is written comes near this. */
const longest = 1_000_000;

async function withLog<T>(path: string, none: T, work: (file: FileHandle, size: number) => Promise<T>): Promise<T> {
  try {
    // A pipe would be waited for without end.
    if (!(await stat(path)).isFile()) return none;
    const file = await open(path, 'r');
    try {
      return await work(file, (await file.stat()).size);
    } finally {
      await file.close();
    }
  } catch (error) {
    if (isMissing(error)) return none;
    throw error;
  }
}

async function bytesAt(file: FileHandle, start: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, start);
  return buffer.subarray(0, bytesRead);
}

/** Lines of some bytes, without a part of one at their end; the first is whole only where the bytes begin with it. */
function wholeLines(bytes: Buffer, isEnded = false): string[] {
  const texts = bytes.toString('utf8').split('\n');
  if (!isEnded || texts.at(-1) === '') texts.pop();
  return texts;
}

/** The first line that begins at a byte or after it. */
async function lineFrom(file: FileHandle, offset: number, size: number): Promise<LogLine | undefined> {
  for (let length = 8192; ; length *= 8) {
    const bytes = await bytesAt(file, Math.max(0, offset - 1), Math.min(length, size - offset + 1));
    const start = offset === 0 ? 0 : bytes.indexOf(newline) + 1;
    const end = bytes.indexOf(newline, start);
    if ((start > 0 || offset === 0) && end >= 0) return parseLine(bytes.toString('utf8', start, end));
    if (length > longest || length > size - offset) return undefined;
  }
}

interface Place {
  start: number;
  end: number;
  isValidated: boolean;
}

const validation = Buffer.from('"validation"');

/** Where each whole line stands. */
async function linePlaces(read: (start: number, length: number) => Promise<Buffer>, size: number): Promise<Place[]> {
  const places: Place[] = [];
  let start = 0;
  while (start < size) {
    const bytes = await read(start, Math.min(longest, size - start));
    let at = 0;
    for (let end = bytes.indexOf(newline); end >= 0; end = bytes.indexOf(newline, at)) {
      places.push({ start: start + at, end: start + end, isValidated: bytes.subarray(at, end).includes(validation) });
      at = end + 1;
    }
    if (at === 0 && bytes.length < longest) break;
    start += at === 0 ? bytes.length : at;
  }
  return places;
}

function thinned(places: readonly Place[], most: number): Place[] {
  if (places.length <= most) return [...places];
  const rare = places.flatMap(({ isValidated }, i) => (isValidated ? [i] : []));
  const kept = new Set(evenly(rare.length, Math.floor(most / 2)).map((i) => rare[i]));
  for (const i of evenly(places.length, most - kept.size)) kept.add(i);
  return [...kept].sort((a, b) => a - b).map((i) => places[i]);
}

/** At most `most` of the numbers below `count`, evenly, the first and the last among them. */
function evenly(count: number, most: number): number[] {
  if (count <= most) return Array.from({ length: count }, (_, i) => i);
  return Array.from({ length: most }, (_, i) => Math.round((i * (count - 1)) / (most - 1)));
}
