import fc from 'fast-check';
import { expect, test } from 'vitest';
import { stream } from '../random/index.ts';
import { grad } from './grad.ts';
import { add, divide, greater, maximum, multiply, subtract, where } from './ops/elementwise.ts';
import { pad } from './ops/layout.ts';
import { input } from './ops/leaf.ts';
import { matmul } from './ops/matmul.ts';
import type { Tensor } from './tensor.ts';
import { evaluate, expectClose } from './testing/evaluate.ts';

const runs = { numRuns: 60, seed: 11 };
const upTo = (low: number, high: number) => fc.integer({ min: low, max: high });
const sizeOf = (shape: readonly number[]) => shape.reduce((size, dimension) => size * dimension, 1);
const normals = (shape: readonly number[], purpose: string) => stream(4, purpose).normals(sizeOf(shape));
const dot = (a: Tensor, b: Tensor) => a.times(b).sum();

/** The flat place in a tensor of `shape` that broadcasting puts at a flat place of the result. */
function sourceOf(place: number, result: readonly number[], shape: readonly number[]): number {
  let source = 0;
  let stride = 1;
  let rest = place;
  for (let axis = 1; axis <= result.length; axis++) {
    const size = result[result.length - axis];
    const own = shape[shape.length - axis] ?? 1;
    if (own !== 1) source += (rest % size) * stride;
    stride *= own;
    rest = Math.floor(rest / size);
  }
  return source;
}

/** Two shapes that broadcast, by leaving out and flattening dimensions of a common one. */
const fittingShapes = fc.array(upTo(1, 4), { maxLength: 4 }).chain((result) =>
  fc
    .tuple(upTo(0, result.length), upTo(0, result.length), fc.array(fc.boolean(), { minLength: 8, maxLength: 8 }))
    .map(([dropA, dropB, flat]) => {
      const a = result.map((dimension, i) => (flat[i] ? 1 : dimension)).slice(dropA);
      const b = result.map((dimension, i) => (flat[4 + i] && !flat[i] ? 1 : dimension)).slice(dropB);
      return [a, b] as const;
    }),
);

/** An op of two numbers with its derivatives. */
const operations = {
  add: { of: add, value: (a: number, b: number) => a + b, inA: () => 1, inB: () => 1 },
  subtract: { of: subtract, value: (a: number, b: number) => a - b, inA: () => 1, inB: () => -1 },
  multiply: {
    of: multiply,
    value: (a: number, b: number) => a * b,
    inA: (_: number, b: number) => b,
    inB: (a: number) => a,
  },
  divide: {
    of: (a: Tensor, b: Tensor) => divide(a, b.square().plus(1)),
    value: (a: number, b: number) => a / (b * b + 1),
    inA: (_: number, b: number) => 1 / (b * b + 1),
    inB: (a: number, b: number) => (-2 * a * b) / (b * b + 1) ** 2,
  },
  maximum: {
    of: maximum,
    value: (a: number, b: number) => Math.max(a, b),
    inA: (a: number, b: number) => Number(a > b),
    inB: (a: number, b: number) => Number(b > a),
  },
  where: {
    of: (a: Tensor, b: Tensor) => where(greater(a, b), a.times(2), b),
    value: (a: number, b: number) => (a > b ? 2 * a : b),
    inA: (a: number, b: number) => (a > b ? 2 : 0),
    inB: (a: number, b: number) => (a > b ? 0 : 1),
  },
};

test('shapes broadcast as in numpy, and gradients are summed back to the operands’ shapes', async () => {
  await fc.assert(
    fc.asyncProperty(fittingShapes, fc.constantFrom(...Object.values(operations)), async ([left, right], op) => {
      const a = input('a', left);
      const b = input('b', right);
      const y = op.of(a, b);
      const shape = y.shape.map(Number);
      const weights = input('weights', shape);
      const feeds = { a: normals(left, 'a'), b: normals(right, 'b'), weights: normals(shape, 'weights') };
      const results = await evaluate([y, ...grad(dot(y, weights), [a, b])], feeds);
      const value = new Float64Array(sizeOf(shape));
      const inA = new Float64Array(sizeOf(left));
      const inB = new Float64Array(sizeOf(right));
      for (let place = 0; place < value.length; place++) {
        const [atA, atB] = [sourceOf(place, shape, left), sourceOf(place, shape, right)];
        const [numberA, numberB] = [feeds.a[atA], feeds.b[atB]];
        value[place] = op.value(numberA, numberB);
        inA[atA] += feeds.weights[place] * op.inA(numberA, numberB);
        inB[atB] += feeds.weights[place] * op.inB(numberA, numberB);
      }
      expectClose(results[0], value, 1e-5, 'value');
      expectClose(results[1], inA, 1e-5, 'gradient in a');
      expectClose(results[2], inB, 1e-5, 'gradient in b');
    }),
    runs,
  );
});

/** A shape, one of its axes, and places along it. */
const cuts = fc.array(upTo(1, 7), { minLength: 1, maxLength: 3 }).chain((shape) =>
  upTo(0, shape.length - 1).chain((axis) =>
    fc.record({
      shape: fc.constant(shape),
      axis: fc.constant(axis),
      bounds: fc.tuple(upTo(0, shape[axis] - 1), upTo(1, shape[axis])),
      step: upTo(1, 4),
      before: upTo(0, 3),
      after: upTo(0, 3),
    }),
  ),
);

