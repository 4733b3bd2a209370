import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { UntangleError } from '../../errors.ts';
import { encodeNpy, parseNpy, readNpy, streamNpy, writeNpy } from './npy.ts';
import type { NumberArray } from './numbers.ts';

interface Fixture {
  cases: { descr: string; shape: number[]; values: (number | string)[]; npy: string }[];
  refused: Record<string, string>;
}
const fixture: Fixture = JSON.parse(readFileSync(new URL('../fixtures/npy.json', import.meta.url), 'utf8'));
const bytesOf = (text: string) => new Uint8Array(Buffer.from(text, 'base64'));
const folder = mkdtempSync(join(tmpdir(), 'untangle-npy-'));
afterAll(() => rmSync(folder, { recursive: true }));

test.each(fixture.cases)('NumPy’s $descr array of shape $shape comes back', ({ npy, shape, values }) => {
  const array = parseNpy(bytesOf(npy), 'a');
  expect(array.shape).toEqual(shape);
  expect([...array.data]).toEqual(values.map((value) => (value === 0 ? expect.toSatisfy((v) => v === 0) : value)));
});

test.each([
  ['objects', 'pickled Python objects'],
  ['fields', 'records with named fields'],
  ['complex', 'values of type “<c16”'],
  ['dates', 'values of type “<M8[D]”'],
])('%s are refused with a sentence', (name, sentence) => {
  expect(() => parseNpy(bytesOf(fixture.refused[name]), 'a.npy')).toThrow(sentence);
  expect(() => parseNpy(bytesOf(fixture.refused[name]), 'a.npy')).toThrow(UntangleError);
});

test('a type with a line break in it is refused with a sentence', () => {
  const bytes = Buffer.from(encodeNpy([2], Float32Array.of(1, 2)));
  bytes.write('\n', bytes.indexOf('<f4') + 1, 'latin1');
  expect(() => parseNpy(bytes, 'a.npy')).toThrow(UntangleError);
});

const typed: NumberArray[] = [
  Uint8Array.of(1, 2, 3, 4, 5, 255),
  Int8Array.of(-1, 2, 3, 4, 5, 6),
  Uint16Array.of(1, 2, 3, 4, 5, 65535),
  Int16Array.of(-300, 2, 3, 4, 5, 6),
  Uint32Array.of(1, 2, 3, 4, 5, 2 ** 32 - 1),
  Int32Array.of(-(2 ** 31), 2, 3, 4, 5, 6),
  Float32Array.of(0.5, 2, 3, 4, 5, 6),
  Float64Array.of(0.1, 2, 3, 4, 5, 6),
];
test('what is written is read back, each type as itself, with the header on a multiple of 64', async () => {
  for (const data of typed) {
    const path = join(folder, 'array.npy');
    await writeNpy(path, [2, 3], data);
    const array = await readNpy(path);
    expect(array.shape).toEqual([2, 3]);
    expect(array.data).toEqual(data);
    expect((readFileSync(path).length - data.byteLength) % 64).toBe(0);
  }
  const strings = parseNpy(encodeNpy([3], ['', 'é', 'longer 🐈']), 'a');
  expect(strings).toEqual({ kind: 'strings', shape: [3], data: ['', 'é', 'longer 🐈'] });
});

test('NumPy’s own bytes are written for the same array', () => {
  const one = fixture.cases.find(({ descr }) => descr === '<i4');
  expect(Buffer.from(encodeNpy([2, 3], Int32Array.of(0, -1, -2, -100, -127, -5))).toString('base64')).toBe(one?.npy);
});

async function* cut(bytes: Uint8Array, sizes: number[]): AsyncGenerator<Uint8Array> {
  for (let at = 0, k = 0; at < bytes.length; k++) {
    const size = sizes[k % sizes.length];
    yield bytes.subarray(at, at + size);
    at += size;
  }
}

test('numbers come in order, however the bytes are cut into pieces', async () => {
  const values = Float64Array.from({ length: 60 }, (_, i) => i / 7);
  const bytes = encodeNpy([60], values);
  const sizes = fc.array(fc.integer({ min: 1, max: 90 }), { minLength: 1, maxLength: 6 });
  await fc.assert(
    fc.asyncProperty(sizes, async (pieces) => {
      const seen: number[] = [];
      await streamNpy(cut(bytes, pieces), 'a', {
        start: ({ shape, type }) => expect([shape, type]).toEqual([[60], 'f8']),
        next: (some, at) => {
          expect(at).toBe(seen.length);
          seen.push(...some);
        },
      });
      expect(seen).toEqual([...values]);
    }),
  );
});

