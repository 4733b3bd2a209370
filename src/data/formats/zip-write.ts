/** Writes zip archives: deflated entries, no zip64, so up to 4 GB. */
import { promisify } from 'node:util';
import { deflateRaw } from 'node:zlib';
import { crc32 } from '../../crc32.ts';
import { UntangleError } from '../../errors.ts';
import { streamAtomically } from '../cache.ts';

/** Writes an archive with deflated entries, whole or not at all. */
export async function writeZip(path: string, entries: { name: string; data: Uint8Array }[]): Promise<void> {
  await streamAtomically(path, async (write) => {
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
