import { expect, test } from 'vitest';
import { grad, input, product, rowsInput, tanh } from '../tensor/index.ts';
import { evaluate } from '../tensor/testing/evaluate.ts';
import { gradientPenalty } from './gradient-penalty.ts';

const x = [0.3, -0.2, 1.1, 0.5, 0.4, -0.7];
const w = [0.8, -1.2];

/** ½ mean ‖w (1 − tanh²(x·w))‖², worked out by hand. */
function expected(weights: readonly number[]): number {
  let total = 0;
  for (let i = 0; i < 3; i++) {
    const bend = 1 - Math.tanh(x[2 * i] * weights[0] + x[2 * i + 1] * weights[1]) ** 2;
    total += bend ** 2 * (weights[0] ** 2 + weights[1] ** 2);
  }
  return total / 3 / 2;
}

test('R1 is half the mean square of the slope, and its own gradient that of the formula', async () => {
  const rows = rowsInput('x', [2], { size: 3, workers: 1 });
  const weight = input('w', [2, 1]);
  const penalty = gradientPenalty(tanh(product(rows, weight)), rows);
  const [[value], slope] = await evaluate([penalty, ...grad(penalty, [weight])], { x, w });
  expect(value).toBeCloseTo(expected(w), 6);
  for (let i = 0; i < 2; i++) {
    const moved = (by: number) => expected(w.map((one, j) => (j === i ? one + by : one)));
    expect(slope[i]).toBeCloseTo((moved(1e-4) - moved(-1e-4)) / 2e-4, 5);
  }
});
