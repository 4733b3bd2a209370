import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTable } from '../../data/index.ts';
import type { Carrier } from '../carry-out.ts';
import { runHere } from '../here.ts';
import { openSweep, type Sweep, storeAt } from '../sweep.ts';
import { pretendPlan } from '../testing/pretend.ts';
import { agreements } from './agreement.ts';
import { importances } from './importance.ts';
import { agreementSentence, sweepPage, tableOf } from './page.ts';
import { type Summary, summarise } from './summary.ts';
import { trialColumns, trialsParquet } from './trials-table.ts';

let root: string;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'untangle-report-'));
});
afterAll(() => rm(root, { recursive: true }));

/** The score is β + seed / 10, the cost (β − 5)²; the number of latents does nothing. */
const known: Carrier = async ({ folder, until }) => {
  const { options, training } = JSON.parse(await readFile(join(folder, 'run.json'), 'utf8'));
  const values = { score: options.beta + training.seed / 10, cost: (options.beta - 5) ** 2 };
  return { state: 'done', step: until, seconds: 2, values };
};

describe('the report of a sweep', () => {
  let sweep: Sweep;
  let summary: Summary;
  beforeAll(async () => {
    const plan = await pretendPlan(8, 3, {
      space: { beta: [1, 2, 3, 4, 5, 6, 7, 8], latents: [4, 6] },
      objectives: { score: 'max', cost: 'min' },
    });
    sweep = await openSweep(storeAt(join(root, 'known')), plan);
    await runHere(sweep, { carrier: known });
    summary = summarise(sweep);
  });

  test('takes seeds as one: mean, deviation, interval, and how far the best is ahead with the same seeds', () => {
    const row = summary.rows.find(({ point }) => point.beta === 2 && point.latents === 4);
    expect(row?.values.score.mean).toBeCloseTo(2.2, 12);
    expect(row?.values.score.deviation).toBeCloseTo(0.1, 12);
    // The 27 resamples of three seeds: the ends are the quantiles of their means.
    expect(row?.values.score.low).toBeGreaterThanOrEqual(2.1);
    expect(row?.values.score.high).toBeLessThanOrEqual(2.3);
    // Pairs have no spread here: every seed is 0.1 above the one before, whatever β is.
    const best = Number(summary.rows[0].point.beta);
    expect(row?.behind.score.mean).toBeCloseTo(best - 2, 12);
    expect(row?.behind.score.low).toBeCloseTo(best - 2, 12);
  });

  test('has on the front what nothing beats: β from 5 up', () => {
    const front = summary.rows.filter(({ isOnFront }) => isOnFront).map(({ point }) => point.beta);
    expect([...new Set(front)].sort()).toEqual([5, 6, 7, 8]);
    expect(front).toHaveLength(8);
  });

  test('finds that β decides and the number of latents does not', () => {
    for (const { settings, explained } of importances(summary)) {
      expect(explained).toBeGreaterThan(0.2);
      expect(settings[0].name).toBe('beta');
      expect(settings[0].importance).toBeGreaterThan(0.3);
      expect(Math.abs(settings[1].importance)).toBeLessThan(0.2);
    }
  });

  test('is a page with the trade-off, the table and the best trial’s command', () => {
    const page = sweepPage(summary);
    expect(page).toContain('score against cost, after 9 steps');
    expect(page).toContain(`untangle train beta-vae --data shapes --seed 1 --set`);
    const [head, rows] = tableOf(summary.rows, summary.objectives);
    expect(head.slice(0, 6)).toEqual(['beta', 'latents', 'score ↑', '±', '95 %', 'behind']);
    expect(rows).toHaveLength(16);
  });

  test('leaves all trials as Parquet, which our own tables read', async () => {
    const columns = trialColumns(sweep);
    expect([...columns.keys()]).toEqual([
      ...['trial', 'seed', 'step', 'seconds', 'failure'],
      ...['set.beta', 'set.latents', 'cost', 'score'],
    ]);
    const path = join(root, 'trials.parquet');
    await writeFile(path, trialsParquet(sweep));
    const table = await openTable(path);
    expect(table.length).toBe(48);
  });
});

test('a report measures how far the models of seeds agree, and leaves what trials were measured with', async () => {
  const plan = await pretendPlan(2, 2, {
    set: { batchSize: 16, latents: 4 },
    objectives: { reconstruction: 'min' },
    budget: { steps: 10 },
    evaluate: { items: 50 },
  });
  const sweep = await openSweep(storeAt(join(root, 'real')), plan);
  const evaluations = async () => {
    const files = await readdir(join(root, 'real'), { recursive: true });
    const found = files.filter((file) => file.endsWith('evaluation.json'));
    return await Promise.all(found.map((file) => readFile(join(root, 'real', file), 'utf8')));
  };
  await runHere(sweep, { jobs: 2 });
  const summary = summarise(sweep);
  const before = await evaluations();
  const found = await agreements(sweep, summary);
  expect(found).toHaveLength(2);
  for (const { udr, seeds } of found) {
    expect(seeds.map(({ seed }) => seed)).toEqual([1, 2]);
    // Of two models each is compared with the other alone.
    expect(seeds.reduce((sum, one) => sum + one.udr, 0) / 2).toBeCloseTo(udr, 12);
    expect(udr).toBeGreaterThanOrEqual(0);
    expect(udr).toBeLessThanOrEqual(1);
  }
  expect(agreementSentence(summary, found)).toMatch(/^Without factors, by UDR: beta=[12] \(/);
  expect(before).toHaveLength(4);
  expect(await evaluations()).toEqual(before);
}, 60_000);
