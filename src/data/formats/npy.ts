/**
 * NumPy's array file: a mark, a header that is a Python dictionary (type, order, shape), then the numbers. Versions 1 to 3,
 * either byte order, C or Fortran order, numbers, truth values and strings. Pickled objects are refused: reading them would
 * mean running a program.
 */
import { UntangleError } from '../../errors.ts';
import { writeWhole } from '../cache.ts';
import { readRange, readWhole, withFile } from './files.ts';
import { bytesOf, decodeNumbers, isNumberType, type NumberArray, type NumberType } from './numbers.ts';

export interface NumberNpy {
  kind: 'numbers';
  shape: number[];
  type: NumberType;
  /** In C order: the last dimension fastest. */
  data: NumberArray;
}

export interface StringNpy {
  kind: 'strings';
  shape: number[];
  data: string[];
}

export type NpyArray = NumberNpy | StringNpy;

/**
 * Reads an .npy file.
 *
 * @example (await readNpy('codes.npy')).shape // [1000, 10]
 */
export async function readNpy(path: string): Promise<NpyArray> {
  await withFile(path, async (handle, size) => {
    const header = npyHeader(await readRange(handle, path, 0, Math.min(size, longestHeader)), path);
    checkLength(header, size - header.start, path);
  });
  return parseNpy(await readWhole(path), path);
}

/** Reads an .npy file's bytes; `name` is for the error's sentence. */
export function parseNpy(bytes: Uint8Array, name: string): NpyArray {
  const header = npyHeader(bytes, name);
  const body = bytes.subarray(header.start);
  checkLength(header, body.length, name);
  const { shape, type, fortran } = header;
  if (type.kind === 'strings') {
    const data = decodeStrings(body, type, name);
    const ordered = data.slice();
    if (fortran) eachInCOrder(header, (to, from) => (ordered[to] = data[from]));
    return { kind: 'strings', shape, data: ordered };
  }
  const data = decodeNumbers(body, type.type, type.bigEndian);
  if (!fortran) return { kind: 'numbers', shape, type: type.type, data };
  const ordered = data.slice();
  eachInCOrder(header, (to, from) => (ordered[to] = data[from]));
  return { kind: 'numbers', shape, type: type.type, data: ordered };
}

/**
 * Reads numbers piece by piece, so that an array need not fit in memory. `start` learns the shape before the first numbers
 * come; `next` gets them with the position of the first of them, and must not keep them.
 */
export async function streamNpy(
  pieces: AsyncIterable<Uint8Array>,
  name: string,
  take: {
    start: (header: { shape: number[]; type: NumberType }) => void;
    next: (values: NumberArray, at: number) => void;
  },
): Promise<void> {
  let held: Uint8Array = new Uint8Array(0);
  let header: NpyHeader | undefined;
  let type: NumberType = 'u1';
  let bigEndian = false;
  let at = 0;
  for await (const piece of pieces) {
    held = held.length === 0 ? piece : Buffer.concat([held, piece]);
    if (!header) {
      if (held.length < longestHeader && !headerIsWhole(held)) continue;
      header = npyHeader(held, name);
      if (header.type.kind === 'strings') throw new UntangleError(`${name} holds strings where numbers are needed.`);
      if (header.fortran && header.shape.length > 1) {
        throw new UntangleError(`${name} is in Fortran order, which cannot be read piece by piece.`, {
          hint: 'Save it again with numpy.ascontiguousarray.',
        });
      }
      ({ type, bigEndian } = header.type);
      take.start({ shape: header.shape, type });
      held = held.subarray(header.start);
    }
    const whole = held.length - (held.length % bytesOf(type));
    if (whole > 0) take.next(decodeNumbers(held.subarray(0, whole), type, bigEndian), at);
    at += whole / bytesOf(type);
    held = held.subarray(whole);
  }
  if (!header) header = npyHeader(held, name);
  checkLength(header, at * bytesOf(type) + held.length, name);
}

