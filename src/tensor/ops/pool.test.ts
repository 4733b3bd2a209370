import fc from 'fast-check';
import { test } from 'vitest';
import { z } from 'zod';
import { stream } from '../../random/index.ts';
import { grad } from '../grad.ts';
import { sizeOf } from '../shape.ts';
import { evaluate, expectClose } from '../testing/evaluate.ts';
import { correlate, imageGradient } from '../testing/naive-conv.ts';
import { agreesWithTorch } from '../testing/torch.ts';
import { input } from './leaf.ts';
import { averagePool, upsample } from './pool.ts';

const options = z.strictObject({
  size: z.number().default(0),
  stride: z.number().optional(),
  padding: z.number().optional(),
  factor: z.number().default(0),
});

agreesWithTorch('pool', options, {
  averagePool: ([x], { size, stride, padding }) => averagePool(x, size, { stride, padding }),
  upsample: ([x], { factor }) => upsample(x, factor),
});

test('average pooling is convolution with equal weights, for any window, stride and padding', async () => {
  const upTo = (low: number, high: number) => fc.integer({ min: low, max: high });
  const windows = fc.tuple(upTo(1, 4), upTo(1, 5), upTo(0, 3), upTo(0, 5), upTo(0, 5));
  await fc.assert(
    fc.asyncProperty(windows, async ([size, stride, padding, more, wider]) => {
      fc.pre(padding < size);
      const height = Math.max(1, size - 2 * padding) + more;
      const width = Math.max(1, size - 2 * padding) + wider;
      const meeting = {
        n: 4,
        c: 1,
        o: 1,
        size: [height, width] as const,
        kernel: [size, size] as const,
        stride: [stride, stride] as const,
        dilation: [1, 1] as const,
        padding: [padding, padding, padding, padding] as const,
      };
      const x = input('x', [2, 2, height, width]);
      const y = averagePool(x, size, { stride, padding });
      const dy = input('dy', y.shape);
      const feeds = {
        x: stream(6, 'x').normals(4 * height * width),
        dy: stream(6, 'dy').normals(sizeOf(y.shape)),
      };
      const [value, gradient] = await evaluate([y, ...grad(y.times(dy).sum(), [x])], feeds);
      const equal = new Float32Array(size * size).fill(1 / (size * size));
      expectClose(value, correlate(meeting, feeds.x, equal), 1e-5, 'value');
      expectClose(gradient, imageGradient(meeting, equal, feeds.dy), 1e-5, 'gradient');
    }),
    { numRuns: 60, seed: 5 },
  );
});
