import fc from 'fast-check';
import { expect, test } from 'vitest';
import { UntangleError } from '../errors.ts';
import { decodeSafetensors, encodeSafetensors, type StoredTensor } from './safetensors.ts';

/** A file put together from the format's public description, not by the writer under test. */
function fileOf(header: string, data: Uint8Array, length = Buffer.byteLength(header)): Uint8Array {
  const prefix = Buffer.alloc(8);
  prefix.writeBigUInt64LE(BigInt(length));
  return Buffer.concat([prefix, Buffer.from(header), data]);
}

const reasonOf = (bytes: Uint8Array) => {
  try {
    decodeSafetensors(bytes);
  } catch (error) {
    if (error instanceof UntangleError) return error.message;
    throw error;
  }
  return 'read';
};

const tensor: fc.Arbitrary<StoredTensor> = fc
  .tuple(fc.array(fc.nat({ max: 4 }), { maxLength: 3 }), fc.nat({ max: 9 }), fc.infiniteStream(fc.nat({ max: 255 })))
  .map(([shape, kind, numbers]) => {
    const kinds = [
      Float32Array,
      Float64Array,
      BigInt64Array,
      BigUint64Array,
      Int32Array,
      Uint32Array,
      Int16Array,
      Uint16Array,
      Int8Array,
      Uint8Array,
    ];
    const size = shape.reduce((a, b) => a * b, 1);
    const bytes = Uint8Array.from({ length: size * kinds[kind].BYTES_PER_ELEMENT }, () => numbers.next().value);
    return { shape, data: new kinds[kind](bytes.buffer) };
  });
const tensors = fc.uniqueArray(fc.tuple(fc.string(), tensor), { selector: ([name]) => name, maxLength: 6 });

test('a file written by the format’s public rules is read', () => {
  const data = new Uint8Array(Float32Array.of(1.5, -2, 3, 4.25).buffer);
  const header = '{"__metadata__":{"format":"pt"},"w":{"dtype":"F32","shape":[2,2],"data_offsets":[0,16]}}   ';
  const { tensors, metadata } = decodeSafetensors(fileOf(header, data));
  expect(tensors).toEqual(new Map([['w', { shape: [2, 2], data: Float32Array.of(1.5, -2, 3, 4.25) }]]));
  expect(metadata).toEqual({ format: 'pt' });
});

test('a written file keeps the format’s public rules', () => {
  const bytes = encodeSafetensors(
    [
      ['small', { shape: [3], data: Uint8Array.of(7, 8, 9) }],
      ['wide', { shape: [], data: Float64Array.of(0.1) }],
      ['a', { shape: [1, 2], data: Float32Array.of(1, 2) }],
    ],
    { step: '12' },
  );
  const view = new DataView(bytes.buffer);
  const length = Number(view.getBigUint64(0, true));
  const header = new TextDecoder().decode(bytes.subarray(8, 8 + length));
  expect((8 + length) % 8).toBe(0);
  expect(header).toMatch(/^\{.*\} *$/);
  expect(JSON.parse(header)).toEqual({
    __metadata__: { step: '12' },
    wide: { dtype: 'F64', shape: [], data_offsets: [0, 8] },
    a: { dtype: 'F32', shape: [1, 2], data_offsets: [8, 16] },
    small: { dtype: 'U8', shape: [3], data_offsets: [16, 19] },
  });
  expect(view.getFloat64(8 + length, true)).toBe(0.1);
  expect([...bytes.subarray(8 + length + 16)]).toEqual([7, 8, 9]);
});

