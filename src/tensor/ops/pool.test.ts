import { z } from 'zod';
import { averagePool, upsample } from '../index.ts';
import { agreesWithTorch } from '../testing/torch.ts';

const options = z.object({
  size: z.number().default(0),
  stride: z.number().optional(),
  padding: z.number().optional(),
  factor: z.number().default(0),
});

agreesWithTorch('pool', options, {
  averagePool: ([x], { size, stride, padding }) => averagePool(x, size, { stride, padding }),
  upsample: ([x], { factor }) => upsample(x, factor),
});
