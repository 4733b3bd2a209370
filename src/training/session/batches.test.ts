import { expect, test } from 'vitest';
import { batches } from './batches.ts';

test('an epoch shows every item once, in an order of its own', () => {
  const order = batches(120, 24, 3, 'order');
  const epochs = [0, 1].map((epoch) => Array.from({ length: 5 }, (_, i) => Array.from(order.at(epoch * 5 + i))).flat());
  for (const epoch of epochs)
    expect([...epoch].sort((a, b) => a - b)).toEqual(Array.from({ length: 120 }, (_, i) => i));
  expect(epochs[0]).not.toEqual(epochs[1]);
});

test('a batch that goes over the end of an epoch takes the beginning of the next', () => {
  const order = batches(10, 4, 1, 'order');
  const seen = Array.from({ length: 5 }, (_, i) => Array.from(order.at(i))).flat();
  expect(new Set(seen.slice(0, 10)).size).toBe(10);
  expect(new Set(seen.slice(10, 20)).size).toBe(10);
});

test('a set smaller than the batch comes more than once in it', () => {
  const counts = new Array<number>(3).fill(0);
  for (const place of batches(3, 9, 1, 'order').at(0)) counts[place]++;
  expect(counts).toEqual([3, 3, 3]);
});

test('a step’s batch does not depend on the steps before it', () => {
  const walked = batches(50, 8, 7, 'order');
  for (let step = 0; step < 30; step++) walked.at(step);
  expect(Array.from(batches(50, 8, 7, 'order').at(29))).toEqual(Array.from(walked.at(29)));
});
