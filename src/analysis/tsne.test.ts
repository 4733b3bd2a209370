import { expect, test } from 'vitest';
import { UntangleError } from '../errors.ts';
import { stream } from '../random/index.ts';
import fixture from './fixtures/tsne.json' with { type: 'json' };
import { trustworthiness } from './trustworthiness.ts';
import { tsne, tsneSteps } from './tsne.ts';

test.each(fixture.cases)(
  'pictures of $name are as good as scikit-learn’s ($method)',
  ({ x, n, d, method, ...theirs }) => {
    // The descent is chaotic, so the mean over copies of the data with noise in the sixth digit counts, theirs and ours.
    const copies = 3;
    let kl = 0;
    let trust = 0;
    for (let copy = 0; copy < copies; copy++) {
      const noise = stream(copy, 'sixth digit');
      const points = Float64Array.from(x, (value) => value + 1e-6 * noise.normal());
      const found = tsne({ x: points, n, d, seed: 1, method: method === 'exact' ? 'exact' : 'barnes-hut' });
      kl += found.kl / copies;
      trust += trustworthiness({ x: points, n, d, embedding: found.embedding }) / copies;
    }
    expect(kl).toBeLessThan(theirs.kl * 1.02);
    expect(kl).toBeGreaterThan(theirs.kl * 0.9);
    expect(trust).toBeGreaterThan(theirs.trustworthiness * 0.98);
  },
);

const { x: values, n, d } = fixture.cases[2];
const x = Float64Array.from(values);

test('the tree and the exact sum come to the same divergence', () => {
  const exact = tsne({ x, n, d, seed: 1, perplexity: 12, method: 'exact' }).kl;
  const byTree = tsne({ x, n, d, seed: 1, perplexity: 12, method: 'barnes-hut' }).kl;
  expect(Math.abs(byTree / exact - 1)).toBeLessThan(0.1);
});

test('the same seed gives the same picture, and noise starts from the seed', () => {
  const run = (seed: number) => tsne({ x, n, d, seed, init: 'random', iterations: 60 }).embedding;
  expect(run(1)).toEqual(run(1));
  expect(run(1)).not.toEqual(run(2));
});

test('progress is told after every iteration, and stepping by hand gives the same result', () => {
  const seen: number[] = [];
  const options = { x, n, d, seed: 1, iterations: 300 };
  const whole = tsne({ ...options, onProgress: ({ iteration }) => seen.push(iteration) });
  expect(seen).toEqual(Array.from({ length: 300 }, (_, i) => i + 1));
  const steps = tsneSteps(options);
  let next = steps.next();
  let exaggerated = 0;
  while (!next.done) {
    if (next.value.exaggerated) exaggerated++;
    next = steps.next();
  }
  expect(exaggerated).toBe(250);
  expect(next.value).toEqual(whole);
});

test('equal points, pairs of equal points and two points give a picture of finite numbers', () => {
  const pairs = Float64Array.from({ length: 600 }, (_, e) => Math.sin(Math.floor(e / 2)));
  const cases = [
    { x: new Float64Array(40).fill(1), n: 20, d: 2 },
    { x: new Float64Array(300).fill(1), n: 300, d: 1 },
    { x: pairs, n: 600, d: 1 },
    { x: Float64Array.of(0, 1), n: 2, d: 1 },
    { x: Float64Array.of(0, 0, 1, 0, 5, 5), n: 3, d: 2 },
  ];
  for (const points of cases) {
    const { embedding, kl } = tsne({ ...points, seed: 1, iterations: 300 });
    expect(embedding).toHaveLength(2 * points.n);
    expect(embedding.every(Number.isFinite)).toBe(true);
    expect(Number.isFinite(kl)).toBe(true);
  }
});

test('two far groups stay two groups', () => {
  const random = stream(6, 'groups');
  const points = Float64Array.from({ length: 400 * 3 }, (_, e) => random.normal() + (e < 600 ? 0 : 30));
  const { embedding } = tsne({ x: points, n: 400, d: 3, seed: 1 });
  const side = (i: number) => i < 200;
  let misplaced = 0;
  for (let i = 0; i < 400; i++) {
    let nearest = -1;
    let least = Number.POSITIVE_INFINITY;
    for (let j = 0; j < 400; j++) {
      const distance = Math.hypot(embedding[2 * i] - embedding[2 * j], embedding[2 * i + 1] - embedding[2 * j + 1]);
      if (j !== i && distance < least) [nearest, least] = [j, distance];
    }
    if (side(nearest) !== side(i)) misplaced++;
  }
  expect(misplaced).toBe(0);
});

test('one point, a perplexity that does not fit, and missing numbers are refused in words', () => {
  expect(() => tsne({ x: Float64Array.of(1), n: 1, d: 1, seed: 0 })).toThrow('number of points is 1');
  expect(() => tsne({ x, n, d, seed: 0, perplexity: n })).toThrow(`A perplexity of ${n} does not fit ${n} points`);
  expect(() => tsne({ x: x.map(() => Number.NaN), n, d, seed: 0 })).toThrow(UntangleError);
});
