import { expect, test } from 'vitest';
import fixture from './fixtures/varimax.json' with { type: 'json' };
import { varimax } from './varimax.ts';

test('rotated loadings are scikit-learn’s, and one factor is left as it is', () => {
  const { loadings, rotated } = fixture;
  const rotation = varimax(loadings, 8, 3);
  rotated.forEach((known, e) => {
    const [j, c] = [Math.floor(e / 3), e % 3];
    const ours = [0, 1, 2].reduce((sum, k) => sum + loadings[3 * j + k] * rotation[3 * k + c], 0);
    expect(ours).toBeCloseTo(known, 4);
  });
  expect(Array.from(varimax([1, 2, 3], 3, 1))).toEqual([1]);
});
