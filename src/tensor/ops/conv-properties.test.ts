import fc from 'fast-check';
import { expect, test } from 'vitest';
import { stream } from '../../random/index.ts';
import { grad } from '../grad.ts';
import type { Tensor } from '../tensor.ts';
import { evaluate, expectClose } from '../testing/evaluate.ts';
import { correlate, filterGradient, imageGradient, type Meeting, outputSize } from '../testing/naive-conv.ts';
import { conv2d, convTranspose2d } from './conv.ts';
import { input } from './leaf.ts';
import { upsample } from './pool.ts';

const upTo = (low: number, high: number) => fc.integer({ min: low, max: high });
const twice = (one: fc.Arbitrary<number>) => fc.tuple(one, one);

/** Any convolution of small images in which at least one tap meets the padded image. */
const meetings: fc.Arbitrary<Meeting> = fc
  .record({
    n: upTo(1, 3),
    c: fc.constantFrom(1, 2, 3, 8),
    o: upTo(1, 3),
    kernel: twice(upTo(1, 5)),
    stride: twice(upTo(1, 4)),
    dilation: twice(upTo(1, 3)),
    padding: fc.tuple(upTo(0, 3), upTo(0, 3), upTo(0, 3), upTo(0, 3)),
    more: twice(upTo(0, 5)),
  })
  .map(({ more, ...rest }) => {
    const along = (side: 0 | 1) => {
      const reach = rest.dilation[side] * (rest.kernel[side] - 1) + 1;
      return Math.max(1, reach - rest.padding[side] - rest.padding[side + 2]) + more[side];
    };
    return { ...rest, size: [along(0), along(1)] as const };
  });

const runs = { numRuns: 60, seed: 7 };

function setUp(meeting: Meeting) {
  const [height, width] = outputSize(meeting);
  const shapes = {
    x: [meeting.n, meeting.c, ...meeting.size],
    w: [meeting.o, meeting.c, ...meeting.kernel],
    y: [meeting.n, meeting.o, height, width],
  };
  const values = (shape: number[], purpose: string) =>
    stream(3, purpose).normals(shape.reduce((size, dimension) => size * dimension, 1));
  const x = values(shapes.x, 'x');
  const u = values(shapes.x, 'u');
  const w = values(shapes.w, 'w');
  const v = values(shapes.w, 'v');
  const dy = values(shapes.y, 'dy');
  const t = Object.fromEntries(
    Object.entries({ x: shapes.x, u: shapes.x, w: shapes.w, v: shapes.w, dy: shapes.y }).map(([name, shape]) => [
      name,
      input(name, shape),
    ]),
  );
  return { shapes, feeds: { x, u, w, v, dy }, t };
}

const dot = (a: Tensor, b: Tensor) => a.times(b).sum();

test('conv2d, its gradients and the gradients of those are what the definition gives, for any geometry', async () => {
  await fc.assert(
    fc.asyncProperty(meetings, async (meeting) => {
      const { shapes, feeds, t } = setUp(meeting);
      const y = conv2d(t.x, t.w, meeting);
      expect(y.shape).toEqual(shapes.y);
      const [dx, dw] = grad(dot(y, t.dy), [t.x, t.w]);
      const results = await evaluate(
        [y, dx, dw, ...grad(dot(dx, t.u), [t.w, t.dy]), ...grad(dot(dw, t.v), [t.x, t.dy])],
        feeds,
      );
      const { x, u, w, v, dy } = feeds;
      const expected = {
        value: correlate(meeting, x, w),
        'gradient in the image': imageGradient(meeting, w, dy),
        'gradient in the filter': filterGradient(meeting, x, dy),
        'image gradient’s in the filter': filterGradient(meeting, u, dy),
        'image gradient’s in the output gradient': correlate(meeting, u, w),
        'filter gradient’s in the image': imageGradient(meeting, v, dy),
        'filter gradient’s in the output gradient': correlate(meeting, x, v),
      };
      Object.entries(expected).forEach(([name, numbers], i) => {
        expectClose(results[i], numbers, 1e-5, name);
      });
    }),
    runs,
  );
});

