import { expect, test } from 'vitest';
import { stream } from '../random/index.ts';
import { contrastivePca, contrastiveSweep } from './contrastive-pca.ts';
import fixture from './fixtures/contrastive-pca.json' with { type: 'json' };
import { pca, project } from './pca.ts';

const { n, m, d, sweep } = fixture;
const target = { x: Float64Array.from(fixture.target), n, d };
const background = { x: Float64Array.from(fixture.background), n: m, d };

test.each(fixture.cases)('at α = $alpha, eigenvalues, variances and axes are numpy’s', ({ alpha, ...known }) => {
  const model = contrastivePca({ target, background, alpha, components: 3 });
  for (let c = 0; c < 3; c++) {
    expect(model.values[c]).toBeCloseTo(known.values[c], 6);
    expect(model.variances[c]).toBeCloseTo(known.variances[c], 6);
    expect(model.backgroundVariances[c]).toBeCloseTo(known.backgroundVariances[c], 6);
    let overlap = 0;
    for (let j = 0; j < d; j++) overlap += model.axes[c * d + j] * known.axes[c * d + j];
    expect(Math.abs(overlap)).toBeCloseTo(1, 7);
  }
});

test('without a contrast it is the PCA of the target', () => {
  const contrastive = contrastivePca({ target, background, alpha: 0 });
  const plain = pca({ ...target, components: 2 });
  expect(contrastive.totalVariance).toBeCloseTo(plain.totalVariance, 9);
  plain.axes.forEach((value, e) => {
    expect(contrastive.axes[e]).toBeCloseTo(value, 7);
  });
  project(plain, target.x, n).forEach((score, e) => {
    expect(project(contrastive, target.x, n)[e]).toBeCloseTo(score, 6);
  });
});

test('the sweep finds scikit-learn’s clusters of α and their medoids', () => {
  const found = contrastiveSweep({ target, background, components: sweep.components, clusters: sweep.clusters });
  found.alphas.forEach((alpha, i) => {
    expect(alpha / (sweep.alphas[i] || 1)).toBeCloseTo(i === 0 ? 0 : 1, 8);
  });
  const theirs = new Map<number, number>();
  const inOrder = sweep.labels.map((label) => {
    const known = theirs.get(label) ?? theirs.size;
    theirs.set(label, known);
    return known;
  });
  expect(Array.from(found.labels)).toEqual(inOrder);
  expect(found.models.length).toBe(sweep.clusters);
  found.models.forEach(({ alpha }, c) => {
    expect(alpha).toBeCloseTo(sweep.medoids[c], 6);
  });
});

/** Wide sets that share strong nuisance directions; the target's items lie in two groups along one more. */
function wide(count: number, contrast: number, seed: number) {
  const width = 150;
  const random = stream(seed, 'wide');
  const x = new Float64Array(count * width);
  for (let i = 0; i < count; i++) {
    for (let j = 0; j < width; j++) x[i * width + j] = random.normal() * (j < 5 ? 6 : 0.3);
    x[i * width + 20] += i % 2 === 0 ? contrast : -contrast;
  }
  return { x, n: count, d: width };
}

test('a wide set is reduced first, and the direction that only the target has is found all the same', () => {
  const sets = { target: wide(300, 3, 1), background: wide(300, 0, 2), within: 40 };
  const size = (alpha: number) => {
    const { axes } = contrastivePca({ ...sets, alpha, components: 1 });
    return Math.abs(axes[20]);
  };
  expect(size(0)).toBeLessThan(0.1);
  expect(size(3)).toBeGreaterThan(0.95);
  const [first, ...others] = contrastiveSweep({ ...sets, components: 1 }).models;
  expect(first.alpha).toBe(0);
  expect(others.some(({ axes }) => Math.abs(axes[20]) > 0.95)).toBe(true);
});

test('other columns, a negative α and too many components are refused in words', () => {
  expect(() => contrastivePca({ target, background: { ...background, d: 5, n: 60 }, alpha: 1 })).toThrow(
    'The target has 6 columns, the background 5',
  );
  expect(() => contrastivePca({ target, background, alpha: -1 })).toThrow('α is -1');
  expect(() => contrastivePca({ target, background, alpha: 1, components: 7 })).toThrow('number of components is 7');
  expect(() => contrastiveSweep({ target, background, alphas: [1], clusters: 3 })).toThrow('number of clusters is 3');
});

/** Three columns that vary, and a fourth that is the sum of the first two. */
function redundant(seed: number, spread: number) {
  const random = stream(seed, 'redundant columns');
  const rows = Array.from({ length: 120 }, () => {
    const [a, b, c] = [spread * random.normal(), random.normal(), random.normal()];
    return [a, b, c, a + b];
  });
  return { x: Float64Array.from(rows.flat()), n: 120, d: 4 };
}

test('columns that follow from others leave no direction of rounding noise, however large α is', () => {
  const sets = { target: redundant(1, 3), background: redundant(2, 1) };
  const { models } = contrastiveSweep(sets);
  for (const { variances } of models) for (const variance of variances) expect(variance).toBeGreaterThan(1e-3);
  const [most] = contrastivePca({ ...sets, alpha: 1000 }).variances;
  expect(most).toBeGreaterThan(0.5);
  expect(() => contrastivePca({ ...sets, alpha: 1, components: 4 })).toThrow(
    'vary in 3 directions alone; 4 were asked',
  );
});
