import { expect, test } from 'vitest';
import { constant } from '../tensor/index.ts';
import { checkGradient, evaluate } from '../tensor/testing/evaluate.ts';
import { maximumMeanDiscrepancy } from './mmd.ts';

const a = [0.5, -1, 0.25, 1.5, 0, -0.75, -0.5, 0.75, 2, 0.1, -0.2, 0.3];
const b = [1, 1, 0, -1.25, 0.5, 0.5, 0, -0.5, 1];

test('the discrepancy is that of the formula, pair by pair, and that of a set and itself is 0', async () => {
  const mean = (one: number[], other: number[]) => {
    let sum = 0;
    for (let i = 0; i < one.length; i += 3)
      for (let j = 0; j < other.length; j += 3)
        sum += Math.exp(-[0, 1, 2].reduce((square, k) => square + (one[i + k] - other[j + k]) ** 2, 0) / 9);
    return sum / ((one.length / 3) * (other.length / 3));
  };
  const [ofA, ofB] = [constant(a, [4, 3]), constant(b, [3, 3])];
  const [[found], [none]] = await evaluate([maximumMeanDiscrepancy(ofA, ofB), maximumMeanDiscrepancy(ofA, ofA)]);
  expect(found).toBeCloseTo(mean(a, a) + mean(b, b) - 2 * mean(a, b), 6);
  expect(none).toBeCloseTo(0, 6);
});

test('its gradient is that of differences', async () => {
  await checkGradient(
    (one, other) => maximumMeanDiscrepancy(one, other),
    [
      { shape: [4, 3], values: Float32Array.from(a) },
      { shape: [3, 3], values: Float32Array.from(b) },
    ],
  );
});
