import { expect, test } from 'vitest';
import { stream } from '../random/index.ts';
import { grad, input } from '../tensor/index.ts';
import { evaluate } from '../tensor/testing/evaluate.ts';
import { distanceCorrelation } from './distance-correlation.ts';
import fixture from './fixtures/contrastive.json' with { type: 'json' };

test('distance correlation and its gradients are those of the formula in PyTorch', async () => {
  const known = fixture.distanceCorrelation;
  const [a, b] = [input('a', [8, 2]), input('b', [8, 2])];
  const value = distanceCorrelation(a, b);
  const [[found], inA, inB] = await evaluate([value, ...grad(value, [a, b])], { a: known.a, b: known.b });
  expect(found).toBeCloseTo(known.value, 5);
  for (const [ours, theirs] of [
    [inA, known.inA],
    [inB, known.inB],
  ] as const) {
    expect(ours.length).toBe(16);
    ours.forEach((slope, i) => {
      expect(slope).toBeCloseTo(theirs[i], 4);
    });
  }
});

/** The distance correlation of a code of normals with another code made of it. */
async function withItself(made: (x: number, other: number) => number, n = 200): Promise<number> {
  const random = stream(1, 'distance correlation');
  const x = random.normals(n);
  const other = random.normals(n);
  const [[found]] = await evaluate([distanceCorrelation(input('a', [n, 1]), input('b', [n, 1]))], {
    a: x,
    b: x.map((value, i) => made(value, other[i])),
  });
  return found;
}

test('a code is wholly dependent on itself, at any scale', async () => {
  expect(await withItself((x) => x)).toBeCloseTo(1, 5);
  expect(await withItself((x) => -7 * x + 3)).toBeCloseTo(1, 5);
});

test('a square, which no covariance shows, is seen; an independent code is not', async () => {
  expect(await withItself((x) => x * x)).toBeGreaterThan(0.15);
  expect(Math.abs(await withItself((_, other) => other))).toBeLessThan(0.02);
});

test('rows that are all alike give 0 and a gradient that is a number', async () => {
  const a = input('a', [6, 2]);
  const value = distanceCorrelation(a, input('b', [6, 1]));
  const [[found], slopes] = await evaluate([value, ...grad(value, [a])], {
    a: new Float32Array(12).fill(0.5),
    b: [1, 2, 3, 4, 5, 7],
  });
  expect(found).toBeCloseTo(0, 6);
  expect([...slopes].every(Number.isFinite)).toBe(true);
});

test('a batch that is too small for it is refused', () => {
  expect(() => distanceCorrelation(input('a', [3, 2]), input('b', [3, 1]))).toThrow('4 items or more, not 3');
});