/** The bytes of an .npy file, version 1, little-endian, in C order. */
export function encodeNpy(shape: readonly number[], data: NumberArray | readonly string[]): Uint8Array {
  const expected = shape.reduce((product, side) => product * side, 1);
  if (data.length !== expected) {
    throw new UntangleError(`${data.length} values do not fill an array of shape ${shape.join(' × ')}.`);
  }
  const [type, body] = isNumbers(data) ? encodeNumbers(data) : encodeStrings(data);
  const sides = shape.length === 1 ? `${shape[0]},` : shape.join(', ');
  const dictionary = `{'descr': '${type}', 'fortran_order': False, 'shape': (${sides}), }`;
  const length = Math.ceil((dictionary.length + 11) / 64) * 64 - 10;
  const start = Buffer.from([...mark, 1, 0, length & 255, length >> 8]);
  return Buffer.concat([start, Buffer.from(`${dictionary.padEnd(length - 1)}\n`, 'latin1'), body]);
}

/** Writes an .npy file, whole or not at all. */
export async function writeNpy(
  path: string,
  shape: readonly number[],
  data: NumberArray | readonly string[],
): Promise<void> {
  await writeWhole(path, encodeNpy(shape, data));
}

const mark = [0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59];

/** NumPy itself refuses headers of more than 10,000 characters. */
const longestHeader = 12 + 10_000;

type ItemType =
  | { kind: 'numbers'; type: NumberType; bigEndian: boolean; bytes: number }
  | { kind: 'strings'; wide: boolean; bigEndian: boolean; bytes: number };

interface NpyHeader {
  type: ItemType;
  fortran: boolean;
  shape: number[];
  count: number;
  start: number;
}

function headerSpan(bytes: Uint8Array): { from: number; to: number } {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const from = bytes[6] === 1 ? 10 : 12;
  if (bytes.length < from) return { from, to: from };
  return { from, to: from + (bytes[6] === 1 ? view.getUint16(8, true) : view.getUint32(8, true)) };
}

function headerIsWhole(bytes: Uint8Array): boolean {
  return bytes.length >= 12 && bytes.length >= headerSpan(bytes).to;
}

function npyHeader(bytes: Uint8Array, name: string): NpyHeader {
  if (!mark.every((byte, i) => bytes[i] === byte)) {
    throw new UntangleError(`${name} is not an .npy array: it does not begin as one.`);
  }
  if (!(bytes[6] >= 1 && bytes[6] <= 3)) {
    throw new UntangleError(`${name} is an .npy array of version ${bytes[6] ?? '?'}; versions 1 to 3 are read.`);
  }
  const { from, to } = headerSpan(bytes);
  if (to > longestHeader) throw new UntangleError(`${name} has a header of ${to - from} bytes; that is too long.`);
  if (bytes.length < to) throw new UntangleError(`${name} was cut short in its header.`);
  const text = Buffer.from(bytes.subarray(from, to)).toString('utf8');
  const order = /'fortran_order'\s*:\s*(True|False)/.exec(text)?.[1];
  const sides = /'shape'\s*:\s*\(([\d\s,L]*)\)/.exec(text)?.[1];
  if (order === undefined || sides === undefined) {
    throw new UntangleError(`${name} has a header that is not understood: ${text.trim().slice(0, 100)}`);
  }
  const shape = sides.split(',').flatMap((side) => (side.trim() === '' ? [] : [Number.parseInt(side, 10)]));
  const type = itemType(text, name);
  const count = shape.reduce((product, side) => product * side, 1);
  if (!Number.isSafeInteger(count * Math.max(1, type.bytes)) || shape.some((side) => !Number.isSafeInteger(side))) {
    throw new UntangleError(`${name} claims a shape of ${shape.join(' × ')}; that cannot be.`);
  }
  return { type, fortran: order === 'True', shape, count, start: to };
}

