import { z } from 'zod';
import { agreesWithTorch } from '../testing/torch.ts';
import { conv2d, convTranspose2d } from './conv.ts';

const two = z.tuple([z.number(), z.number()]);
const four = z.tuple([z.number(), z.number(), z.number(), z.number()]);
const options = z.strictObject({
  stride: z.union([z.number(), two]).optional(),
  padding: z.union([z.number(), two, four]).optional(),
  dilation: z.union([z.number(), two]).optional(),
  outputPadding: z.union([z.number(), two]).optional(),
});

agreesWithTorch('conv', options, {
  conv2d: ([x, w, bias], given) => conv2d(x, w, given, bias),
  convTranspose2d: ([x, w, bias], given) => convTranspose2d(x, w, given, bias),
});
