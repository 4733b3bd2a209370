import { expect, test } from 'vitest';
import { duration } from './duration.ts';

test('a duration has at most two units, and never sixty of one', () => {
  expect([0.4, 59.4, 59.7, 83, 119.6, 3599.6, 5400, 90_000].map(duration)).toEqual([
    '0 s',
    '59 s',
    '1 min 0 s',
    '1 min 23 s',
    '2 min 0 s',
    '1 h 0 min',
    '1 h 30 min',
    '25 h 0 min',
  ]);
});
