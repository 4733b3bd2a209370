import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { stream } from '../random/index.ts';
import { compile } from '../runtime/index.ts';
import { nodeBackend } from '../runtime/node/index.ts';
import { constant, type Tensor } from '../tensor/index.ts';
import {
  accuracy,
  crossEntropy,
  entropy,
  gumbelSoftmax,
  klOfAggregate,
  klToUniform,
  mostProbable,
} from './categorical.ts';

/** Written by tools/fixtures_classes.py with numpy. */
const golden: { logits: number[][]; prior: number[]; klOfAggregate: number; entropy: number; klToUniform: number } =
  JSON.parse(readFileSync(new URL('./fixtures/classes.json', import.meta.url), 'utf8'));
const logits = constant(golden.logits.flat(), [4, 3]);

async function evaluate(outputs: Record<string, Tensor>): Promise<Record<string, Float32Array>> {
  const program = await compile({ parameters: [], functions: { f: outputs } }, { backend: await nodeBackend() });
  const result = await program.run('f', {});
  await program.close();
  return result;
}

test('entropy, the divergence of the aggregate posterior and that from uniform have their golden values', async () => {
  const result = await evaluate({
    entropy: entropy(logits).mean(),
    aggregate: klOfAggregate(logits, golden.prior),
    uniform: klToUniform(logits).mean(),
  });
  expect(result.entropy[0]).toBeCloseTo(golden.entropy, 6);
  expect(result.aggregate[0]).toBeCloseTo(golden.klOfAggregate, 6);
  expect(result.uniform[0]).toBeCloseTo(golden.klToUniform, 6);
});

test('a class that no item has costs a finite divergence', async () => {
  const { kl } = await evaluate({ kl: klOfAggregate(constant([500, -500, 500, -500], [2, 2]), [0.5, 0.5]) });
  expect(kl[0]).toBeCloseTo(Math.LN2, 6);
});

test('a relaxed sample is one-hot at low temperature, uniform at high, and sums to one between', async () => {
  const noise = constant(stream(1, 'gumbel noise').gumbels(12), [4, 3]);
  const { cold, warm, hot } = await evaluate({
    cold: gumbelSoftmax(logits, noise, 0.001),
    warm: gumbelSoftmax(logits, noise, 0.67),
    hot: gumbelSoftmax(logits, noise, 1e5),
  });
  for (let row = 0; row < 4; row++) {
    const of = (values: Float32Array) => [...values.subarray(3 * row, 3 * row + 3)];
    expect(of(cold).sort()).toEqual([0, 0, 1]);
    expect(of(warm).reduce((sum, value) => sum + value, 0)).toBeCloseTo(1, 6);
    for (const value of of(hot)) expect(value).toBeCloseTo(1 / 3, 4);
  }
});

test('relaxed samples at low temperature fall on the classes as often as q(c|x) says', async () => {
  const count = 20_000;
  const noise = constant(stream(2, 'gumbel noise').gumbels(3 * count), [count, 3]);
  const { drawn } = await evaluate({
    drawn: gumbelSoftmax(constant([1, 0, -1], [1, 3]), noise, 0.001).mean(0),
  });
  const weights = [Math.E, 1, 1 / Math.E];
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  // Three standard errors of a share among so many draws.
  for (const [i, weight] of weights.entries()) {
    const share = weight / total;
    expect(Math.abs(drawn[i] - share)).toBeLessThan(3 * Math.sqrt((share * (1 - share)) / count) + 1e-4);
  }
});

test('the most probable class is a one-hot row, and accuracy counts it', async () => {
  const y = constant([1, 0, 0, 0, 1, 0, 0, 1, 0, 0, 0, 1], [4, 3]);
  const result = await evaluate({
    hard: mostProbable(logits),
    tied: mostProbable(constant([2, 2, 0, 0], [1, 4])),
    right: accuracy(logits, y),
    loss: crossEntropy(constant([0, 0, 0, 100, 0, 0], [2, 3]), constant([1, 0, 0, 1, 0, 0], [2, 3])),
  });
  expect([...result.hard]).toEqual([1, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1]);
  expect([...result.tied]).toEqual([0.5, 0.5, 0, 0]);
  expect(result.right[0]).toBe(0.75);
  expect(result.loss[0]).toBeCloseTo(Math.log(3) / 2, 6);
});
