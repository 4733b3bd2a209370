/**
 * IDX, the format of MNIST: two zero bytes, a type, the number of dimensions, each dimension as a big-endian word, then the
 * numbers, big-endian, the last dimension fastest. Packed with gzip or not.
 */
import { createGunzip } from 'node:zlib';
import { UntangleError } from '../../errors.ts';
import { collect, largestInflation, readRange, streamRange, unpackedPieces, withFile } from './files.ts';
import { bytesOf, decodeNumbers, type NumberArray, type NumberType } from './numbers.ts';

export interface IdxArray {
  shape: number[];
  data: NumberArray;
}

const typeOfCode = new Map<number, NumberType>([
  [0x08, 'u1'],
  [0x09, 'i1'],
  [0x0b, 'i2'],
  [0x0c, 'i4'],
  [0x0d, 'f4'],
  [0x0e, 'f8'],
]);

/**
 * Reads an IDX file.
 *
 * @example (await readIdx('train-images-idx3-ubyte.gz')).shape // [60000, 28, 28]
 */
export async function readIdx(path: string): Promise<IdxArray> {
  return withFile(path, async (handle, size) => {
    const start = await readRange(handle, path, 0, Math.min(size, 2));
    if (start[0] !== 0x1f || start[1] !== 0x8b) {
      const header = idxHeader(await readRange(handle, path, 0, Math.min(size, longestHeader)), path);
      if (header.bytes !== size) throw wrongLength(path, header, size);
      return parseIdx(await readRange(handle, path, 0, size), path);
    }
    const header = await packedHeader(path);
    if (header.bytes > size * largestInflation) throw wrongLength(path, header, size * largestInflation);
    return parseIdx(await collect(unpacked(path), header.bytes, path), path);
  });
}

/** Reads IDX from bytes; `name` is for the error's sentence. */
export function parseIdx(bytes: Uint8Array, name: string): IdxArray {
  const header = idxHeader(bytes, name);
  if (header.bytes !== bytes.length) throw wrongLength(name, header, bytes.length);
  return { shape: header.shape, data: decodeNumbers(bytes.subarray(header.start), header.type, true) };
}

interface IdxHeader {
  type: NumberType;
  shape: number[];
  /** Where the numbers begin. */
  start: number;
  /** How long the whole file has to be. */
  bytes: number;
}

const longestHeader = 4 + 4 * 255;

function idxHeader(bytes: Uint8Array, name: string): IdxHeader {
  const type = typeOfCode.get(bytes[2]);
  if (bytes.length < 4 || bytes[0] !== 0 || bytes[1] !== 0 || type === undefined) {
    throw new UntangleError(`${name} is not an IDX file: it does not begin as one.`, {
      hint: 'An IDX file begins with two zero bytes, a type and the number of dimensions; MNIST’s images with 0 0 8 3.',
    });
  }
  const dimensions = bytes[3];
  const start = 4 + 4 * dimensions;
  if (dimensions === 0 || bytes.length < start) throw new UntangleError(`${name} was cut short in its header.`);
  const view = new DataView(bytes.buffer, bytes.byteOffset, start);
  const shape = Array.from({ length: dimensions }, (_, k) => view.getUint32(4 + 4 * k));
  return { type, shape, start, bytes: start + bytesOf(type) * shape.reduce((product, side) => product * side, 1) };
}

function wrongLength(name: string, header: IdxHeader, there: number): UntangleError {
  const claim = `${header.shape.join(' × ')} numbers, ${header.bytes} bytes in all`;
  return there < header.bytes
    ? new UntangleError(`${name} was cut short: its header says ${claim}, more than there are.`)
    : new UntangleError(`${name} holds more than its header says (${claim}).`);
}

/** The header of a packed file, from its first unpacked piece. */
async function packedHeader(path: string): Promise<IdxHeader> {
  for await (const piece of unpacked(path)) return idxHeader(piece, path);
  return idxHeader(new Uint8Array(0), path);
}

const unpacked = (path: string) => unpackedPieces(path, streamRange(path), createGunzip({ chunkSize: 1 << 18 }), path);
