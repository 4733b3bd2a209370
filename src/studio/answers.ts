/** What the studio answers: JSON that may hold NaN, errors as a sentence with a hint, files with their type and age. */
import { type FileHandle, open, stat } from 'node:fs/promises';
import { extname } from 'node:path';
import { Readable } from 'node:stream';
import { createBrotliDecompress } from 'node:zlib';
import type { Context, TypedResponse } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { codeOf, troubleOf } from '../errno.ts';
import { UntangleError } from '../errors.ts';
import { isMissing } from '../runs/index.ts';
import { type ArrayFacts, factHeader, type Refused } from './wire.ts';

export type ErrorStatus = 400 | 403 | 404 | 409 | 413 | 500 | 503;

/** An error with the status that it is answered with. */
export class Refusal extends UntangleError {
  readonly status: ErrorStatus;

  constructor(status: ErrorStatus, message: string, hint?: string) {
    super(message, { kind: 'call', hint });
    this.status = status;
  }
}

/** JSON text, and the type of what it holds. */
export type JsonText<T> = string & { readonly holds?: T };

/** JSON in which NaN and the infinities are strings, as in a run's files. A zero comes without its sign, and as a number. */
export const jsonText = <T>(value: T) => JSON.stringify(value, spelled) as JsonText<T>;

const spelled = (_: string, part: unknown) => (typeof part === 'number' && !Number.isFinite(part) ? `${part}` : part);

/** An answer whose type the pages know. */
type Typed<T, Status extends ContentfulStatusCode> = Response & TypedResponse<T, Status, 'json'>;

export function json<T, Status extends ContentfulStatusCode = 200>(c: Context, value: T, status?: Status) {
  return jsonAnswer(c, jsonText(value), status);
}

/** The same for a value that is JSON already. */
export function jsonAnswer<T, Status extends ContentfulStatusCode = 200>(
  c: Context,
  text: JsonText<T>,
  status?: Status,
): Typed<T, Status> {
  const answer: Response = c.body(text, status ?? 200, { 'content-type': jsonType });
  // The type of the text is for the pages alone: there is nothing of it in the answer.
  return answer as Typed<T, Status>;
}

const jsonType = 'application/json; charset=utf-8';

export function refused(c: Context, status: ErrorStatus, error: string, hint?: string) {
  const said: Refused = { error, hint };
  return json(c, said, status);
}

/** Whatever went wrong, as an answer; what nobody foresaw is not shown beyond its message. */
export function failed(c: Context, error: unknown): Response {
  if (error instanceof Refusal) return refused(c, error.status, error.message, error.hint);
  if (error instanceof UntangleError) return refused(c, error.kind === 'call' ? 400 : 500, error.message, error.hint);
  if (isMissing(error)) return refused(c, 404, 'There is no such thing.');
  if (codeOf(error) === 'ENAMETOOLONG') return refused(c, 400, 'That name is too long.');
  const trouble = troubleOf(error);
  if (trouble !== undefined) return refused(c, 500, trouble.message, trouble.hint);
  const message = error instanceof Error ? error.message : String(error);
  return refused(c, 500, `Something went wrong that should not have: ${message}`);
}

/** Numbers as bytes, little-endian as every machine that runs this is. */
export function floats(c: Context, values: Float32Array, { items, total, size, step }: ArrayFacts) {
  const bytes = new Uint8Array(values.buffer, values.byteOffset, values.byteLength).slice();
  return c.body(bytes, 200, {
    'content-type': 'application/octet-stream',
    [factHeader('items')]: `${items}`,
    [factHeader('total')]: `${total}`,
    [factHeader('size')]: `${size}`,
    ...(step !== undefined && { [factHeader('step')]: `${step}` }),
  });
}

const types: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': jsonType,
  '.map': jsonType,
  '.wasm': 'application/wasm',
  '.onnx': 'application/octet-stream',
  '.png': 'image/png',
  '.gif': 'image/gif',
  '.svg': 'image/svg+xml',
  '.ico': 'image/x-icon',
  '.webmanifest': 'application/manifest+json',
  '.txt': 'text/plain; charset=utf-8',
};

const typeOf = (path: string): string => types[extname(path).toLowerCase()] ?? 'application/octet-stream';

type Headers = Record<string, string>;

/** A plain file, streamed; one that the browser has already is not sent again. Undefined if there is none. */
export async function fileAnswer(c: Context, path: string, more: Headers = {}): Promise<Response | undefined> {
  const file = await openPlain(path);
  if (file === undefined) return undefined;
  const { size, mtimeMs } = await file.stat();
  const etag = `"${size.toString(36)}-${Math.round(mtimeMs * 1000).toString(36)}"`;
  const headers = { 'content-type': typeOf(path), 'cache-control': 'no-cache', etag, ...more };
  const isKnown = c.req.header('if-none-match') === etag;
  if (isKnown || c.req.method === 'HEAD' || size === 0) {
    await file.close();
    return isKnown ? c.body(null, 304, headers) : c.body(null, 200, { ...headers, 'content-length': `${size}` });
  }
  return c.body(webStream(file.createReadStream({ end: size - 1 })), 200, { ...headers, 'content-length': `${size}` });
}

/** The file whose packed form stands in its place as `PATH.br`: sent so to who takes it, unpacked on the way to others. */
export async function packedAnswer(c: Context, path: string, more: Headers = {}): Promise<Response | undefined> {
  const headers = { ...more, 'content-type': typeOf(path), vary: 'accept-encoding' };
  if (/\bbr\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))/.test(c.req.header('accept-encoding') ?? ''))
    return await fileAnswer(c, `${path}.br`, { ...headers, 'content-encoding': 'br' });
  const file = await openPlain(`${path}.br`);
  return file && c.body(webStream(file.createReadStream().pipe(createBrotliDecompress())), 200, headers);
}

/** Node's stream and the web's are the same thing under two type names. */
const webStream = (stream: Readable) => Readable.toWeb(stream) as ReadableStream;

/** A plain file that can be read, held open so that it stays the same; a pipe or a device would be waited for without end. */
async function openPlain(path: string): Promise<FileHandle | undefined> {
  try {
    return (await stat(path)).isFile() ? await open(path, 'r') : undefined;
  } catch (error) {
    if (isMissing(error) || codeOf(error) === 'EACCES') return undefined;
    throw error;
  }
}
