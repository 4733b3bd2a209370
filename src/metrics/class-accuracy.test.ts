import { expect, test } from 'vitest';
import { classAccuracy } from './class-accuracy.ts';

const n = 300;
const labels = { names: ['a', 'b', 'c'], values: Uint16Array.from({ length: n }, (_, i) => i % 3) };

test('the class block is right as often as its largest entry is the label, and more often under the best naming', () => {
  const values = new Float64Array(n * 3);
  for (let i = 0; i < n; i++) values[i * 3 + ((i + 1) % 3)] = 1;
  const blocks = [{ name: 'c', role: 'class' as const, start: 0, size: 3 }];
  const { score, parts } = classAccuracy.score({ probabilities: { values, n, d: 3, blocks }, labels });
  expect([score, parts.matchedAccuracy]).toEqual([0, 1]);
  expect(() => classAccuracy.score({ probabilities: { values, n, d: 3 }, labels })).toThrow('no block with role class');
});
