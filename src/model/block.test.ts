import { expect, test } from 'vitest';
import { type ModelBlock, outputsOf, withDependencies } from './block.ts';

const variable = (name: string, size: number): ModelBlock => ({ name, size, kind: 'categorical', role: 'class' });
const related = (name: string, more: Partial<ModelBlock> = {}): ModelBlock => ({
  name,
  size: 1,
  kind: 'gaussian',
  role: 'class-related',
  ...more,
});
const rows = (count: number) => ({
  mean: Array.from({ length: count }, () => [0]),
  logVariance: Array.from({ length: count }, () => [0]),
});
const shared: ModelBlock = { name: 'z', size: 4, kind: 'gaussian', role: 'shared' };

const owners = (blocks: ModelBlock[]) => withDependencies(blocks).map(({ dependsOn }) => dependsOn);

test('an encoder gives means with log variances, or probabilities', () => {
  expect(outputsOf(shared)).toEqual({ values: 'z mean', logVariance: 'z log variance' });
  expect(outputsOf(variable('c hair', 3))).toEqual({ values: 'c hair probabilities' });
});

test('blocks that do not say what they depend on come in the order of the class blocks', () => {
  const learned = [related('u shape', { prior: rows(3) }), related('u scale', { prior: rows(4) })];
  expect(owners([variable('c shape', 3), variable('c scale', 4), ...learned, shared])).toEqual([
    undefined,
    undefined,
    'c shape',
    'c scale',
    undefined,
  ]);
  // Where the order does not fit, the first block with as many classes as the prior has rows decides.
  expect(owners([variable('a', 2), variable('b', 3), related('u', { prior: rows(3) })])[2]).toBe('b');
  expect(owners([variable('a', 2), related('u', { prior: rows(5) })])[1]).toBeUndefined();
});

test('blocks of single classes belong to the first class block, and what is named stays', () => {
  const own = [related('z_c 1', { class: 0 }), related('z_c 2', { class: 1 })];
  expect(owners([variable('y', 2), ...own, shared])).toEqual([undefined, 'y', 'y', undefined]);
  expect(owners([variable('a', 2), variable('b', 2), related('u', { dependsOn: 'b', prior: rows(2) })])[2]).toBe('b');
});
