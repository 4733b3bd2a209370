/** The number types of array files (IDX, npy), from raw bytes in either byte order to typed arrays. */

export type NumberArray =
  | Uint8Array
  | Int8Array
  | Uint16Array
  | Int16Array
  | Uint32Array
  | Int32Array
  | Float32Array
  | Float64Array;

/** Kind and size in bytes as NumPy writes them; `b1` is a truth value. */
export type NumberType = 'b1' | 'u1' | 'i1' | 'u2' | 'i2' | 'u4' | 'i4' | 'u8' | 'i8' | 'f2' | 'f4' | 'f8';

const types: readonly string[] = ['b1', 'u1', 'i1', 'u2', 'i2', 'u4', 'i4', 'u8', 'i8', 'f2', 'f4', 'f8'];

export function isNumberType(text: string): text is NumberType {
  return types.includes(text);
}

export function bytesOf(type: NumberType): number {
  return Number(type[1]);
}

/**
 * Reads `bytes` as numbers. Whole numbers of 64 bits become the nearest double, exact up to 2⁵³; halves become floats; bytes
 * stay a view on what was given.
 */
export function decodeNumbers(bytes: Uint8Array, type: NumberType, bigEndian: boolean): NumberArray {
  if (type === 'u1' || type === 'b1') return bytes;
  if (type === 'i1') return new Int8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const size = bytesOf(type);
  const aligned = new Uint8Array(bytes.byteLength);
  aligned.set(bytes);
  if (bigEndian) swap(aligned, size);
  const { buffer } = aligned;
  switch (type) {
    case 'u2':
      return new Uint16Array(buffer);
    case 'i2':
      return new Int16Array(buffer);
    case 'u4':
      return new Uint32Array(buffer);
    case 'i4':
      return new Int32Array(buffer);
    case 'f4':
      return new Float32Array(buffer);
    case 'f8':
      return new Float64Array(buffer);
    case 'f2':
      return Float32Array.from(new Uint16Array(buffer), halfToNumber);
    case 'u8':
      return fromBig(new BigUint64Array(buffer));
    case 'i8':
      return fromBig(new BigInt64Array(buffer));
  }
}

/** Turns the bytes of each number round, in place. */
function swap(bytes: Uint8Array, size: number): void {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (size === 2) view.swap16();
  else if (size === 4) view.swap32();
  else if (size === 8) view.swap64();
}

function fromBig(values: BigUint64Array | BigInt64Array): Float64Array {
  const out = new Float64Array(values.length);
  for (let i = 0; i < values.length; i++) out[i] = Number(values[i]);
  return out;
}

/** IEEE 754's half: a sign, 5 bits of exponent, 10 of fraction. */
function halfToNumber(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >> 10) & 31;
  const fraction = bits & 1023;
  if (exponent === 0) return sign * fraction * 2 ** -24;
  if (exponent === 31) return fraction ? Number.NaN : sign * Number.POSITIVE_INFINITY;
  return sign * (1 + fraction / 1024) * 2 ** (exponent - 15);
}
