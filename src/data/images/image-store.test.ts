import { expect, test } from 'vitest';
import { channelsFirst, imageStore } from './image-store.ts';

const pixels = Uint8Array.from({ length: 5 * 3 * 4 * 4 }, (_, i) => (i * 37) % 256);
const colour = imageStore({
  name: 'colour',
  title: 'Colour',
  shape: { kind: 'image', channels: 3, height: 4, width: 4 },
  pixels: [pixels.subarray(0, 96), pixels.subarray(96)],
  fingerprint: 'f',
});

test('bytes in several pieces are gathered as numbers in [0, 1], in the order asked for', () => {
  const two = colour.gather([3, 1]);
  expect(two.length).toBe(96);
  expect(two[0]).toBeCloseTo(pixels[3 * 48] / 255, 6);
  expect(two[48]).toBeCloseTo(pixels[48] / 255, 6);
  const out = new Float32Array(96);
  expect(colour.gather([3, 1], out)).toBe(out);
  expect(out).toEqual(two);
});

test('an item beyond the end is a plain error', () => {
  expect(() => colour.gather([5])).toThrow('Item 5 of colour was asked for; it has 5 items.');
  expect(() => colour.gather([-1])).toThrow('Item -1');
  expect(() => colour.gather([0.5])).toThrow('Item 0.5');
});

test('a symmetric set reads its bytes as [−1, 1]', () => {
  const store = imageStore({
    name: 's',
    title: 's',
    shape: { kind: 'image', channels: 1, height: 1, width: 3 },
    pixels: Uint8Array.of(0, 51, 255),
    fingerprint: '',
    range: 'symmetric',
  });
  const [low, middle, high] = store.gather([0]);
  expect([low, high]).toEqual([-1, 1]);
  expect(middle).toBeCloseTo(-0.6, 6);
});

test('colours that lie together are parted into planes', () => {
  const together = Uint8Array.of(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12);
  expect([...channelsFirst(together, 2, 3)]).toEqual([1, 4, 2, 5, 3, 6, 7, 10, 8, 11, 9, 12]);
});
