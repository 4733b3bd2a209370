/**
 * Reading files that may be cut short, damaged or made to deceive. Memory follows the bytes that are there, never a number
 * that a header claims.
 */
import { createReadStream, type ReadStream } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import type { Gunzip, InflateRaw } from 'node:zlib';
import { codeOf } from '../../errno.ts';
import { UntangleError } from '../../errors.ts';
import { checkMemory } from '../../memory.ts';

/** Deflate cannot grow by more than this factor, so what a packed file may hold is bounded by its own size. */
export const largestInflation = 1032;

/** The whole of a file. */
export async function readWhole(path: string): Promise<Uint8Array> {
  return withFile(path, async (handle, size) => {
    checkMemory(path, size);
    return readRange(handle, path, 0, size);
  });
}

/** Runs `work` on an open file and its size, and closes it. */
export async function withFile<T>(path: string, work: (handle: FileHandle, size: number) => Promise<T>): Promise<T> {
  let handle: FileHandle;
  try {
    handle = await open(path);
  } catch (error) {
    throw cannotRead(path, error);
  }
  try {
    const stats = await handle.stat();
    if (!stats.isFile()) throw new UntangleError(`${path} is not a file.`, { kind: 'call' });
    return await work(handle, stats.size);
  } finally {
    await handle.close();
  }
}

/** `length` bytes from `position` on; an error if the file ends before. */
export async function readRange(
  handle: FileHandle,
  path: string,
  position: number,
  length: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = new Uint8Array(length);
  for (let done = 0; done < length; ) {
    const { bytesRead } = await handle.read(bytes, done, Math.min(length - done, 1 << 30), position + done);
    if (bytesRead === 0) throw new UntangleError(`${path} ends in the middle: it was cut short.`);
    done += bytesRead;
  }
  return bytes;
}

/** A file's bytes from `start` up to, and without, `end`, in pieces. */
export function streamRange(path: string, start = 0, end = Number.POSITIVE_INFINITY): ReadStream {
  return createReadStream(path, { start, end: end - 1, highWaterMark: 1 << 18 });
}

/** The pieces of a file's range as `unpack` makes them, or as they are; `what` names them where they are damaged. */
export async function* unpackedPieces(
  path: string,
  source: ReadStream,
  unpack: Gunzip | InflateRaw | undefined,
  what: string,
): AsyncGenerator<Uint8Array> {
  source.on('error', (error) => unpack?.destroy(error));
  try {
    for await (const piece of unpack ? source.pipe(unpack) : source) yield piece;
  } catch (error) {
    const code = codeOf(error);
    if (code === 'Z_BUF_ERROR') throw new UntangleError(`${what} was cut short: its packed data ends too soon.`);
    if (code.startsWith('Z_')) throw new UntangleError(`${what} is damaged: its packed data does not unpack.`);
    throw cannotRead(path, error);
  } finally {
    source.destroy();
    unpack?.destroy();
  }
}

/**
 * Puts pieces together until they are `expected` bytes; fewer or more is an error. The buffer grows with what arrives.
 */
export async function collect(pieces: AsyncIterable<Uint8Array>, expected: number, name: string): Promise<Uint8Array> {
  // The bytes, and what is decoded from them.
  checkMemory(name, 2 * expected);
  let bytes = new Uint8Array(Math.min(expected, 1 << 20));
  let length = 0;
  for await (const piece of pieces) {
    if (length + piece.length > expected) throw new UntangleError(`${name} holds more than its header says.`);
    if (length + piece.length > bytes.length) {
      const larger = new Uint8Array(Math.min(expected, Math.max(bytes.length * 2, length + piece.length)));
      larger.set(bytes.subarray(0, length));
      bytes = larger;
    }
    bytes.set(piece, length);
    length += piece.length;
  }
  if (length < expected) throw new UntangleError(`${name} was cut short: ${length} of ${expected} bytes are there.`);
  return bytes;
}

/** The sentence for a file that cannot be read. */
function cannotRead(path: string, error: unknown): UntangleError {
  if (error instanceof UntangleError) return error;
  if (codeOf(error) === 'ENOENT') return new UntangleError(`There is no file ${path}.`, { kind: 'call', cause: error });
  return new UntangleError(`${path} cannot be read: ${error instanceof Error ? error.message : error}.`, {
    cause: error,
  });
}
