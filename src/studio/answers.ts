/** What the studio answers: JSON that may hold NaN, errors as a sentence with a hint, files with their type and age. */
import { type FileHandle, open, stat } from 'node:fs/promises';
import { extname } from 'node:path';
import { Readable } from 'node:stream';
import type { Context } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { UntangleError } from '../errors.ts';
import { codeOf, isMissing, toJson } from '../runs/index.ts';

export type Status = 400 | 403 | 404 | 409 | 413 | 500 | 503;

/** An error with the status that it is answered with. */
export class Refusal extends UntangleError {
  readonly status: Status;

  constructor(status: Status, message: string, hint?: string) {
    super(message, { kind: 'call', ...(hint !== undefined && { hint }) });
    this.status = status;
  }
}

/** JSON in which NaN and the infinities are strings, as in a run's files. */
export function json(c: Context, value: unknown, status: ContentfulStatusCode = 200): Response {
  return c.body(toJson(value), status, { 'content-type': jsonType });
}

export const jsonType = 'application/json; charset=utf-8';

export function refused(c: Context, status: Status, error: string, hint?: string): Response {
  return json(c, { error, ...(hint !== undefined && { hint }) }, status);
}

/** Whatever went wrong, as an answer; what nobody foresaw is not shown beyond its message. */
export function failed(c: Context, error: unknown): Response {
  if (error instanceof Refusal) return refused(c, error.status, error.message, error.hint);
  if (error instanceof UntangleError) return refused(c, error.kind === 'call' ? 400 : 500, error.message, error.hint);
  if (isMissing(error)) return refused(c, 404, 'There is no such thing.');
  if (codeOf(error) === 'ENAMETOOLONG') return refused(c, 400, 'That name is too long.');
  const message = error instanceof Error ? error.message : String(error);
  return refused(c, 500, `Something went wrong that should not have: ${message}`);
}

/** Numbers as bytes, little-endian as every machine that runs this is. */
export function floats(c: Context, values: Float32Array, facts: Record<string, number | string>): Response {
  const bytes = new Uint8Array(values.buffer, values.byteOffset, values.byteLength).slice();
  const headers = Object.entries(facts).map(([name, value]) => [`x-${name}`, `${value}`]);
  return c.body(bytes, 200, { 'content-type': 'application/octet-stream', ...Object.fromEntries(headers) });
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

/** A plain file, streamed; one that the browser has already is not sent again. Undefined if there is none. */
export async function fileAnswer(
  c: Context,
  path: string,
  more: Record<string, string> = {},
): Promise<Response | undefined> {
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
  // Node's stream and the web's are the same thing under two type names.
  const stream = Readable.toWeb(file.createReadStream({ end: size - 1 })) as ReadableStream;
  return c.body(stream, 200, { ...headers, 'content-length': `${size}` });
}

/** A plain file that can be read, held open so that it stays the same; a pipe or a device would be waited for without end. */
async function openPlain(path: string): Promise<FileHandle | undefined> {
  try {
    return (await stat(path)).isFile() ? await open(path, 'r') : undefined;
  } catch (error) {
    if (isMissing(error) || codeOf(error) === 'EACCES') return undefined;
    throw error;
  }
}
