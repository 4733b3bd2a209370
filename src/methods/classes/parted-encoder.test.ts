import { expect, test } from 'vitest';
import { build, initialValues } from '../../nn/index.ts';
import { constant, grad, scalar, type Tensor } from '../../tensor/index.ts';
import { evaluate } from '../../tensor/testing/evaluate.ts';
import { attentionSlope, classLogits, classPriors, classRelated } from './parted-encoder.ts';

const sizes = { classes: [3, 2], classLatents: 2 };
const features = 4;
const h = constant([0.4, -1, 2, 0.7, -0.2, 0.9, 1.1, -0.6], [2, features]);

async function valuesOf(b: ReturnType<typeof build>, tensors: Tensor[]) {
  return evaluate(
    tensors,
    Object.fromEntries(initialValues(b.declared, 1).map(({ name, initial }) => [name, initial])),
  );
}

test('each u is reached from its own c alone, through its own block of attention and head', async () => {
  const b = build({ size: 2, workers: 1 });
  const c = classLogits(b, h, sizes);
  const related = classRelated(b, h, c, scalar(8), sizes);
  const weights = ['attention.weight', 'u.mean.weight', 'u.log variance.weight'];
  const tensors = weights.map((name) => b.declared.get(name)!.tensor);
  for (const [k, { mean, logVariance }] of related.entries()) {
    const gradients = await valuesOf(b, grad(mean.plus(logVariance).sum(), [...c, ...tensors]));
    const own = gradients[k].filter((value) => value !== 0).length;
    expect(own).toBe(gradients[k].length);
    expect([...gradients[1 - k]].every((value) => value === 0)).toBe(true);
    // Of the attention's [2 · features, 5] weights, those of this variable's features and classes.
    const attention = gradients[2];
    for (let row = 0; row < 2 * features; row++)
      for (let column = 0; column < 5; column++)
        expect(attention[row * 5 + column] !== 0, `${row}, ${column}`).toBe(
          Math.floor(row / features) === k && (column < 3 ? 0 : 1) === k,
        );
    // Of the heads' [2 · 2, 2 · features] weights, those from this variable's features to its u.
    for (const head of gradients.slice(3))
      for (let row = 0; row < 4; row++)
        for (let column = 0; column < 2 * features; column++)
          expect(head[row * 2 * features + column] !== 0).toBe(
            Math.floor(row / 2) === k && Math.floor(column / features) === k,
          );
  }
});

test('learned priors have deviations between 0.22 and 1.65, whatever their parameters', async () => {
  const b = build();
  const priors = classPriors(b, sizes);
  expect(priors.map(({ mean }) => mean.shape)).toEqual([
    [3, 2],
    [2, 2],
  ]);
  const logVariances = await evaluate(
    priors.map(({ logVariance }) => logVariance),
    { 'prior.spread': [-50, -1, 0, 1, 50, 0, 0, 0, 0, 0] },
  );
  const deviations = [...logVariances[0]].map((value) => Math.exp(value / 2));
  expect(Math.min(...deviations)).toBeCloseTo(Math.exp(-1.5), 5);
  expect(Math.max(...deviations)).toBeCloseTo(Math.exp(0.5), 5);
});

test('the attention’s slope is scheduled in training; in use it is 8 as the authors’ is, or that of the last step', async () => {
  const training = build({ size: 2, workers: 1 });
  const scheduled = scalar(3);
  expect(attentionSlope(training, scheduled, 8)).toBe(scheduled);
  expect(training.assigns.length).toBe(1);
  const use = build();
  const slopes = [attentionSlope(use, scheduled, 8), attentionSlope(use, scheduled, 0)];
  expect((await evaluate(slopes, { 'attention.slope': [5] })).map(([slope]) => slope)).toEqual([8, 5]);
});
