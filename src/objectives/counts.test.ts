import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { grad, input, type Tensor } from '../tensor/index.ts';
import { evaluate } from '../tensor/testing/evaluate.ts';
import { type CountLikelihood, negativeBinomialLoss, poissonLoss, zeroInflatedLoss } from './counts.ts';

/** Written by tools/fixtures_counts.py with scipy and PyTorch. */
const fixture: {
  x: number[];
  mu: number[];
  theta: number[];
  pi: number[];
  values: Record<CountLikelihood, number[]>;
  gradients: Record<CountLikelihood, number[][]>;
} = JSON.parse(readFileSync(new URL('fixtures/counts.json', import.meta.url), 'utf8'));

const n = fixture.x.length;
const [x, logMean, logDispersion, logits] = ['x', 'mean', 'dispersion', 'zeros'].map((name) => input(name, [1, n]));
const feeds = {
  x: fixture.x,
  mean: fixture.mu.map(Math.log),
  dispersion: fixture.theta.map(Math.log),
  zeros: fixture.pi.map((share) => Math.log(share / (1 - share))),
};

const losses: Record<CountLikelihood, { loss: Tensor; of: Tensor[] }> = {
  poisson: { loss: poissonLoss(x, logMean), of: [logMean] },
  'negative-binomial': { loss: negativeBinomialLoss(x, logMean, logDispersion), of: [logMean, logDispersion] },
  'zero-inflated': {
    loss: zeroInflatedLoss(x, logMean, logDispersion, logits),
    of: [logMean, logDispersion, logits],
  },
};

test.each(Object.keys(losses) as CountLikelihood[])('%s has scipy’s values and PyTorch’s gradients', async (name) => {
  const { loss, of } = losses[name];
  const used = new Set(['x', ...['mean', 'dispersion', 'zeros'].slice(0, of.length)]);
  const [values, ...gradients] = await evaluate(
    [loss, ...grad(loss.sum(), of)],
    Object.fromEntries(Object.entries(feeds).filter(([key]) => used.has(key))),
  );
  const apart = (got: ArrayLike<number>, wanted: number[]) =>
    Math.max(...wanted.map((value, i) => Math.abs(got[i] - value) / Math.max(1, Math.abs(value))));
  expect(apart(values, fixture.values[name])).toBeLessThan(2e-4);
  for (const [k, gradient] of gradients.entries())
    expect(apart(gradient, fixture.gradients[name][k])).toBeLessThan(2e-3);
});
