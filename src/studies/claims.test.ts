import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { checkClaim } from './claims.ts';
import { recordOf, writeRecord } from './record.ts';
import { type ArmResult, armResult } from './results.ts';
import type { Claim, Column, Study } from './study.ts';

const column: Column = { name: 'error', metric: 'reconstruction', digits: 2, better: 'lower' };
const claim: Claim = { text: 'A is best.', column: 'error', order: ['A', ['B', 'C']] };

const row = (name: string, values: readonly number[], seeds = values.map((_, i) => i + 1)): ArmResult =>
  armResult(
    { name, method: 'vae' },
    [column],
    values.map((value, i) => ({
      seed: seeds[i],
      folder: `runs/${name}-${seeds[i]}`,
      steps: 9,
      seconds: 1,
      values: { error: value },
    })),
  );

const a = row('A', [1, 2, 3, 4, 5]);
/** Behind A by about one with each seed, though the rows overlap. */
const b = row('B', [2, 3.1, 3.9, 5, 6.1]);
const far = row('C', [9, 9, 9, 9, 9]);

describe('a claim', () => {
  test('holds when the rows are apart pair by pair, though their spreads overlap', () => {
    const found = checkClaim(claim, [column], [a, b, far]);
    expect(found.verdict).toBe('holds');
    expect(found.effect).toBeCloseTo(1.02, 12);
    // SciPy 1.10.1: stats.t.interval(0.95, 4, 1.02, stats.sem([1, 1.1, 0.9, 1, 1.1]))
    expect(found.interval?.[0]).toBeCloseTo(0.9161, 4);
    expect(found.interval?.[1]).toBeCloseTo(1.1239, 4);
    expect(found.seeds).toEqual([1, 2, 3, 4, 5]);
    expect(found.evidence).toBe('A 3.00 < B 4.02, C 9.00');
  });

  test('does not hold when one of its comparisons is reversed beyond chance', () => {
    const found = checkClaim({ ...claim, order: ['B', ['A', 'C']] }, [column], [a, b, far]);
    expect(found.verdict).toBe('does not hold');
    expect(found.effect).toBeCloseTo(-1.02, 12);
  });

  test('is not settled where one comparison may be chance, however clear the means are', () => {
    const wild = row('C', [9, -5, 9, 9, 9]);
    const found = checkClaim(claim, [column], [a, b, wild]);
    expect(found).toMatchObject({ verdict: 'not settled', reason: "A and C can't be told apart by these seeds" });
    expect(found.interval?.[0]).toBeLessThan(0);
  });

  test('with fewer than five common seeds makes no verdict', () => {
    const late = row('B', [2, 3.1, 3.9, 5, 6.1], [2, 3, 4, 5, 6]);
    expect(checkClaim(claim, [column], [a, late, far])).toMatchObject({
      verdict: 'not settled',
      seeds: [2, 3, 4, 5],
      reason: '4 seeds, where a verdict takes 5',
    });
  });

  test('names the row of which there is nothing', () => {
    expect(checkClaim(claim, [column], [a, b])).toMatchObject({
      verdict: 'not settled',
      reason: 'nothing was measured of C',
    });
  });
});

test('a record keeps rows, runs and verdicts, and never takes the place of one that holds more', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'untangle-record-'));
  const budget = { seeds: [1], set: [], departures: ['Shorter.'] };
  const study: Study = {
    name: 'tiny',
    title: 'Tiny',
    paper: { cite: 'nobody', where: 'nowhere' },
    question: 'What?',
    data: 'shapes',
    columns: [column],
    arms: ['A', 'B', 'C'].map((name) => ({ name, method: 'vae' })),
    claims: [claim],
    budgets: { quick: budget, standard: budget, paper: budget },
  };
  const record = (size: 'quick' | 'standard', arms: readonly ArmResult[]) =>
    recordOf({
      study,
      results: {
        budget: size,
        command: 'untangle reproduce tiny',
        set: [],
        complete: true,
        arms,
        claims: [checkClaim(claim, [column], arms)],
      },
    });
  const { path } = await writeRecord(folder, record('standard', [a, b, far]));
  const written = JSON.parse(await readFile(path, 'utf8'));
  expect(path).toBe(join(folder, 'tiny.json'));
  expect(written).toMatchObject({ study: 'tiny', budget: 'standard', command: 'untangle reproduce tiny' });
  expect(written.departures).toEqual(['Shorter.']);
  expect(written.rows[0]).toMatchObject({ name: 'A', seeds: [1, 2, 3, 4, 5], mean: { error: 3 } });
  expect(written.rows[0].deviation.error).toBeCloseTo(Math.sqrt(2.5), 12);
  expect(written.rows[0].runs[4]).toEqual({ seed: 5, run: 'A-5', steps: 9, seconds: 1, values: { error: 5 } });
  expect(written.claims[0]).toMatchObject({ claim: 'A is best.', verdict: 'holds', seeds: [1, 2, 3, 4, 5] });
  expect(written.claims[0].comparisons).toHaveLength(2);

  expect((await writeRecord(folder, record('quick', [a, b, far]))).kept).toContain(
    'holds more (budget standard, 15 runs)',
  );
  expect((await writeRecord(folder, record('standard', [a, b]))).kept).toContain('holds more');
  expect((await writeRecord(folder, record('standard', [a, far, b]))).kept).toBeUndefined();
  await rm(folder, { recursive: true });
});
