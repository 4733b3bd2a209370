import { expect, test } from 'vitest';
import { asCodes } from './encode-items.ts';
import type { BlockCodes } from './trained-model.ts';

test('codes side by side have the prior of their item’s likeliest class where one was learned', () => {
  const of = (block: BlockCodes['block'], values: number[], logVariance?: number[]): BlockCodes => ({
    block,
    values: Float32Array.from(values),
    ...(logVariance && { logVariance: Float32Array.from(logVariance) }),
  });
  const prior = {
    mean: [
      [1, 2],
      [3, 4],
    ],
    logVariance: [
      [0.5, 0.5],
      [-0.5, 0],
    ],
  };
  const all = [
    of({ name: 'c', size: 2, kind: 'categorical', role: 'class' }, [0.9, 0.1, 0.2, 0.8]),
    of(
      { name: 'u', size: 2, kind: 'gaussian', role: 'class-related', dependsOn: 'c', prior },
      [5, 6, 7, 8],
      [0, 0, 0, 0],
    ),
    of({ name: 'z', size: 1, kind: 'gaussian', role: 'shared' }, [9, 10], [0, 0]),
  ];
  const codes = asCodes(all, 'gaussian', 2);
  expect(codes?.values).toEqual(Float32Array.of(5, 6, 9, 7, 8, 10));
  expect(codes?.prior?.mean).toEqual(Float32Array.of(1, 2, 0, 3, 4, 0));
  expect(codes?.prior?.logVariance).toEqual(Float32Array.of(0.5, 0.5, 0, -0.5, 0, 0));
  expect(asCodes([all[2]], 'gaussian', 2)?.prior).toBeUndefined();
  expect(asCodes(all, 'categorical', 2)?.prior).toBeUndefined();
});
