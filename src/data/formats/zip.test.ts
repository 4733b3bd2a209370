import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { UntangleError } from '../../errors.ts';
import { openZip, readEntry, writeZip } from './zip.ts';

const folder = mkdtempSync(join(tmpdir(), 'untangle-zip-'));
afterAll(() => rmSync(folder, { recursive: true }));
const path = join(folder, 'a.zip');
const contents = [
  { name: 'numbers.bin', data: Uint8Array.from({ length: 5000 }, (_, i) => i % 7) },
  { name: 'nested/ünïcode', data: Buffer.from('some words, and again some words') },
  { name: 'empty', data: new Uint8Array(0) },
];
let good: Buffer;
beforeAll(async () => {
  await writeZip(path, contents);
  good = readFileSync(path);
});

/** Positions of the directory's record for the first entry: its mark is PK\1\2. */
const record = () => good.indexOf(Buffer.from([0x50, 0x4b, 1, 2]));
const changed = (change: (bytes: Buffer) => void) => {
  const bytes = Buffer.from(good);
  change(bytes);
  const changedPath = join(folder, 'changed.zip');
  writeFileSync(changedPath, bytes);
  return changedPath;
};
const readAll = async (from: string) => {
  const zip = await openZip(from);
  const all: Uint8Array[] = [];
  for (const entry of zip.entries) all.push(await readEntry(zip, entry));
  return all;
};

test('what is written is read back, name by name and byte by byte', async () => {
  const zip = await openZip(path);
  expect(zip.entries.map(({ name, size }) => [name, size])).toEqual([
    ['numbers.bin', 5000],
    ['nested/ünïcode', 32],
    ['empty', 0],
  ]);
  const all = await readAll(path);
  contents.forEach(({ data }, k) => {
    expect(Buffer.compare(all[k], data)).toBe(0);
  });
});

test('the same entries always make the same archive', async () => {
  await writeZip(join(folder, 'again.zip'), contents);
  expect(readFileSync(join(folder, 'again.zip')).equals(good)).toBe(true);
});

test('an entry that is stored and empty reads as nothing', async () => {
  const last = good.lastIndexOf(Buffer.from([0x50, 0x4b, 1, 2]));
  const stored = changed((bytes) => {
    bytes.writeUInt16LE(0, last + 10);
    bytes.writeUInt32LE(0, last + 20);
  });
  expect((await readAll(stored))[2].length).toBe(0);
});

test('a comment after the end is allowed', async () => {
  const commented = changed((bytes) => bytes.writeUInt16LE(5, bytes.length - 2));
  writeFileSync(commented, Buffer.concat([readFileSync(commented), Buffer.from('hello')]));
  expect((await readAll(commented)).length).toBe(3);
});

test.each<[string, (bytes: Buffer) => void, string]>([
  ['a claim of three terabytes', (b) => b.writeUInt32LE(0xfffffffe, record() + 24), 'claims more than there is'],
  ['a claim of more than is packed in it', (b) => b.writeUInt32LE(6000, record() + 24), 'was cut short'],
  ['a claim of less than is packed in it', (b) => b.writeUInt32LE(4000, record() + 24), 'holds more than it says'],
  ['a packed size beyond the end', (b) => b.writeUInt32LE(1e9, record() + 20), 'claims more than there is'],
  ['a wrong checksum', (b) => b.writeUInt32LE(1, record() + 16), 'checksum does not fit'],
  ['an encrypted entry', (b) => b.writeUInt16LE(1, record() + 8), 'is encrypted'],
  ['an unknown packing', (b) => b.writeUInt16LE(12, record() + 10), 'other than deflate'],
  ['a name that climbs out', (b) => b.write('../etc/pass', record() + 46), 'would lie outside of it'],
  ['a name from the root', (b) => b.write('/etc/passwd', record() + 46), 'would lie outside of it'],
  ['a name that climbs out backwards', (b) => b.write('a\\..\\..\\bin', record() + 46), 'would lie outside of it'],
  ['an entry that is not where it is said to be', (b) => b.writeUInt32LE(10, record() + 42), 'not where the directory'],
  ['a directory beyond the end', (b) => b.writeUInt32LE(1e9, b.length - 6), 'not a zip archive'],
  ['more entries than there are', (b) => b.writeUInt16LE(60000, b.length - 12), 'not a zip archive'],
  ['damaged packed data', (b) => b.fill(0xff, 45, 60), 'is damaged'],
])('%s is a sentence that names the file', async (_what, change, sentence) => {
  const changedPath = changed(change);
  const failure = readAll(changedPath);
  await expect(failure).rejects.toThrow(UntangleError);
  await expect(failure).rejects.toThrow(changedPath);
  await expect(failure).rejects.toThrow(sentence);
});

test('an archive that was cut short is not one', async () => {
  for (const length of [0, 3, 30, good.length - 1]) {
    writeFileSync(join(folder, 'cut.zip'), good.subarray(0, length));
    await expect(readAll(join(folder, 'cut.zip'))).rejects.toThrow(
      'is not a zip archive (such as .npz), or it was cut short.',
    );
  }
});

test('a failed write leaves nothing behind', async () => {
  const failing = writeZip(join(folder, 'never.zip'), [
    contents[0],
    {
      name: 'bad',
      get data(): Uint8Array {
        throw new Error('no such data');
      },
    },
  ]);
  await expect(failing).rejects.toThrow('no such data');
  expect(readdirSync(folder).filter((name) => name.startsWith('never'))).toEqual([]);
});

test('broken bytes give an error or the entries as they were, never a crash', async () => {
  const edits = fc.array(fc.tuple(fc.nat(good.length - 1), fc.nat(255)), { minLength: 1, maxLength: 5 });
  await fc.assert(
    fc.asyncProperty(edits, fc.integer({ min: 0, max: good.length }), fc.boolean(), async (changes, length, cut) => {
      const bytes = Buffer.from(good);
      for (const [at, value] of changes) bytes[at] = value;
      writeFileSync(join(folder, 'broken.zip'), cut ? bytes.subarray(0, length) : bytes);
      await readAll(join(folder, 'broken.zip')).catch((error) => expect(error).toBeInstanceOf(UntangleError));
    }),
    { numRuns: 300 },
  );
});
