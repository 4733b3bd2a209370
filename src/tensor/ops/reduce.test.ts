import { z } from 'zod';
import { logSumExp, max, mean, sum } from '../index.ts';
import { agreesWithTorch } from '../testing/torch.ts';

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
