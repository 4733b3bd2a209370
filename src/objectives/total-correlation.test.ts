import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { compile, type Feeds } from '../runtime/index.ts';
import { nodeBackend } from '../runtime/node/index.ts';
import { constant, grad, input, type Tensor } from '../tensor/index.ts';
import { sample } from './gaussian.ts';
import { type AggregateEstimator, aggregateDensity, klParts } from './total-correlation.ts';

type Terms = Record<'mutualInformation' | 'totalCorrelation' | 'dimensionWiseKl', number>;
/** Written by tools/fixtures_objectives.py with PyTorch. */
const fixture: {
  items: number;
  estimators: Record<
    AggregateEstimator,
    {
      terms: Terms & { betweenGroups: number; insideGroups: number; kl: number };
      gradients: Record<keyof Terms, [number[], number[]]>;
    }
  >;
} = JSON.parse(readFileSync(new URL('./fixtures/kl-parts.json', import.meta.url), 'utf8'));

// Fixture C of the metrics' definitions, as in terms.test.ts.
const [rows, columns] = [8, 3];
const grid = (f: (r: number, c: number) => number) =>
  Float32Array.from({ length: rows * columns }, (_, i) => f(Math.floor(i / columns), i % columns));
const feeds = {
  mean: grid((r, c) => Math.sin(1.3 * r + 0.7 * c) * (1 + 0.5 * c)),
  'log variance': grid((r, c) => -1 + 0.1 * r + 0.05 * c),
};
const mean = input('mean', [rows, columns]);
const logVariance = input('log variance', [rows, columns]);
const posterior = { mean, logVariance };
const noise = grid((r, c) => Math.sin(7 * r + 3 * c + 1));
const z = sample(posterior, constant(noise, [rows, columns]));
const estimators: AggregateEstimator[] = ['weighted', 'stratified', 'corrected'];
const names = ['mutualInformation', 'totalCorrelation', 'dimensionWiseKl'] as const;

async function evaluate(outputs: Record<string, Tensor>, fed: Feeds = feeds): Promise<Record<string, Float32Array>> {
  const program = await compile({ parameters: [], functions: { f: outputs } }, { backend: await nodeBackend() });
  const result = await program.run('f', fed);
  await program.close();
  return result;
}

test.each(estimators)('%s parts of the KL have PyTorch’s values, and add up to the KL', async (estimator) => {
  const { terms } = fixture.estimators[estimator];
  const parts = await evaluate({ ...klParts(posterior, z, fixture.items, estimator) });
  let sum = 0;
  for (const name of names) {
    expect(Math.abs(parts[name][0] - terms[name])).toBeLessThan(1e-4 * Math.abs(terms[name]));
    sum += parts[name][0];
  }
  expect(sum / terms.kl).toBeCloseTo(1, 5);
});

test('the stratified and the weighted parts have the golden values of fixture C', async () => {
  // golden2.json: “mss diagonal (intended)” and “mws(N=100)”.
  const stratified = await evaluate({ ...klParts(posterior, z, 100, 'stratified') });
  expect(stratified.mutualInformation[0] / 2.4234231802491255).toBeCloseTo(1, 4);
  expect(stratified.totalCorrelation[0] / 0.06677391083732986).toBeCloseTo(1, 4);
  expect(stratified.dimensionWiseKl[0] / -0.16598553588971665).toBeCloseTo(1, 4);
  const weighted = await evaluate({ ...klParts(posterior, z, 100, 'weighted') });
  expect(weighted.mutualInformation[0] / 6.162558864172896).toBeCloseTo(1, 5);
  // Without its constants, the total correlation is that of disentanglement_lib.
  expect((weighted.totalCorrelation[0] - (columns - 1) * Math.log(rows * 100)) / -3.7226210676516693).toBeCloseTo(1, 5);
});

test.each(estimators)('%s parts of the KL have PyTorch’s gradients', async (estimator) => {
  const { gradients } = fixture.estimators[estimator];
  const parts = klParts(posterior, z, fixture.items, estimator);
  for (const name of names) {
    const [byMean, byLogVariance] = grad(parts[name], [mean, logVariance]);
    const found = await evaluate({ byMean, byLogVariance });
    const close = (values: Float32Array, expected: number[]) =>
      expect(Math.max(...expected.map((value, i) => Math.abs(values[i] - value)))).toBeLessThan(2e-6);
    close(found.byMean, gradients[name][0]);
    close(found.byLogVariance, gradients[name][1]);
  }
});

test('groups of dimensions part the total correlation into what lies between and inside them', async () => {
  const { joint, marginals, ofGroup } = aggregateDensity(posterior, z, fixture.items, 'corrected');
  const groups = ofGroup(0, 2).plus(ofGroup(2, 3));
  const { between, inside } = await evaluate({
    between: joint.minus(groups).mean(),
    inside: groups.minus(marginals.sum(1)).mean(),
  });
  const { betweenGroups, insideGroups } = fixture.estimators.corrected.terms;
  expect(between[0] / betweenGroups).toBeCloseTo(1, 4);
  expect(inside[0] / insideGroups).toBeCloseTo(1, 4);
});

test('far codes of narrow posteriors stay finite', async () => {
  const far = input('far', [4, 1]);
  const narrow = { mean: far, logVariance: constant([-20, -20, -20, -20], [4, 1]) };
  const parts = klParts(narrow, far, 1000, 'stratified');
  const [slope] = grad(parts.mutualInformation.plus(parts.totalCorrelation).plus(parts.dimensionWiseKl), [far]);
  const { mutualInformation, totalCorrelation, slopes } = await evaluate(
    { ...parts, slopes: slope },
    { far: Float32Array.of(0, 100, -100, 5000) },
  );
  // Each code is known by its own item alone, which counts as one of a thousand.
  expect(mutualInformation[0]).toBeCloseTo(Math.log(1000), 4);
  expect(totalCorrelation[0]).toBeCloseTo(0, 4);
  expect(slopes.every(Number.isFinite)).toBe(true);
});

test('a batch that q(z) can’t be estimated from is an error that says so', () => {
  expect(() => klParts(posterior, z, 7, 'stratified')).toThrow(/at most all 7 items, not of 8/);
  const wide = constant(new Float32Array(8192 * 5), [8192, 5]);
  expect(() => klParts({ mean: wide, logVariance: wide }, wide, 1e6, 'weighted')).toThrow(/too large to hold/);
});