/** For each flat place of a tensor that was cut or padded along an axis, the place it came from, or none for a zero. */
function origins(shape: readonly number[], axis: number, from: readonly (number | undefined)[]) {
  const inner = sizeOf(shape.slice(axis + 1));
  const outer = sizeOf(shape.slice(0, axis));
  return Array.from({ length: outer * from.length * inner }, (_, place) => {
    const row = from[Math.floor(place / inner) % from.length];
    const block = Math.floor(place / (inner * from.length));
    return row === undefined ? undefined : (block * shape[axis] + row) * inner + (place % inner);
  });
}

async function checkMoves(x: Tensor, y: Tensor, from: readonly (number | undefined)[]): Promise<void> {
  const weights = input('weights', y.shape);
  expect(sizeOf(y.shape.map(Number))).toBe(from.length);
  const feeds = { x: normals(x.shape.map(Number), 'x'), weights: normals([from.length], 'weights') };
  const [value, gradient] = await evaluate([y, ...grad(dot(y, weights), [x])], feeds);
  const expected = new Float64Array(feeds.x.length);
  from.forEach((source, place) => {
    if (source !== undefined) expected[source] += feeds.weights[place];
  });
  expect([...value]).toEqual(from.map((source) => (source === undefined ? 0 : feeds.x[source])));
  expectClose(gradient, expected, 1e-6, 'gradient');
}

test('a slice takes every step-th entry and its gradient goes back to those entries alone', async () => {
  await fc.assert(
    fc.asyncProperty(cuts, async ({ shape, axis, bounds: [start, end], step }) => {
      fc.pre(start < end);
      const x = input('x', shape);
      const from: number[] = [];
      for (let row = start; row < end; row += step) from.push(row);
      await checkMoves(x, x.slice(axis, start, end, step), origins(shape, axis, from));
    }),
    runs,
  );
});

test('padding puts zeros around and its gradient leaves them out', async () => {
  await fc.assert(
    fc.asyncProperty(cuts, async ({ shape, axis, before, after }) => {
      const x = input('x', shape);
      const rows = Array.from({ length: shape[axis] }, (_, row) => row);
      const from = [...Array(before).fill(undefined), ...rows, ...Array(after).fill(undefined)];
      fc.pre(before + after > 0);
      await checkMoves(x, pad(x, { [axis]: [before, after] }), origins(shape, axis, from));
    }),
    runs,
  );
});

test('stacks of matrices multiply by the definition, and so do their gradients', async () => {
  const stacks = fc.tuple(fittingShapes, fc.tuple(upTo(1, 4), upTo(1, 4), upTo(1, 4)));
  await fc.assert(
    fc.asyncProperty(stacks, async ([[left, right], [rows, inner, columns]]) => {
      const a = input('a', [...left, rows, inner]);
      const b = input('b', [...right, inner, columns]);
      const y = matmul(a, b);
      const shape = y.shape.map(Number);
      const weights = input('weights', shape);
      const feeds = {
        a: normals(a.shape.map(Number), 'a'),
        b: normals(b.shape.map(Number), 'b'),
        weights: normals(shape, 'weights'),
      };
      const results = await evaluate([y, ...grad(dot(y, weights), [a, b])], feeds);
      const value = new Float64Array(sizeOf(shape));
      const inA = new Float64Array(feeds.a.length);
      const inB = new Float64Array(feeds.b.length);
      const stack = shape.slice(0, -2);
      for (let i = 0; i < sizeOf(stack); i++) {
        const fromA = sourceOf(i, stack, left) * rows * inner;
        const fromB = sourceOf(i, stack, right) * inner * columns;
        for (let row = 0; row < rows; row++)
          for (let column = 0; column < columns; column++)
            for (let k = 0; k < inner; k++) {
              const place = (i * rows + row) * columns + column;
              const [atA, atB] = [fromA + row * inner + k, fromB + k * columns + column];
              value[place] += feeds.a[atA] * feeds.b[atB];
              inA[atA] += feeds.weights[place] * feeds.b[atB];
              inB[atB] += feeds.weights[place] * feeds.a[atA];
            }
      }
      expectClose(results[0], value, 1e-5, 'value');
      expectClose(results[1], inA, 1e-5, 'gradient in a');
      expectClose(results[2], inB, 1e-5, 'gradient in b');
    }),
    runs,
  );
});

test('reshaping and transposing move values and gradients, and change none', async () => {
  const orders = fc.array(upTo(1, 4), { minLength: 1, maxLength: 4 }).chain((shape) =>
    fc.tuple(
      fc.constant(shape),
      fc.shuffledSubarray(
        shape.map((_, i) => i),
        { minLength: shape.length },
      ),
    ),
  );
  await fc.assert(
    fc.asyncProperty(orders, async ([shape, order]) => {
      const x = input('x', shape);
      const moved = order.map((axis) => shape[axis]);
      const strides = shape.map((_, i) => sizeOf(shape.slice(i + 1)));
      const from = Array.from({ length: sizeOf(shape) }, (_, place) => {
        let rest = place;
        let source = 0;
        for (let i = order.length - 1; i >= 0; i--) {
          source += (rest % moved[i]) * strides[order[i]];
          rest = Math.floor(rest / moved[i]);
        }
        return source;
      });
      await checkMoves(x, x.transpose(order).reshape([sizeOf(shape)]), from);
    }),
    runs,
  );
});