const header = (text: string, version = 1) => {
  const start = version === 1 ? Buffer.alloc(10) : Buffer.alloc(12);
  start.write('\x93NUMPY', 'latin1');
  start[6] = version;
  if (version === 1) start.writeUInt16LE(text.length, 8);
  else start.writeUInt32LE(text.length, 8);
  return Buffer.concat([start, Buffer.from(text)]);
};
const claim = (descr: string, shape: string) => `{'descr': '${descr}', 'fortran_order': False, 'shape': (${shape}), }`;
const longClaim = header('', 2);
longClaim.writeUInt32LE(0xfffffff0, 8);

test.each([
  ['not .npy', Buffer.from('hello, world, this is text'), 'is not an .npy array'],
  ['empty', Buffer.alloc(0), 'is not an .npy array'],
  ['an unknown version', header(claim('<f4', '1,'), 9), 'version 9'],
  ['a header of 4 GB', longClaim, 'too long'],
  ['cut in the header', header(claim('<f4', '1,')).subarray(0, 30), 'cut short in its header'],
  ['no dictionary', header('[1, 2, 3]'), 'not understood'],
  ['a claim of a terabyte', header(claim('<f8', '1000000, 1000000')), 'cut short'],
  ['a claim beyond all numbers', header(claim('<f8', '99999999999999999999, 1')), 'that cannot be'],
  ['cut in the data', encodeNpy([3], Float32Array.of(1, 2, 3)).subarray(0, -1), 'cut short'],
  ['too long', Buffer.concat([encodeNpy([1], Float32Array.of(1)), Buffer.alloc(4)]), 'holds more than its header says'],
  ['strings that are not text', Buffer.concat([header(claim('<U1', '1,')), Buffer.alloc(4, 255)]), 'not text'],
])('%s is a sentence that names the file', async (_what, bytes, sentence) => {
  const path = join(folder, 'bad.npy');
  writeFileSync(path, bytes);
  const failure = readNpy(path);
  await expect(failure).rejects.toThrow(UntangleError);
  await expect(failure).rejects.toThrow(path);
  await expect(failure).rejects.toThrow(sentence);
});

test('an array that does not fit its shape is not written', async () => {
  await expect(writeNpy(join(folder, 'never.npy'), [2, 2], Uint8Array.of(1))).rejects.toThrow(
    '1 values do not fill an array of shape 2 × 2.',
  );
  expect(readdirSync(folder).filter((name) => name.startsWith('never'))).toEqual([]);
});

test('broken bytes give an error or an array that fits its shape, whole or in pieces', async () => {
  const good = bytesOf(fixture.cases[3].npy);
  const broken = fc.array(fc.tuple(fc.nat(good.length - 1), fc.nat(255)), { maxLength: 4 }).map((changes) => {
    const bytes = Uint8Array.from(good);
    for (const [at, value] of changes) bytes[at] = value;
    return bytes;
  });
  const texts = fc
    .tuple(
      fc.constantFrom('<f4', '>u8', '|O', '<U3', '|S0', '|V4', '<f99'),
      fc.array(fc.nat(9), { maxLength: 3 }),
      fc.nat(40),
    )
    .map(([descr, shape, extra]) => Buffer.concat([header(claim(descr, shape.join(', '))), Buffer.alloc(extra)]));
  await fc.assert(
    fc.asyncProperty(fc.oneof(broken, texts, fc.uint8Array({ maxLength: 60 })), async (bytes) => {
      try {
        const { shape, data } = parseNpy(bytes, 'a');
        expect(data.length).toBe(shape.reduce((product, side) => product * side, 1));
      } catch (error) {
        expect(error).toBeInstanceOf(UntangleError);
      }
      await streamNpy(cut(bytes, [7]), 'a', { start: () => {}, next: () => {} }).catch((error) => {
        expect(error).toBeInstanceOf(UntangleError);
      });
    }),
    { numRuns: 500 },
  );
});
