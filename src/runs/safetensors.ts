/**
 * Tensors in one file, in the public safetensors format: eight bytes with the header's length (little-endian), a JSON
 * header padded with spaces, then the raw numbers. Everything that a header claims is checked before it is believed.
 */
import { UntangleError } from '../errors.ts';
import { isRecord } from './json.ts';

/** The number arrays that a file can hold. A `BOOL` tensor is read as bytes of 0 and 1. */
export type TensorData =
  | Float32Array
  | Float64Array
  | BigInt64Array
  | BigUint64Array
  | Int32Array
  | Uint32Array
  | Int16Array
  | Uint16Array
  | Int8Array
  | Uint8Array;

export interface StoredTensor {
  shape: readonly number[];
  data: TensorData;
}

/** What a file holds: tensors by name, and free text by name. */
export interface TensorFile {
  tensors: Map<string, StoredTensor>;
  metadata: Record<string, string>;
}

/** The format's own limit on a header, which keeps a hostile file from asking for a giant parse. */
const longestHeader = 100_000_000;

const types = {
  F64: Float64Array,
  I64: BigInt64Array,
  U64: BigUint64Array,
  F32: Float32Array,
  I32: Int32Array,
  U32: Uint32Array,
  I16: Int16Array,
  U16: Uint16Array,
  I8: Int8Array,
  U8: Uint8Array,
  BOOL: Uint8Array,
} as const;

type TypeName = keyof typeof types;

/** Wide numbers first, as the public writer does: so every tensor stands at a multiple of its item's size. */
const typeNames: TypeName[] = ['F64', 'I64', 'U64', 'F32', 'I32', 'U32', 'I16', 'U16', 'I8', 'U8', 'BOOL'];

/**
 * The bytes of a safetensors file. The numbers are copied, so the tensors may change afterwards.
 *
 * @example encodeSafetensors([['bias', { shape: [2], data: Float32Array.of(1, 2) }]])
 */
export function encodeSafetensors(
  tensors: Iterable<readonly [string, StoredTensor]>,
  metadata: Record<string, string> = {},
): Uint8Array {
  const entries = [...tensors].map(([name, tensor]) => ({ name, ...tensor, type: typeOf(tensor.data) }));
  entries.sort((a, b) => typeNames.indexOf(a.type) - typeNames.indexOf(b.type) || (a.name < b.name ? -1 : 1));

  const header: [string, unknown][] = Object.keys(metadata).length > 0 ? [['__metadata__', metadata]] : [];
  const names = new Set(['__metadata__']);
  let end = 0;
  for (const { name, shape, data, type } of entries) {
    if (names.has(name)) throw new UntangleError(`Two tensors can't have the same name “${name}” in one file.`);
    if (count(shape) !== data.length)
      throw new UntangleError(`The tensor “${name}” has ${data.length} numbers, but the shape [${shape.join(', ')}].`);
    names.add(name);
    header.push([name, { dtype: type, shape, data_offsets: [end, end + data.byteLength] }]);
    end += data.byteLength;
  }

  const text = new TextEncoder().encode(JSON.stringify(Object.fromEntries(header)));
  const start = 8 + Math.ceil(text.length / 8) * 8;
  const bytes = new Uint8Array(start + end).fill(0x20, 8 + text.length, start);
  new DataView(bytes.buffer).setBigUint64(0, BigInt(start - 8), true);
  bytes.set(text, 8);
  let at = start;
  for (const { data } of entries) {
    bytes.set(new Uint8Array(data.buffer, data.byteOffset, data.byteLength), at);
    at += data.byteLength;
  }
  return bytes;
}

/**
 * The tensors of a safetensors file, each in memory of its own. `what` names the file in an error.
 *
 * @example decodeSafetensors(await readFile('weights.safetensors'), 'weights.safetensors').tensors.get('bias')?.shape
 */
export function decodeSafetensors(bytes: Uint8Array, what = 'The file'): TensorFile {
  const fail = (reason: string) => new UntangleError(`${what} is not a whole safetensors file: ${reason}.`);
  if (bytes.length < 8) throw fail(`it has ${bytes.length} bytes, and the header's length alone takes 8`);
  const claimed = new DataView(bytes.buffer, bytes.byteOffset, 8).getBigUint64(0, true);
  if (claimed > BigInt(Math.min(bytes.length - 8, longestHeader)))
    throw fail(`its header would take ${claimed} of ${bytes.length} bytes`);
  const start = 8 + Number(claimed);
  const header = parseHeader(bytes.subarray(8, start));
  if (header === undefined) throw fail('its header is not a JSON object');

  const { __metadata__: metadata = {}, ...described } = header;
  if (!isRecord(metadata) || !Object.values(metadata).every((value) => typeof value === 'string'))
    throw fail('its metadata is not text by name');
  const entries = Object.entries(described).map(([name, entry]) => ({ name, ...checkedEntry(name, entry, fail) }));
  entries.sort((a, b) => a.begin - b.begin || a.end - b.end);
  let reached = 0;
  for (const { name, begin, end } of entries) {
    if (begin !== reached) throw fail(`the tensor “${name}” begins at byte ${begin} of the data, not at ${reached}`);
    reached = end;
  }
  if (reached !== bytes.length - start)
    throw fail(`its tensors take ${reached} bytes, but ${bytes.length - start} follow the header`);

  const tensors = new Map<string, StoredTensor>();
  for (const { name, type, shape, begin, end } of entries) {
    const copy = new Uint8Array(end - begin);
    copy.set(bytes.subarray(start + begin, start + end));
    tensors.set(name, { shape, data: new types[type](copy.buffer) });
  }
  return {
    tensors,
    metadata: Object.fromEntries(Object.entries(metadata).map(([key, value]) => [key, String(value)])),
  };
}

interface Entry {
  type: TypeName;
  shape: number[];
  begin: number;
  end: number;
}

function checkedEntry(name: string, entry: unknown, fail: (reason: string) => UntangleError): Entry {
  if (!isRecord(entry)) throw fail(`its entry “${name}” does not describe a tensor`);
  const { dtype, shape, data_offsets: offsets } = entry;
  const type = typeNames.find((known) => known === dtype);
  if (type === undefined)
    throw fail(`the tensor “${name}” has the type ${JSON.stringify(dtype)}; known are ${typeNames.join(', ')}`);
  if (!isSizes(shape)) throw fail(`the tensor “${name}” has no proper shape`);
  if (!isSizes(offsets) || offsets.length !== 2) throw fail(`the tensor “${name}” has no proper offsets`);
  const [begin, end] = offsets;
  const size = count(shape) * types[type].BYTES_PER_ELEMENT;
  if (end - begin !== size)
    throw fail(`the tensor “${name}” of shape [${shape.join(', ')}] takes ${size} bytes, not ${end - begin}`);
  return { type, shape, begin, end };
}

function typeOf(data: TensorData): TypeName {
  const type = typeNames.find((name) => data.constructor === types[name]);
  if (type === undefined) throw new UntangleError(`A safetensors file can't hold a ${data.constructor.name}.`);
  return type;
}

function parseHeader(bytes: Uint8Array): Record<string, unknown> | undefined {
  try {
    const parsed: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
    return isRecord(parsed) ? parsed : undefined;
  } catch {
    return undefined;
  }
}

const count = (shape: readonly number[]) => shape.reduce((product, size) => product * size, 1);

function isSizes(value: unknown): value is number[] {
  return Array.isArray(value) && value.every((size) => Number.isSafeInteger(size) && size >= 0);
}
