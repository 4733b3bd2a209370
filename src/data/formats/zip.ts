/**
 * Zip archives (PKWARE's APPNOTE): entries that are stored or deflated, zip64 or not. When one is read, an entry's bytes are streamed and
 * checked against the size and the checksum that the archive's directory gives; nothing is allocated by a claim alone.
 */
import type { FileHandle } from 'node:fs/promises';
import { promisify } from 'node:util';
import { createInflateRaw, deflateRaw } from 'node:zlib';
import { crc32 } from '../../crc32.ts';
import { UntangleError } from '../../errors.ts';
import { writeWhole } from '../cache.ts';
import { collect, largestInflation, readRange, streamRange, unpackedPieces, withFile } from './files.ts';

export interface ZipEntry {
  name: string;
  /** Bytes once unpacked. */
  size: number;
  packedSize: number;
  deflated: boolean;
  crc: number;
  /** Where its local header begins. */
  offset: number;
}

export interface Zip {
  path: string;
  entries: ZipEntry[];
}

/** Reads the directory of an archive. */
export async function openZip(path: string): Promise<Zip> {
  return withFile(path, async (handle, size) => {
    const directory = await findDirectory(handle, path, size);
    const bytes = await readRange(handle, path, directory.offset, directory.size);
    return { path, entries: parseDirectory(bytes, directory.count, directory.offset, path) };
  });
}

/** An entry's bytes, in pieces; an error where they are not what the directory says. */
export async function* streamEntry(zip: Zip, entry: ZipEntry): AsyncGenerator<Uint8Array> {
  const start = await dataStart(zip.path, entry);
  if (entry.packedSize === 0) return;
  const source = streamRange(zip.path, start, start + entry.packedSize);
  const inflate = entry.deflated ? createInflateRaw({ chunkSize: 1 << 18 }) : undefined;
  let length = 0;
  let crc = 0;
  for await (const piece of unpackedPieces(zip.path, source, inflate, called(zip.path, entry))) {
    length += piece.length;
    if (length > entry.size) throw entryError(zip.path, entry, 'holds more than it says');
    crc = crc32(piece, crc);
    yield piece;
  }
  if (length < entry.size)
    throw entryError(zip.path, entry, `was cut short: ${length} of ${entry.size} bytes are there`);
  if (crc !== entry.crc) throw entryError(zip.path, entry, 'is damaged: its checksum does not fit');
}

/** An entry's bytes as a whole. */
export async function readEntry(zip: Zip, entry: ZipEntry): Promise<Uint8Array> {
  return collect(streamEntry(zip, entry), entry.size, `${entry.name} in ${zip.path}`);
}

/** Writes an archive with deflated entries, without zip64 and so up to 4 GB, whole or not at all. */
export async function writeZip(path: string, entries: { name: string; data: Uint8Array }[]): Promise<void> {
  await writeWhole(path, async (write) => {
    const directory: Buffer[] = [];
    let offset = 0;
    for (const { name, data } of entries) {
      const packed = await promisify(deflateRaw)(data);
      if (offset + packed.length + data.length > 0xfffff000) {
        throw new UntangleError(`${path} would be larger than 4 GB.`, { hint: 'Write fewer arrays, or .npy files.' });
      }
      const shared = sharedFields(name, crc32(data), packed.length, data.length);
      const local = Buffer.concat([signature(localMark), shared, Buffer.from(name)]);
      directory.push(directoryRecord(shared, offset), Buffer.from(name));
      offset += local.length + packed.length;
      await write(local);
      await write(packed);
    }
    const records = Buffer.concat(directory);
    await write(records);
    await write(endRecord(entries.length, records.length, offset));
  });
}

const localMark = 0x04034b50;
const directoryMark = 0x02014b50;
const endMark = 0x06054b50;
const end64Mark = 0x06064b50;
const locator64Mark = 0x07064b50;
const full16 = 0xffff;
const full32 = 0xffffffff;

interface Directory {
  offset: number;
  size: number;
  count: number;
}

/** The end record sits in the last 64 KB, since the comment after it is at most that long. */
async function findDirectory(handle: FileHandle, path: string, size: number): Promise<Directory> {
  const tail = Math.min(size, 22 + 65535 + 20);
  const bytes = await readRange(handle, path, size - tail, tail);
  const view = viewOf(bytes);
  for (let at = tail - 22; at >= 0; at--) {
    if (view.getUint32(at, true) !== endMark || at + 22 + view.getUint16(at + 20, true) !== tail) continue;
    let directory = {
      count: view.getUint16(at + 10, true),
      size: view.getUint32(at + 12, true),
      offset: view.getUint32(at + 16, true),
    };
    if (directory.count === full16 || directory.size === full32 || directory.offset === full32) {
      if (at < 20 || view.getUint32(at - 20, true) !== locator64Mark) throw notAZip(path);
      directory = await findDirectory64(handle, path, size, large(view, at - 12, path));
    }
    if (directory.offset + directory.size > size) throw notAZip(path);
    return directory;
  }
  throw notAZip(path);
}

async function findDirectory64(handle: FileHandle, path: string, size: number, offset: number): Promise<Directory> {
  if (offset + 56 > size) throw notAZip(path);
  const view = viewOf(await readRange(handle, path, offset, 56));
  if (view.getUint32(0, true) !== end64Mark) throw notAZip(path);
  return { count: large(view, 32, path), size: large(view, 40, path), offset: large(view, 48, path) };
}