test('convTranspose2d is the adjoint of conv2d, for any geometry and output padding, and so are its gradients', async () => {
  const padded = fc.tuple(meetings, upTo(0, 3), upTo(0, 3));
  await fc.assert(
    fc.asyncProperty(padded, async ([given, extraRows, extraColumns]) => {
      const places = outputSize(given);
      const limit = (side: 0 | 1) => Math.max(given.stride[side], given.dilation[side]) - 1;
      const extra = [Math.min(extraRows, limit(0)), Math.min(extraColumns, limit(1))] as const;
      const along = (side: 0 | 1) => {
        const reach = given.dilation[side] * (given.kernel[side] - 1) + 1;
        return (
          (places[side] - 1) * given.stride[side] + reach - given.padding[side] - given.padding[side + 2] + extra[side]
        );
      };
      const meeting: Meeting = { ...given, size: [along(0), along(1)], places };
      fc.pre(meeting.size[0] > 0 && meeting.size[1] > 0);
      const { shapes, feeds, t } = setUp(meeting);
      const image = convTranspose2d(t.dy, t.w, { ...meeting, outputPadding: extra });
      expect(image.shape).toEqual(shapes.x);
      const [dSmall, dw] = grad(dot(image, t.x), [t.dy, t.w]);
      const results = await evaluate(
        [image, dSmall, dw, ...grad(dot(dSmall, t.dy), [t.w, t.x]), ...grad(dot(dw, t.v), [t.dy, t.x])],
        feeds,
      );
      const { x, w, v, dy } = feeds;
      const expected = {
        value: imageGradient(meeting, w, dy),
        'gradient in the small image': correlate(meeting, x, w),
        'gradient in the filter': filterGradient(meeting, x, dy),
        'small image gradient’s in the filter': filterGradient(meeting, x, dy),
        'small image gradient’s in the output gradient': imageGradient(meeting, w, dy),
        'filter gradient’s in the small image': correlate(meeting, x, v),
        'filter gradient’s in the output gradient': imageGradient(meeting, v, dy),
      };
      Object.entries(expected).forEach(([name, numbers], i) => {
        expectClose(results[i], numbers, 1e-5, name);
      });
    }),
    runs,
  );
});

test('a convolution of an up-sampled image, written as a transposed one of the image, is what the definition gives', async () => {
  const upsampled = fc.record({
    n: upTo(1, 2),
    c: upTo(1, 3),
    o: upTo(1, 3),
    kernel: twice(upTo(2, 4)),
    size: twice(upTo(2, 4)),
    factor: upTo(2, 3),
    padding: fc.tuple(upTo(0, 1), upTo(0, 1), upTo(0, 1), upTo(0, 1)),
  });
  await fc.assert(
    fc.asyncProperty(upsampled, async ({ size, factor, ...rest }) => {
      const large = [size[0] * factor, size[1] * factor] as const;
      const meeting: Meeting = { ...rest, size: large, stride: [1, 1], dilation: [1, 1] };
      const { feeds, t } = setUp(meeting);
      const x = input('small', [rest.n, rest.c, ...size]);
      const small = stream(4, 'small').normals(rest.n * rest.c * size[0] * size[1]);
      const y = conv2d(upsample(x, factor), t.w, meeting);
      expect(y.op.name).toBe('convTranspose2d');
      const [dx, dw] = grad(dot(y, t.dy), [x, t.w]);
      const results = await evaluate([y, dx, dw], { small, w: feeds.w, dy: feeds.dy });
      /** The place in the small image of each pixel of the large one. */
      const origin = (i: number) => {
        const [column, row, image] = [
          i % large[1],
          Math.floor(i / large[1]) % large[0],
          Math.floor(i / large[0] / large[1]),
        ];
        return (image * size[0] + Math.floor(row / factor)) * size[1] + Math.floor(column / factor);
      };
      const repeated = Float32Array.from({ length: small.length * factor ** 2 }, (_, i) => small[origin(i)]);
      const summed = new Float32Array(small.length);
      imageGradient(meeting, feeds.w, feeds.dy).forEach((value, i) => {
        summed[origin(i)] += value;
      });
      expectClose(results[0], correlate(meeting, repeated, feeds.w), 1e-5, 'value');
      expectClose(results[1], summed, 1e-5, 'gradient in the image');
      expectClose(results[2], filterGradient(meeting, repeated, feeds.dy), 1e-5, 'gradient in the filter');
    }),
    { ...runs, numRuns: 30 },
  );
});
