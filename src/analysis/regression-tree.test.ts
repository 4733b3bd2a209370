import { expect, test } from 'vitest';
import { stream } from '../random/index.ts';
import { emptyForest, leafOf, sortColumns, treeGrower } from './regression-tree.ts';
import { expectNear, fixture } from './testing/tables.ts';

interface Case {
  name: string;
  n: number;
  d: number;
  x: number[];
  target: number[];
  /** [node, feature, threshold] */
  splits: [number, number, number][];
  importances: number[];
  leaves: number[];
}

const cases: Case[] = fixture('regression-tree').cases;

function grown({ x, n, d, target }: Pick<Case, 'x' | 'n' | 'd' | 'target'>, seed = 0) {
  const forest = emptyForest(1, 3);
  const grower = treeGrower(sortColumns(x, n, d), 3, stream(seed, 'test'));
  grower.grow(Float64Array.from(target), forest, 0);
  return { forest, grower };
}

test.each(cases)('the tree on “$name” is scikit-learn’s, split for split', (given) => {
  const { forest, grower } = grown(given);
  const splits: [number, number, number][] = [];
  for (const [node, feature] of forest.feature.entries())
    if (feature >= 0) splits.push([node, feature, forest.threshold[node]]);
  expect(splits).toEqual(given.splits.toSorted((a, b) => a[0] - b[0]));
  expectNear(grower.importances, given.importances, 1e-12);
});

test.each(cases)('every row of “$name” is in the leaf where the finished tree puts it', (given) => {
  const { forest, grower } = grown(given);
  const single = Float32Array.from(given.x);
  const found = Array.from({ length: given.n }, (_, i) => leafOf(forest, 0, single, i * given.d));
  expect(Array.from(grower.leaves)).toEqual(found);
  const together = (groups: ArrayLike<number>) =>
    Array.from({ length: given.n }, (_, i) => Array.from(groups).indexOf(groups[i]));
  expect(together(found)).toEqual(together(given.leaves));
});

test('copies of a column are each taken by some seed', () => {
  const { x, n, target } = cases[0];
  const first = x.filter((_, at) => at % cases[0].d === 0);
  const taken = new Set<number>();
  for (let seed = 0; seed < 20; seed++)
    taken.add(grown({ x: first.flatMap((value) => [value, value, value]), n, d: 3, target }, seed).forest.feature[0]);
  expect([...taken].sort()).toEqual([0, 1, 2]);
});