function parseDirectory(bytes: Uint8Array, count: number, end: number, path: string): ZipEntry[] {
  const view = viewOf(bytes);
  const entries: ZipEntry[] = [];
  let at = 0;
  while (entries.length < count) {
    if (at + 46 > bytes.length || view.getUint32(at, true) !== directoryMark) throw notAZip(path);
    const [nameLength, extraLength, commentLength] = [28, 30, 32].map((field) => view.getUint16(at + field, true));
    const extraAt = at + 46 + nameLength;
    const next = extraAt + extraLength + commentLength;
    if (next > bytes.length) throw notAZip(path);
    const name = Buffer.from(bytes.subarray(at + 46, extraAt)).toString('utf8');
    entries.push(parseEntry(view, at, name, extraAt, extraLength, end, path));
    at = next;
  }
  return entries;
}

function parseEntry(
  view: DataView,
  at: number,
  name: string,
  extraAt: number,
  extraLength: number,
  end: number,
  path: string,
): ZipEntry {
  const wide = wideFields(view, extraAt, extraLength, path);
  const field = (offset: number) => {
    const value = view.getUint32(at + offset, true);
    return value === full32 ? (wide.shift() ?? value) : value;
  };
  const method = view.getUint16(at + 10, true);
  const size = field(24);
  const entry = {
    name,
    size,
    packedSize: field(20),
    offset: field(42),
    deflated: method === 8,
    crc: view.getUint32(at + 16, true),
  };
  if (isUnsafe(name)) throw new UntangleError(`${path} has an entry “${name}” that would lie outside of it.`);
  if (view.getUint16(at + 8, true) & 1) throw entryError(path, entry, 'is encrypted; that is not read');
  if (method !== 0 && method !== 8)
    throw entryError(path, entry, 'is packed in a way other than deflate; that is not read');
  const most = entry.deflated ? entry.packedSize * largestInflation : entry.packedSize;
  if (entry.size > most || entry.offset + entry.packedSize > end)
    throw entryError(path, entry, 'claims more than there is');
  return entry;
}

/** The 64-bit sizes and offset of zip64, for those fields that are full, in their order. */
function wideFields(view: DataView, extraAt: number, extraLength: number, path: string): number[] {
  const end = extraAt + extraLength;
  for (let at = extraAt; at + 4 <= end; ) {
    const length = view.getUint16(at + 2, true);
    if (at + 4 + length > end) return [];
    if (view.getUint16(at, true) === 1) {
      return Array.from({ length: Math.min(3, length >> 3) }, (_, k) => large(view, at + 4 + 8 * k, path));
    }
    at += 4 + length;
  }
  return [];
}

/** The local header's own lengths decide where the data begin. */
async function dataStart(path: string, entry: ZipEntry): Promise<number> {
  return withFile(path, async (handle, size) => {
    if (entry.offset + 30 > size) throw entryError(path, entry, 'claims more than there is');
    const view = viewOf(await readRange(handle, path, entry.offset, 30));
    const start = entry.offset + 30 + view.getUint16(26, true) + view.getUint16(28, true);
    if (view.getUint32(0, true) !== localMark || start + entry.packedSize > size) {
      throw entryError(path, entry, 'is not where the directory says');
    }
    return start;
  });
}

function isUnsafe(name: string): boolean {
  return name.includes('\0') || /^[/\\]|^[a-z]:/i.test(name) || name.split(/[/\\]/).includes('..');
}

function large(view: DataView, at: number, path: string): number {
  const value = Number(view.getBigUint64(at, true));
  if (!Number.isSafeInteger(value)) throw notAZip(path);
  return value;
}

const viewOf = (bytes: Uint8Array) => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

function notAZip(path: string): UntangleError {
  return new UntangleError(`${path} is not a zip archive (such as .npz), or it was cut short.`);
}

function entryError(path: string, entry: { name: string }, what: string): UntangleError {
  return new UntangleError(`${called(path, entry)} ${what}.`);
}

const called = (path: string, { name }: { name: string }) => `The entry “${name}” in ${path}`;

/** The fields that a local header and the directory's record share: version 2.0, UTF-8 names, deflate, the day 1 January 1980. */
function sharedFields(name: string, crc: number, packedSize: number, size: number): Buffer {
  const fields = Buffer.alloc(26);
  fields.writeUInt16LE(20, 0);
  fields.writeUInt16LE(0x0800, 2);
  fields.writeUInt16LE(8, 4);
  fields.writeUInt16LE(0x21, 8);
  fields.writeUInt32LE(crc, 10);
  fields.writeUInt32LE(packedSize, 14);
  fields.writeUInt32LE(size, 18);
  fields.writeUInt16LE(Buffer.byteLength(name), 22);
  return fields;
}

function directoryRecord(shared: Buffer, offset: number): Buffer {
  const rest = Buffer.alloc(14);
  rest.writeUInt32LE(offset, 10);
  return Buffer.concat([signature(directoryMark), Buffer.from([20, 0]), shared, rest]);
}

function endRecord(count: number, size: number, offset: number): Buffer {
  const record = Buffer.alloc(22);
  record.writeUInt32LE(endMark, 0);
  record.writeUInt16LE(count, 8);
  record.writeUInt16LE(count, 10);
  record.writeUInt32LE(size, 12);
  record.writeUInt32LE(offset, 16);
  return record;
}

function signature(mark: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(mark);
  return bytes;
}