test('every tensor comes back bit for bit, whatever its name, type and shape', () => {
  fc.assert(
    fc.property(tensors, fc.dictionary(fc.string(), fc.string()), (given, metadata) => {
      fc.pre(given.every(([name]) => name !== '__metadata__'));
      const read = decodeSafetensors(encodeSafetensors(given, metadata));
      expect(read.metadata).toEqual({ ...metadata });
      expect(read.tensors.size).toBe(given.length);
      for (const [name, { shape, data }] of given) {
        const back = read.tensors.get(name);
        expect(back?.shape).toEqual(shape);
        expect(back?.data.constructor).toBe(data.constructor);
        expect(new Uint8Array(back!.data.buffer)).toEqual(new Uint8Array(data.buffer));
      }
    }),
  );
});

test('broken bytes are refused with a sentence, or read as what they now say', () => {
  const breaks = fc.array(fc.tuple(fc.nat({ max: 400 }), fc.nat({ max: 255 })), { maxLength: 4 });
  fc.assert(
    fc.property(tensors, breaks, fc.nat({ max: 400 }), (given, changes, cut) => {
      fc.pre(given.every(([name]) => name !== '__metadata__'));
      const bytes = encodeSafetensors(given);
      for (const [at, value] of changes) if (at < bytes.length) bytes[at] = value;
      const broken = bytes.subarray(0, Math.max(0, bytes.length - Math.max(0, cut - 200)));
      const reason = reasonOf(broken);
      expect(reason === 'read' || reason.startsWith('The file is not a whole safetensors file:')).toBe(true);
    }),
    { numRuns: 500 },
  );
});

test('a file cut short anywhere is refused', () => {
  const bytes = encodeSafetensors([['w', { shape: [2], data: Float32Array.of(1, 2) }]]);
  for (let length = 0; length < bytes.length; length++) expect(reasonOf(bytes.subarray(0, length))).not.toBe('read');
});

test('what a header claims is checked before it is believed', () => {
  const one = (entry: string) => fileOf(`{"w":${entry}}`, new Uint8Array(8));
  expect(reasonOf(fileOf('{}', new Uint8Array(0), 2 ** 52))).toContain('would take 4503599627370496 of 10 bytes');
  expect(reasonOf(one('{"dtype":"F32","shape":[2],"data_offsets":[0,8]}'))).toBe('read');
  expect(reasonOf(one('{"dtype":"F32","shape":[1000000000,1000000000],"data_offsets":[0,8]}'))).toContain('takes 4000');
  expect(reasonOf(one('{"dtype":"F32","shape":[2],"data_offsets":[4,12]}'))).toContain('begins at byte 4');
  expect(reasonOf(one('{"dtype":"F32","shape":[1],"data_offsets":[0,4]}'))).toContain('take 4 bytes, but 8 follow');
  expect(reasonOf(one('{"dtype":"F32","shape":[-2],"data_offsets":[0,8]}'))).toContain('no proper shape');
  expect(reasonOf(one('{"dtype":"F32","shape":[2],"data_offsets":[8,0]}'))).toContain('takes 8 bytes, not -8');
  expect(reasonOf(one('{"dtype":"F17","shape":[2],"data_offsets":[0,8]}'))).toContain('"F17"; known are F64, I64');
  expect(reasonOf(one('[1]'))).toContain('does not describe a tensor');
  expect(reasonOf(fileOf('{"__metadata__":{"a":1}}', new Uint8Array(0)))).toContain('metadata is not text');
  const overlap =
    '{"a":{"dtype":"U8","shape":[6],"data_offsets":[0,6]},"b":{"dtype":"U8","shape":[4],"data_offsets":[4,8]}}';
  expect(reasonOf(fileOf(overlap, new Uint8Array(8)))).toContain('“b” begins at byte 4 of the data, not at 6');
  expect(reasonOf(fileOf(`${'['.repeat(100_000)}`, new Uint8Array(0)))).toContain('not a JSON object');
});

test('numbers that do not fill their shape are not written', () => {
  expect(() => encodeSafetensors([['w', { shape: [3], data: Float32Array.of(1, 2) }]])).toThrow(
    'The tensor “w” has 2 numbers, but the shape [3].',
  );
});
