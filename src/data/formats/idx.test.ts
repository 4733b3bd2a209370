import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { UntangleError } from '../../errors.ts';
import { stream } from '../../random/index.ts';
import { idxBytes as idx } from '../testing/idx-bytes.ts';
import { sharedData } from '../testing/shared-data.ts';
import { type IdxArray, parseIdx, readIdx } from './idx.ts';

const folder = mkdtempSync(join(tmpdir(), 'untangle-idx-'));
afterAll(() => rmSync(folder, { recursive: true }));

const written = (bytes: Uint8Array, name = 'some-idx') => {
  const path = join(folder, name);
  writeFileSync(path, bytes);
  return path;
};
const numbers = (count: number, size: number, write: (buffer: Buffer, i: number) => void) => {
  const buffer = Buffer.alloc(count * size);
  for (let i = 0; i < count; i++) write(buffer, i);
  return buffer;
};
const small = idx(0x08, [2, 3], Uint8Array.of(1, 2, 3, 4, 5, 255));

test('bytes come back in their shape, packed or not', async () => {
  const expected: IdxArray = { shape: [2, 3], data: Uint8Array.of(1, 2, 3, 4, 5, 255) };
  expect(await readIdx(written(small))).toEqual(expected);
  expect(await readIdx(written(gzipSync(small)))).toEqual(expected);
});

test.each([
  ['signed bytes', 0x09, numbers(3, 1, (b, i) => b.writeInt8([-128, 0, 127][i], i)), [-128, 0, 127]],
  ['short integers', 0x0b, numbers(3, 2, (b, i) => b.writeInt16BE([-300, 7, 32767][i], 2 * i)), [-300, 7, 32767]],
  ['integers', 0x0c, numbers(3, 4, (b, i) => b.writeInt32BE([-70000, 7, 2 ** 30][i], 4 * i)), [-70000, 7, 2 ** 30]],
  ['floats', 0x0d, numbers(3, 4, (b, i) => b.writeFloatBE([-0.5, 0, 1e10][i], 4 * i)), [-0.5, 0, 1e10]],
  ['doubles', 0x0e, numbers(3, 8, (b, i) => b.writeDoubleBE([-0.1, 0, 1e300][i], 8 * i)), [-0.1, 0, 1e300]],
])('%s are read big-endian', (_name, type, data, expected) => {
  expect([...parseIdx(idx(type, [3], data), 'n').data]).toEqual(expected);
});

test.skipIf(!sharedData('dsprites-reference'))('a real packed file gives 320 frames of 64 × 64', async () => {
  const path = join(sharedData('dsprites-reference') ?? '', 'dsprites-gif-320-frames-idx3-ubyte.gz');
  const { shape, data } = await readIdx(path);
  expect(shape).toEqual([320, 64, 64]);
  expect(new Set(data)).toEqual(new Set([0, 1]));
});

test.each([
  ['not IDX at all', Buffer.from('PNG, not numbers'), 'not an IDX file'],
  ['empty', new Uint8Array(0), 'not an IDX file'],
  ['an unknown type', idx(0x0a, [1], Uint8Array.of(1)), 'not an IDX file'],
  ['cut in the header', small.subarray(0, 7), 'cut short in its header'],
  ['cut in the data', small.subarray(0, 14), 'cut short'],
  ['too long', Buffer.concat([small, Uint8Array.of(0)]), 'holds more than its header says'],
  ['a claim of a terabyte', idx(0x0e, [2 ** 31, 64], Uint8Array.of(1)), 'cut short'],
])('%s is a sentence that names the file, packed or not', async (_what, bytes, sentence) => {
  for (const path of [written(bytes, 'bad-idx'), written(gzipSync(bytes), 'bad-idx.gz')]) {
    const failure = readIdx(path);
    await expect(failure).rejects.toThrow(UntangleError);
    await expect(failure).rejects.toThrow(path);
    await expect(failure).rejects.toThrow(sentence);
  }
});

test('a packed file that was cut or damaged is a sentence', async () => {
  const noise = stream(1, 'noise');
  const packed = gzipSync(
    idx(
      0x08,
      [5000],
      Uint8Array.from({ length: 5000 }, () => noise.integer(256)),
    ),
  );
  await expect(readIdx(written(packed.subarray(0, 300)))).rejects.toThrow('cut short');
  const damaged = Uint8Array.from(packed);
  damaged[100] ^= 0xff;
  await expect(readIdx(written(damaged))).rejects.toThrow(UntangleError);
});

test('a small packed file that unfolds without end is stopped where its header ends', async () => {
  const bomb = gzipSync(Buffer.concat([idx(0x08, [1000], new Uint8Array(1000)), Buffer.alloc(200_000_000)]));
  const before = process.memoryUsage().arrayBuffers;
  await expect(readIdx(written(bomb))).rejects.toThrow('holds more than its header says');
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(20_000_000);
});

test('there is no file: that is said', async () => {
  await expect(readIdx(join(folder, 'nowhere'))).rejects.toThrow(`There is no file ${join(folder, 'nowhere')}.`);
});

test('broken bytes give an error or the numbers that are there, never a crash', () => {
  const header = fc.tuple(fc.constantFrom(0, 0, 0, 7), fc.nat(15), fc.nat(4), fc.array(fc.nat(3), { maxLength: 20 }));
  const bytes = header.map(([zero, type, dimensions, rest]) => Uint8Array.of(zero, 0, type, dimensions, ...rest));
  fc.assert(
    fc.property(fc.oneof(bytes, fc.uint8Array({ maxLength: 40 })), (given) => {
      try {
        const { shape, data } = parseIdx(given, 'given');
        expect(data.length).toBe(shape.reduce((product, side) => product * side, 1));
      } catch (error) {
        expect(error).toBeInstanceOf(UntangleError);
      }
    }),
    { numRuns: 2000 },
  );
});

test('a packed file with broken bytes gives an error or the numbers that were there', async () => {
  const packed = gzipSync(small);
  const changes = fc.array(fc.tuple(fc.nat(packed.length - 1), fc.nat(255)), { minLength: 1, maxLength: 3 });
  await fc.assert(
    fc.asyncProperty(changes, fc.nat(packed.length), async (edits, cut) => {
      const bytes = Uint8Array.from(packed);
      for (const [at, value] of edits) bytes[at] = value;
      for (const path of [written(bytes, 'broken.gz'), written(bytes.subarray(0, cut), 'broken-and-cut.gz')]) {
        await readIdx(path).then(
          ({ shape, data }) => expect(data.length).toBe(shape.reduce((product, side) => product * side, 1)),
          (error) => expect(error).toBeInstanceOf(UntangleError),
        );
      }
    }),
    { numRuns: 150 },
  );
});
