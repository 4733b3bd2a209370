/** JSON files of a run folder: numbers that JSON lacks are written readably, and what is read is checked by a schema. */
import { z } from 'zod';
import { crc32 } from '../crc32.ts';
import { readBounded, writeAtomically } from '../disk.ts';
import { UntangleError } from '../errors.ts';

/** Anything that JSON can say. */
export type Json = null | boolean | number | string | Json[] | { [name: string]: Json };

/** Any value that was parsed from JSON, the numbers that JSON lacks included. */
export const jsonSchema = z.custom<Json>((value) => value !== undefined);

/** Numbers that JSON's own spelling would lose. */
const spellings = new Map([
  ['NaN', Number.NaN],
  ['Infinity', Number.POSITIVE_INFINITY],
  ['-Infinity', Number.NEGATIVE_INFINITY],
  ['-0', -0],
]);

/**
 * JSON text in which NaN and the infinities are the strings "NaN", "Infinity" and "-Infinity".
 *
 * @example toJson({ loss: Number.NaN }) // '{"loss":"NaN"}'
 */
export function toJson(value: unknown, indent?: number): string {
  return JSON.stringify(value, (_, part: unknown) => (typeof part === 'number' ? spell(part) : part), indent);
}

const spell = (number: number) => (Object.is(number, -0) ? '-0' : Number.isFinite(number) ? number : `${number}`);

/** A number, or the spelling of one that JSON lacks. */
export function toNumber(value: unknown): number | undefined {
  if (typeof value === 'number') return value;
  return typeof value === 'string' ? spellings.get(value) : undefined;
}

/** What `toJson` wrote, with the numbers that JSON lacks. */
export function fromJson(text: string): unknown {
  return JSON.parse(text, (_, part: unknown) => toNumber(part) ?? part);
}

/** The largest JSON file that a run folder should hold; checked before one is read. */
const largest = 16_000_000;

/**
 * The JSON file at `path`, checked; undefined if there is none.
 *
 * @example await readJson('runs/x/run.json', runFileSchema)
 */
export async function readJson<T>(path: string, schema: z.ZodType<T>): Promise<T | undefined> {
  const bytes = await readBounded(path, largest);
  return bytes === undefined ? undefined : parseJson(bytes, path, schema);
}

/** A JSON file's bytes, checked; `path` names it in the error. */
export function parseJson<T>(bytes: Uint8Array, path: string, schema: z.ZodType<T>): T {
  let value: unknown;
  try {
    value = fromJson(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (cause) {
    throw new UntangleError(`“${path}” is not a JSON file.`, { cause });
  }
  return checkJson(value, path, schema);
}

/** A value that is or will be a JSON file, checked. */
export function checkJson<T>(value: unknown, path: string, schema: z.ZodType<T>): T {
  const checked = schema.safeParse(value);
  if (checked.success) return checked.data;
  const [issue] = checked.error.issues;
  const place = issue.path.length === 0 ? 'it' : `“${issue.path.join('.')}”`;
  throw new UntangleError(`“${path}” does not fit: ${place}: ${issue.message}.`, { cause: checked.error });
}

/** A value with a checksum of all that it says, under the name `check`. */
export function withCheck<T extends object>(value: T): T & { check: string } {
  return { ...value, check: checkOf(value) };
}

/** Whether a value is what was once written with its checksum; one without a checksum was written before there were any. */
export function keepsCheck(value: unknown): boolean {
  if (!isRecord(value) || value.check === undefined) return true;
  const { check, ...rest } = value;
  return check === checkOf(rest);
}

const checkOf = (value: object) =>
  crc32(new TextEncoder().encode(toJson(value)))
    .toString(16)
    .padStart(8, '0');

export async function writeJson(path: string, value: unknown) {
  await writeAtomically(path, `${toJson(value, 2)}\n`);
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
