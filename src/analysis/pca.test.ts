import { expect, test } from 'vitest';
import { UntangleError } from '../errors.ts';
import { stream } from '../random/index.ts';
import fixture from './fixtures/pca.json' with { type: 'json' };
import { pca, project } from './pca.ts';

test.each(fixture.cases)('variances and axes are scikit-learn’s: $name', ({ n, d, x, variances, ratios, axes }) => {
  const components = variances.length;
  const model = pca({ x: Float64Array.from(x), n, d, components });
  for (let c = 0; c < components; c++) {
    expect(model.variances[c]).toBeCloseTo(variances[c], 9);
    expect(model.variances[c] / model.totalVariance).toBeCloseTo(ratios[c], 10);
    const own = Array.from(model.axes.subarray(c * d, (c + 1) * d));
    const largest = own.reduce((most, value) => (Math.abs(value) > Math.abs(most) ? value : most), 0);
    expect(largest).toBeGreaterThan(0);
    const theirs = axes.slice(c * d, (c + 1) * d);
    const sign = Math.sign(own.reduce((sum, value, j) => sum + value * theirs[j], 0));
    own.forEach((value, j) => {
      expect(value).toBeCloseTo(sign * theirs[j], 7);
    });
  }
});

test('a few directions of a wide table are those of the whole decomposition', () => {
  const [n, d] = [260, 230];
  const random = stream(4, 'table');
  const x = Float64Array.from({ length: n * d }, (_, e) => random.normal() * (1 + 8 / (1 + (e % d))));
  const few = pca({ x, n, d, components: 3 });
  const all = pca({ x, n, d });
  for (let c = 0; c < 3; c++) expect(few.variances[c]).toBeCloseTo(all.variances[c], 8);
  few.axes.forEach((value, e) => {
    expect(value).toBeCloseTo(all.axes[e], 5);
  });
  expect(all.variances.reduce((sum, variance) => sum + variance, 0)).toBeCloseTo(all.totalVariance, 8);
});

test('projected points are uncorrelated, with the variances that the model says', () => {
  const { x, n, d } = fixture.cases[0];
  const points = Float64Array.from(x);
  const model = pca({ x: points, n, d, components: 2 });
  const scores = project(model, points, n);
  let [cross, second] = [0, 0];
  for (let i = 0; i < n; i++) {
    cross += (scores[2 * i] * scores[2 * i + 1]) / (n - 1);
    second += scores[2 * i + 1] ** 2 / (n - 1);
  }
  expect(cross).toBeCloseTo(0, 10);
  expect(second).toBeCloseTo(model.variances[1], 10);
});

test('equal points have orthogonal axes without variance', () => {
  for (const d of [3, 8]) {
    const { axes, variances } = pca({ x: new Float64Array(5 * d).fill(2), n: 5, d, components: 2 });
    expect(Array.from(variances)).toEqual([0, 0]);
    const dot = (a: number, b: number) =>
      axes.subarray(a * d, a * d + d).reduce((s, v, j) => s + v * axes[b * d + j], 0);
    expect([dot(0, 0), dot(0, 1), dot(1, 1)]).toEqual([1, 0, 1]);
  }
});

test('one point, too many components and missing numbers are refused in words', () => {
  expect(() => pca({ x: Float64Array.of(1, 2), n: 1, d: 2 })).toThrow('number of points is 1');
  expect(() => pca({ x: new Float64Array(12), n: 3, d: 4, components: 3 })).toThrow('number of components is 3');
  expect(() => pca({ x: Float64Array.of(1, 2, Number.NaN, 4), n: 2, d: 2 })).toThrow(UntangleError);
});
