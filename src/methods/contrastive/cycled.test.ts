import { expect, test } from 'vitest';
import { constant } from '../../tensor/index.ts';
import { evaluate } from '../../tensor/testing/evaluate.ts';
import { cycled } from './cycled.ts';

test('rows are cycled to a number of rows', async () => {
  const rows = constant([1, 2, 3], [3, 1]);
  const [more, fewer] = await evaluate([cycled(rows, 5), cycled(rows, 2)], {});
  expect([...more]).toEqual([1, 2, 3, 1, 2]);
  expect([...fewer]).toEqual([1, 2]);
});
