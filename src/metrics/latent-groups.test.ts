import { expect, test } from 'vitest';
import { stream } from '../random/index.ts';
import { groupLatents, groupR2, groupThresholdAccuracy } from './latent-groups.ts';
import { r2Matrix } from './sap.ts';
import { ascending, thresholdAccuracy } from './thresholds.ts';

const source = stream(1, 'latent groups');
const [a, b, c] = [0, 1, 2].map(() => Float64Array.from(source.normals(400)));

test('chains of correlation make one group; constant latents stand alone', () => {
  const nearA = a.map((value, i) => value + 0.1 * b[i]);
  const constant = new Float64Array(400).fill(2);
  expect(groupLatents([a, b, nearA, constant], 0.9)).toEqual([[0, 2], [1], [3]]);
  expect(groupLatents([a, a.map((v) => -v)], 0.99)).toEqual([[0, 1]]);
});

test('R² of a group is that of its best linear mix, and copies add nothing', () => {
  const y = a.map((value, i) => 2 * value - b[i] + 0.5);
  expect(groupR2([a, b], y)).toBeCloseTo(1, 12);
  expect(groupR2([a, a], y)).toBeCloseTo(r2Matrix([a], [y])[0][0], 9);
  expect(groupR2([c], c)).toBeCloseTo(1, 12);
});

test('classes that only a mix of two latents separates are separated by the group', () => {
  const classes = Int32Array.from(a, (value, i) => (value - b[i] > 0 ? 1 : 0));
  const alone = thresholdAccuracy(a, ascending(a), classes, 2);
  expect(alone).toBeLessThan(0.85);
  expect(groupThresholdAccuracy([a, b], classes, 2)).toBeGreaterThan(0.97);
  expect(groupThresholdAccuracy([a, a], classes, 2)).toBeCloseTo(alone, 9);
});
