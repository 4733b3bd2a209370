import fc from 'fast-check';
import { expect, test } from 'vitest';
import { crc32 } from './crc32.ts';

test('the check value of the CRC-32 catalogue comes out', () => {
  expect(crc32(Buffer.from('123456789'))).toBe(0xcbf43926);
});

test('a checksum in pieces is that of the whole, and agrees bit by bit with the definition', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 50 }), fc.nat(50), (bytes, cut) => {
      expect(crc32(bytes.subarray(cut), crc32(bytes.subarray(0, cut)))).toBe(crc32(bytes));
      let crc = 0xffffffff;
      for (const byte of bytes) {
        crc ^= byte;
        for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
      }
      expect(crc32(bytes)).toBe(~crc >>> 0);
    }),
  );
});
