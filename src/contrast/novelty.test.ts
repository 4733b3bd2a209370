import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { stream } from '../random/index.ts';
import { prepareRun, trainRun } from '../training/index.ts';
import { encode } from '../use/index.ts';
import { chanceOf, novelty, noveltyCsv, noveltySentences, thresholdOf } from './novelty.ts';

let root: string;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'untangle-novelty-'));
});
afterAll(() => rm(root, { recursive: true }));

test('a row’s chance counts itself, and a threshold is passed by no more than its rate', () => {
  const references = Float64Array.from({ length: 99 }, (_, i) => i + 1);
  expect(chanceOf(1000, references)).toBe(0.01);
  expect(chanceOf(0, references)).toBe(1);
  expect(chanceOf(95, references)).toBe(0.06);
  expect(thresholdOf(0.05, references)).toBe(95);
  expect(chanceOf(95.5, references)).toBe(0.05);
  expect(thresholdOf(0.001, references)).toBe(Number.POSITIVE_INFINITY);
});

test('new rows like the background pass a threshold as seldom as it says, and rows like the target often', async () => {
  const draws = stream(9, 'novel rows');
  const rows = (pile: string, count: number, added: number) =>
    Array.from({ length: count }, () => {
      const [a, b, s] = [draws.normal(), draws.normal(), added * draws.normal()];
      const values = [a, b, a + b, a - b, s, s, -s, b].map((value) => (value + 0.2 * draws.normal()).toFixed(4));
      return [...values, pile].join(',');
    });
  const head = 'a,b,c,d,e,f,g,h,pile';
  await writeFile(join(root, 'rows.csv'), [head, ...rows('new', 600, 2), ...rows('old', 1200, 0)].join('\n'));
  await writeFile(join(root, 'later.csv'), [head, ...rows('old', 300, 0), ...rows('new', 300, 2)].join('\n'));
  const { run } = await prepareRun({
    method: 'contrastive-w2',
    data: join(root, 'rows.csv'),
    choice: { where: 'pile = new', backgroundWhere: 'pile = old' },
    set: ['steps=250', 'scale=0.3', 'beta=1', 'learningRate=0.002', 'validateEvery=0', 'sLatents=2', 'zLatents=3'],
    workers: 1,
    root,
  });
  await trainRun(run);
  const { target } = await encode(run, { data: join(root, 'later.csv') });
  const found = await novelty(run, target);
  expect(found.references).toBe(240);
  const share = (from: number, to: number, rate: number) =>
    found.rows.slice(from, to).filter(({ pValue }) => pValue <= rate).length / (to - from);
  // Three standard errors of a rate of 5 % in 300 rows, and of the 240 references that set the threshold.
  expect(share(0, 300, 0.05)).toBeLessThan(0.11);
  expect(share(300, 600, 0.05)).toBeGreaterThan(0.7);
  const [, five] = found.calibration;
  expect(five).toMatchObject({ rate: 0.05, items: 120 });
  expect(five.background).toBeLessThan(0.13);
  expect(five.target).toBeGreaterThan(0.7);
  expect(noveltyCsv(found).split('\n').length).toBe(602);
  expect(noveltySentences(found)[0]).toContain('at a false positive rate of 0.01');
}, 60_000);
