import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { fingerprint } from './dataset.ts';

test('a fingerprint is the first half of the SHA-256 of its framed parts', () => {
  const framed = Buffer.concat([Buffer.from('string 5\nmnistnumber 2\n32bytes 2\n'), Buffer.from([7, 8])]);
  const whole = createHash('sha256').update(framed).digest('hex');
  expect(fingerprint('mnist', 32, new Uint8Array([7, 8]))).toBe(whole.slice(0, 32));
});

test('moving a boundary, a type or a byte changes it; a copy does not', () => {
  const base = fingerprint('ab', 'c', new Uint8Array([1, 2]));
  expect(fingerprint('ab', 'c', Uint8Array.of(0, 1, 2, 0).subarray(1, 3))).toBe(base);
  expect(fingerprint('a', 'bc', new Uint8Array([1, 2]))).not.toBe(base);
  expect(fingerprint('ab', 'c', new Uint8Array([1, 3]))).not.toBe(base);
  expect(fingerprint('1')).not.toBe(fingerprint(1));
});
