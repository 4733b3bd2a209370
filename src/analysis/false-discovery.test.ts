import { expect, test } from 'vitest';
import { falseDiscovery } from './false-discovery.ts';

test('the rates are those of the procedure by hand, never falling with the p-value', () => {
  // Benjamini and Hochberg (1995), section 4: 15 p-values, of which four are discoveries at 5 %.
  const p = [
    0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344, 0.0459, 0.324, 0.4262, 0.5719, 0.6528, 0.759, 1,
  ];
  const rates = falseDiscovery(p);
  expect(rates.filter((rate) => rate <= 0.05)).toHaveLength(4);
  expect(rates[3]).toBeCloseTo((0.0095 * 15) / 4, 12);
  expect(falseDiscovery([0.03, 0.01, 0.02])).toEqual([0.03, 0.03, 0.03]);
  expect(falseDiscovery([])).toEqual([]);
});
