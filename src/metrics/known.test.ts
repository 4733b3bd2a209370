import { expect, test } from 'vitest';
import { stream } from '../random/index.ts';
import { inputsFor } from './known.ts';
import type { FactorTable, Inputs } from './metric.ts';
import { scoreAll } from './score-all.ts';

const n = 400;

/** Codes that are two factors, “ill” and “sex”; then factors with the gaps of `gap`. */
function table(gap: (item: number, k: number) => boolean): Inputs & { factors: FactorTable } {
  const noise = stream(1, 'codes');
  const factor = (i: number, k: number) => (k === 2 ? 1 : k === 0 ? i % 2 : Math.floor(i / 2) % 3);
  return {
    codes: {
      n,
      d: 2,
      values: Float64Array.from({ length: 2 * n }, (_, at) => factor(at >> 1, at % 2) + 0.1 * noise.normal()),
    },
    factors: {
      n,
      factors: ['ill', 'sex', 'where'].map((name, k) => ({ name, kind: 'discrete', size: [2, 3, 1][k] })),
      values: Float64Array.from({ length: 3 * n }, (_, at) => {
        const [item, k] = [Math.floor(at / 3), at % 3];
        return gap(item, k) ? Number.NaN : factor(item, k);
      }),
    },
  };
}

test('known columns with gaps are measured on the rows that have them, and a note says so', () => {
  const whole = scoreAll(
    table(() => false),
    { names: ['mig'] },
  ).results[0];
  const { results, leftOut } = scoreAll(
    table((item, k) => k === 1 && item % 10 === 0),
    { names: ['mig', 'sap', 'unsupervised'] },
  );
  expect(leftOut).toEqual([]);
  expect(results[0].score).toBeCloseTo(whole.score, 1);
  expect(results[0].notes[0]).toBe(
    'Known columns have gaps (“sex”): they are measured on the 360 of 400 rows that have them all.',
  );
  // What looks at codes alone sees all rows.
  expect(results[2].notes.join()).not.toContain('gaps');
});

test('a column that is nearly empty is left out rather than nearly all rows', () => {
  const { inputs, notes } = inputsFor(
    ['factors'],
    table((item, k) => (k === 0 && item % 4 === 1) || (k === 1 && item > 20)),
  );
  expect(inputs.factors?.factors.map(({ name }) => name)).toEqual(['ill']);
  expect(inputs.codes?.n).toBe(300);
  expect(notes).toContain('Known columns are missing in most rows, and so not measured: “sex”.');
});

test('where no known column varies, metrics say so in one sentence', () => {
  const { codes, factors } = table(() => false);
  const same = { codes, factors: { ...factors, values: new Float64Array(3 * n) } };
  const { results, leftOut } = scoreAll(same, { names: ['mig', 'dci', 'linear-probe'] });
  expect(results).toEqual([]);
  expect(new Set(leftOut.slice(0, 2).map(({ why }) => why))).toEqual(
    new Set([
      'needs known factors. Known columns are the same in all rows, and so not measured: “ill”, “sex”, “where”',
    ]),
  );
});
