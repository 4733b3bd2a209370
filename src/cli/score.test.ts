import { expect, test } from 'vitest';
import { scoreAll } from '../metrics/index.ts';
import { resultsText } from './score.ts';

test('a note that several metrics make is said once, with their names', () => {
  const n = 200;
  const values = Float32Array.from({ length: n }, (_, i) => Math.sin(i));
  const inputs = {
    codes: { values, n, d: 1 },
    factors: { values, n, factors: [{ name: 'phase', kind: 'continuous' as const, size: 0 }] },
  };
  const text = resultsText(scoreAll(inputs, { names: ['modularity', 'dci'] }, { seed: 0 }));
  expect(text.match(/equal bins/g)).toHaveLength(1);
  expect(text).toMatch(/(Modularity, DCI|DCI, Modularity): Continuous factors are cut into 20 equal bins: “phase”\./);
});
