import { expect, test } from 'vitest';
import { stream } from '../random/index.ts';
import { richness } from './richness.ts';

/** Normal points whose columns have the given deviations. */
function cloud(n: number, deviations: number[], purpose: string) {
  const noise = stream(1, purpose);
  const d = deviations.length;
  return { x: Float64Array.from({ length: n * d }, (_, e) => deviations[e % d] * noise.normal()), n, d };
}

test('a set that varies three times as far in one column has nine times the variance there, either way round', () => {
  const rich = cloud(4000, [1, 3, 1], 'rich');
  const plain = cloud(4000, [1, 1, 1], 'plain');
  const found = richness(rich, plain);
  expect(found.target).toBeGreaterThan(8);
  expect(found.target).toBeLessThan(10);
  expect(found.background).toBeCloseTo(1, 0);
  const turned = richness(plain, rich);
  expect(turned.background).toBeCloseTo(found.target, 6);
  expect(turned.target).toBeCloseTo(found.background, 6);
});

test('where only one set varies at all, the ratio is large and finite', () => {
  const { target } = richness(cloud(300, [1, 1], 'one'), cloud(300, [1, 0], 'other'));
  expect(target).toBeGreaterThan(100);
  expect(target).toBeLessThanOrEqual(1000);
});

test('fifty items of equal sets are not called rich by chance', () => {
  for (let draw = 0; draw < 20; draw++) {
    const wide = Array.from({ length: 30 }, () => 1);
    const { target, background } = richness(cloud(50, wide, `a ${draw}`), cloud(50, wide, `b ${draw}`));
    expect(Math.max(target, background)).toBeLessThan(4);
  }
});
