/**
 * `log.jsonl`: one line a log step, appended. A kill can tear the last line; opening the log again cuts it, and drops the
 * lines after the checkpoint's step, so that the log of a resumed run is that of one that was never stopped.
 */
import { createHash } from 'node:crypto';
import { closeSync, fdatasyncSync, fstatSync, ftruncateSync, openSync, readSync, statSync, writeSync } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { crc32 } from '../crc32.ts';
import { isMissing } from '../disk.ts';
import { isRecord, toJson, toNumber } from './json.ts';
import type { Listed } from './manifest.ts';

export interface LogLine {
  step: number;
  epoch: number;
  /** Seconds of training so far, those before a resume included. */
  seconds: number;
  /** Every term by name, unweighted. */
  terms: Record<string, number>;
  /** The weight of each term, and every other scheduled setting, at this step. */
  weights?: Record<string, number>;
  /** The terms on the validation part, at the steps where it was measured. */
  validation?: Record<string, number>;
}

export interface LogWriter {
  readonly path: string;
  append(line: LogLine): void;
  /** Brings what was appended to the disk; called before a checkpoint that relies on it. */
  sync(): void;
  /** The log so far, as a manifest lists it. */
  listed(): Listed;
  close(): void;
}

/**
 * Opens a run's log for appending, without torn lines and without lines after `lastStep`.
 *
 * @example const log = openLog('runs/x/log.jsonl', checkpoint.state.step)
 */
export function openLog(path: string, lastStep = Number.POSITIVE_INFINITY): LogWriter {
  const file = openSync(path, 'a+');
  const size = fstatSync(file).size;
  const kept = findLast(file, size, (line) => line.step <= lastStep)?.end ?? 0;
  if (kept < size) ftruncateSync(file, kept);
  const sum = createHash('sha256');
  for (let at = 0; at < kept; ) {
    const chunk = Buffer.alloc(Math.min(chunkSize, kept - at));
    at += readSync(file, chunk, 0, chunk.length, at);
    sum.update(chunk);
  }
  let bytes = kept;
  return {
    path,
    append: (line) => {
      const text = Buffer.from(`${withLineCheck(toJson(line))}\n`);
      sum.update(text);
      bytes += text.length;
      for (let at = 0; at < text.length; ) at += writeSync(file, text, at);
    },
    sync: () => fdatasyncSync(file),
    listed: () => ({
      bytes,
      modified: Math.round(fstatSync(file).mtimeMs),
      sha256: sum.copy().digest('hex'),
    }),
    close: () => closeSync(file),
  };
}

/** The last whole line of a log, found from its end; undefined if there is none. */
export function lastLine(path: string): LogLine | undefined {
  if (!statSync(path, { throwIfNoEntry: false })?.isFile()) return undefined;
  const file = openSync(path, 'r');
  try {
    return findLast(file, fstatSync(file).size, () => true)?.line;
  } finally {
    closeSync(file);
  }
}

/** The lines of a log; what is torn or damaged is left out. */
export async function* readLog(path: string): AsyncGenerator<LogLine> {
  for await (const { line } of linesFrom(path, 0)) if (line !== undefined) yield line;
}

/**
 * The lines of a log, and then each new one as it is written, until `signal` aborts; a log that isn't there yet is waited
 * for. A line whose step is not after the one before it tells that the run was resumed: it and what follows take the place
 * of the lines from that step on.
 */
export async function* followLog(path: string, signal: AbortSignal, pollMs = 200): AsyncGenerator<LogLine> {
  let offset = 0;
  while (!signal.aborted) {
    for await (const { line, end } of linesFrom(path, offset)) {
      offset = end;
      if (line !== undefined) yield line;
      if (signal.aborted) return;
    }
    try {
      await sleep(pollMs, undefined, { signal });
    } catch {
      return;
    }
    offset = Math.min(offset, await sizeOf(path));
  }
}

/** How many lines of a log are whole, and how many are damaged. */
export async function checkLines(path: string): Promise<{ whole: number; damaged: number }> {
  const counts = { whole: 0, damaged: 0 };
  for await (const { line } of linesFrom(path, 0)) counts[line === undefined ? 'damaged' : 'whole']++;
  return counts;
}

