import { expect, test } from 'vitest';
import type { RunRow } from '../../src/studio/runs.ts';
import { bestIn, columnsOf, sortedRuns, usualColumns } from './run-columns.ts';
import { filterOf } from './run-filter.ts';
import { groupsBy, groupsOfSeeds, spreadAmong } from './run-groups.ts';

const run = (name: string, more: Partial<RunRow> = {}): RunRow => ({
  name,
  state: 'done',
  method: 'beta-vae',
  data: 'mnist',
  metrics: {},
  better: {},
  settings: {},
  tags: [],
  loss: [],
  files: { model: true },
  version: '',
  ...more,
});

const runs = [
  run('a', { settings: { beta: 4, seed: 1 }, seed: 1, metrics: { sap: 0.1 }, better: { sap: 'higher' } }),
  run('b', {
    settings: { beta: 4, seed: 2 },
    seed: 2,
    metrics: { sap: 0.3 },
    better: { sap: 'higher' },
    tags: ['good'],
  }),
  run('c', { settings: { beta: 16, seed: 1 }, seed: 1, data: 'dsprites', state: 'failed' }),
];
const found = (filter: string) =>
  runs
    .filter(filterOf(filter))
    .map(({ name }) => name)
    .join('');

test('a filter takes words, comparisons of settings, metrics and facts, and, or, not and brackets', () => {
  expect(found('')).toBe('abc');
  expect(found('beta > 4')).toBe('c');
  expect(found('beta >= 4 and data = mnist')).toBe('ab');
  expect(found('sap < 0.2 or state = failed')).toBe('ac');
  expect(found('not (beta = 4) or tag = good')).toBe('bc');
  expect(found('DSPRITES')).toBe('c');
  expect(found('mnist beta=4 seed=2')).toBe('b');
  expect(found('method ~ vae and sap != 0.1')).toBe('bc');
  expect(found('name = "b"')).toBe('b');
  expect(() => filterOf('beta >')).toThrow('What should beta >?');
  expect(() => filterOf('(beta > 4')).toThrow('A bracket is not closed.');
  expect(() => filterOf('beta > 4)')).toThrow('“)” is one bracket too many.');
  expect(() => filterOf('= 4')).toThrow('“=” stands where a name should be.');
});

test('runs sort by any column, what is not known last both ways, and the best is by the metric’s own direction', () => {
  expect(sortedRuns(runs, { key: 'sap', down: true }).map(({ name }) => name)).toEqual(['b', 'a', 'c']);
  expect(sortedRuns(runs, { key: 'sap', down: false }).map(({ name }) => name)).toEqual(['a', 'b', 'c']);
  expect(sortedRuns(runs, { key: 'beta', down: true })[0].name).toBe('c');
  expect(bestIn([0.1, 0.3, undefined], 'higher')).toBe(0.3);
  expect(bestIn([0.1, 0.3], 'lower')).toBe(0.1);
  expect([bestIn([0.1], 'higher'), bestIn([1, 2], undefined)]).toEqual([undefined, undefined]);
  const columns = columnsOf(runs);
  expect(columns.find(({ key }) => key === 'sap')).toMatchObject({ kind: 'metric', better: 'higher' });
  expect(columns.filter(({ key }) => key === 'seed').length).toBe(1);
  expect(usualColumns(runs)).toEqual(['method', 'data', 'state', 'step', 'loss', 'tag', 'sap', 'created']);
});

test('seeds are one line, called by what tells it from others, with mean and deviation', () => {
  const more = [...runs, run('d', { settings: { beta: 1, seed: 7 }, seed: 7 })];
  expect(groupsOfSeeds(more).map(({ title, runs: members }) => [title, members.length])).toEqual([
    ['beta-vae on mnist, beta 4', 2],
    ['beta-vae on dsprites', 1],
    ['beta-vae on mnist, beta 1', 1],
  ]);
  expect(groupsBy(more, 'seed').map(({ title }) => title)).toEqual(['seed 1', 'seed 2', 'seed 7']);
  const spread = spreadAmong([0.1, 0.3, undefined]);
  expect([spread?.mean, spread?.deviation?.toFixed(6), spread?.count]).toEqual([0.2, '0.141421', 2]);
  expect([spreadAmong([5])?.deviation, spreadAmong([undefined])]).toEqual([undefined, undefined]);
});
