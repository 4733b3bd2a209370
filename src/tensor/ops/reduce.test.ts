import { expect, test } from 'vitest';
import { z } from 'zod';
import { evaluate } from '../testing/evaluate.ts';
import { agreesWithTorch } from '../testing/torch.ts';
import { input } from './leaf.ts';
import { logSumExp, max, mean, sum } from './reduce.ts';

const options = z.strictObject({
  axes: z.union([z.number(), z.array(z.number())]).optional(),
  keepDimensions: z.boolean(),
});

agreesWithTorch('reduce', options, {
  sum: ([x], { axes, keepDimensions }) => sum(x, axes, { keepDimensions }),
  mean: ([x], { axes, keepDimensions }) => mean(x, axes, { keepDimensions }),
  max: ([x], { axes, keepDimensions }) => max(x, axes, { keepDimensions }),
  logSumExp: ([x], { axes, keepDimensions }) => logSumExp(x, z.number().parse(axes), { keepDimensions }),
});

test('a reduction over no axes changes nothing', async () => {
  const x = input('x', [2, 2]);
  for (const result of await evaluate([sum(x, []), mean(x, []), max(x, [])], { x: [1, -2, 3, 4] }))
    expect([...result]).toEqual([1, -2, 3, 4]);
});

test('an axis that is named twice, from the front and from the end, is reduced once', async () => {
  const x = input('x', [2, 3]);
  const [result] = await evaluate([sum(x, [1, -1])], { x: [1, 2, 3, 4, 5, 6] });
  expect([...result]).toEqual([6, 15]);
});