/** A line of JSON with the checksum of its text as its last field. */
const withLineCheck = (text: string) => `${text.slice(0, -1)},"check":"${lineCheck(text)}"}`;
const lineCheck = (text: string) => crc32(new TextEncoder().encode(text)).toString(16).padStart(8, '0');

/** A line as written by `append`; undefined if it is not one. */
export function parseLine(text: string): LogLine | undefined {
  // A line without a checksum was written before there were any.
  const checked = /,"check":"([0-9a-f]{8})"}\s*$/.exec(text);
  if (checked !== null && lineCheck(`${text.slice(0, checked.index)}}`) !== checked[1]) return undefined;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (!isRecord(value)) return undefined;
  if (checked === null && value.check !== undefined) return undefined;
  const [step, epoch, seconds] = [value.step, value.epoch, value.seconds].map(toNumber);
  const [terms, weights, validation] = [value.terms, value.weights, value.validation].map(toNumbers);
  if (step === undefined || epoch === undefined || seconds === undefined || terms === undefined) return undefined;
  return { step, epoch, seconds, terms, weights, validation };
}

const newline = 0x0a;
const chunkSize = 65_536;
/** No line that we write comes near this; a longer one is damage, and is never held in memory. */
const longestLine = 1_000_000;
/** Stands for the bytes of such a line; no JSON holds it. */
const damage = Buffer.of(0);

/** The last whole line that `accepts` takes, and the byte after its end, read backwards from the file's end. */
function findLast(file: number, size: number, accepts: (line: LogLine) => boolean) {
  // `tail` holds the bytes from `start` to `end`, the end of the line that is looked at.
  let [start, end, tail] = [size, size, Buffer.alloc(0)];
  while (end > 0) {
    const cut = tail.length < 2 ? -1 : tail.lastIndexOf(newline, tail.length - 2);
    if (cut < 0 && start > 0) {
      const chunk = Buffer.alloc(Math.min(chunkSize, start));
      start -= chunk.length;
      readSync(file, chunk, 0, chunk.length, start);
      tail = Buffer.concat([chunk, tail.length > longestLine ? damage : tail]);
      continue;
    }
    const line = tail.at(-1) === newline ? parseLine(tail.toString('utf8', cut + 1)) : undefined;
    if (line !== undefined && accepts(line)) return { line, end };
    tail = tail.subarray(0, cut + 1);
    end = start + tail.length;
  }
  return undefined;
}

/** Each ended line from a byte on, with the byte after its end; `line` is missing where it is damaged. */
async function* linesFrom(path: string, offset: number): AsyncGenerator<{ line?: LogLine; end: number }> {
  if ((await sizeOf(path)) <= offset) return;
  const file = await open(path, 'r');
  try {
    let [position, rest] = [offset, Buffer.alloc(0)];
    for (;;) {
      const { bytesRead, buffer } = await file.read(Buffer.alloc(chunkSize), 0, chunkSize, position);
      if (bytesRead === 0) return;
      let chunk = buffer.subarray(0, bytesRead);
      for (let cut = chunk.indexOf(newline); cut >= 0; cut = chunk.indexOf(newline)) {
        position += cut + 1;
        yield { line: parseLine(Buffer.concat([rest, chunk.subarray(0, cut)]).toString('utf8')), end: position };
        rest = Buffer.alloc(0);
        chunk = chunk.subarray(cut + 1);
      }
      position += chunk.length;
      rest = rest.length > longestLine ? damage : Buffer.concat([rest, chunk]);
    }
  } finally {
    await file.close();
  }
}

/** The size of a plain file; 0 for anything else, since a pipe would be waited for without end. */
async function sizeOf(path: string): Promise<number> {
  try {
    const facts = await stat(path);
    return facts.isFile() ? facts.size : 0;
  } catch (error) {
    if (isMissing(error)) return 0;
    throw error;
  }
}

function toNumbers(value: unknown): Record<string, number> | undefined {
  if (!isRecord(value)) return undefined;
  const numbers: Record<string, number> = {};
  for (const [name, part] of Object.entries(value)) {
    const number = toNumber(part);
    if (number === undefined) return undefined;
    numbers[name] = number;
  }
  return numbers;
}