function itemType(header: string, name: string): ItemType {
  const descr = /'descr'\s*:\s*'([^']*)'/.exec(header)?.[1];
  if (descr === undefined) {
    throw new UntangleError(`${name} holds records with named fields; only plain arrays are read.`, {
      hint: 'Save each field as an array of its own.',
    });
  }
  const [, order, code] = /^([<>|=]?)(.*)$/s.exec(descr) ?? [];
  const bigEndian = order === '>';
  if (isNumberType(code)) return { kind: 'numbers', type: code, bigEndian, bytes: bytesOf(code) };
  const width = /^[US](\d{1,9})$/.exec(code)?.[1];
  if (width !== undefined) {
    const wide = code[0] === 'U';
    return { kind: 'strings', wide, bigEndian, bytes: Number(width) * (wide ? 4 : 1) };
  }
  if (code.startsWith('O')) {
    throw new UntangleError(
      `${name} holds pickled Python objects; they are not read, since that would run a program.`,
      {
        hint: 'Save it again as an array of numbers or strings, for example with .astype(float).',
      },
    );
  }
  throw new UntangleError(`${name} holds values of type “${descr}”; numbers, truth values and strings are read.`);
}

function checkLength(header: NpyHeader, there: number, name: string): void {
  const expected = header.count * header.type.bytes;
  if (there === expected) return;
  const claim = `an array of ${header.shape.join(' × ') || 'one value'}, ${expected} bytes`;
  if (there < expected) throw new UntangleError(`${name} was cut short: it claims ${claim}, and ${there} are there.`);
  throw new UntangleError(`${name} holds more than its header says (${claim}).`);
}

function decodeStrings(
  bytes: Uint8Array,
  type: { wide: boolean; bigEndian: boolean; bytes: number },
  name: string,
): string[] {
  if (type.bytes === 0) throw new UntangleError(`${name} holds strings of no length.`);
  const codes = decodeNumbers(bytes, type.wide ? 'u4' : 'u1', type.bigEndian);
  const width = type.wide ? type.bytes / 4 : type.bytes;
  const strings: string[] = [];
  for (let at = 0; at < codes.length; at += width) {
    let end = at + width;
    while (end > at && codes[end - 1] === 0) end--;
    let text = '';
    for (let i = at; i < end; i++) {
      if (codes[i] > 0x10ffff) throw new UntangleError(`${name} holds a string that is not text.`);
      text += String.fromCodePoint(codes[i]);
    }
    strings.push(text);
  }
  return strings;
}

/** Fortran order has the first dimension fastest: tells for each position in C order where its value lies. */
function eachInCOrder({ shape, count }: NpyHeader, visit: (to: number, from: number) => void): void {
  const index = new Array<number>(shape.length).fill(0);
  const strides = shape.map((_, k) => shape.slice(0, k).reduce((product, side) => product * side, 1));
  let from = 0;
  for (let to = 0; to < count; to++) {
    visit(to, from);
    for (let k = shape.length - 1; k >= 0; k--) {
      from += strides[k];
      if (++index[k] < shape[k]) break;
      from -= strides[k] * shape[k];
      index[k] = 0;
    }
  }
}

const isNumbers = (data: NumberArray | readonly string[]): data is NumberArray => ArrayBuffer.isView(data);

function encodeNumbers(data: NumberArray): [string, Uint8Array] {
  const kind = data instanceof Float32Array || data instanceof Float64Array ? 'f' : isUnsigned(data) ? 'u' : 'i';
  const order = data.BYTES_PER_ELEMENT === 1 ? '|' : '<';
  return [`${order}${kind}${data.BYTES_PER_ELEMENT}`, new Uint8Array(data.buffer, data.byteOffset, data.byteLength)];
}

function isUnsigned(data: NumberArray): boolean {
  return data instanceof Uint8Array || data instanceof Uint16Array || data instanceof Uint32Array;
}

function encodeStrings(data: readonly string[]): [string, Uint8Array] {
  const codes = data.map((text) => Array.from(text, (character) => character.codePointAt(0) ?? 0));
  const width = codes.reduce((most, text) => Math.max(most, text.length), 1);
  const out = new Uint32Array(data.length * width);
  codes.forEach((text, i) => {
    out.set(text, i * width);
  });
  return [`<U${width}`, new Uint8Array(out.buffer)];
}
