import { z } from 'zod';
import { agreesWithTorch } from '../testing/torch.ts';
import { concat, expand, gather, oneHot, pad, reshape, slice, transpose } from './layout.ts';

const options = z.strictObject({
  shape: z.array(z.number()).default([]),
  order: z.array(z.number()).optional(),
  axis: z.number().default(0),
  start: z.number().default(0),
  end: z.number().default(0),
  step: z.number().optional(),
  amounts: z.array(z.tuple([z.number(), z.number(), z.number()])).default([]),
  depth: z.number().default(0),
});

agreesWithTorch('layout', options, {
  reshape: ([x], { shape }) => reshape(x, shape),
  transpose: ([x], { order }) => transpose(x, order),
  concat: (inputs, { axis }) => concat(inputs, axis),
  concatTwice: ([x], { axis }) => concat([x, x], axis),
  slice: ([x], { axis, start, end, step }) => slice(x, axis, start, end, step),
  pad: ([x], { amounts }) =>
    pad(x, Object.fromEntries(amounts.map(([axis, before, after]) => [axis, [before, after] as const]))),
  expand: ([x, like]) => expand(x, like),
  gather: ([x, indices], { axis }) => gather(x, indices, axis),
  oneHot: ([indices], { depth }) => oneHot(indices, depth),
});
