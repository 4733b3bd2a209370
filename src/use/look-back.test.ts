import { expect, test } from 'vitest';
import { stream } from '../random/index.ts';
import type { LogLine } from '../runs/index.ts';
import { findingsOfCodes, findingsOfLog } from './look-back.ts';

/** A log whose loss is `at(step)` with noise, and the held-out loss where it is looked at. */
function log(
  at: (step: number) => number,
  { epochs = 20, looks = (step: number) => at(step), weight = (_: number): number => 4 } = {},
) {
  const noise = stream(1, 'noise');
  return Array.from({ length: 100 }, (_, i): LogLine => {
    const step = 10 * (i + 1);
    return {
      step,
      epoch: (epochs * step) / 1000,
      seconds: step,
      terms: { loss: at(step) + noise.normal() },
      weights: { kl: weight(step) },
      ...(step % 100 === 0 && { validation: { loss: looks(step) } }),
    };
  });
}

const kinds = (lines: LogLine[]) => findingsOfLog(lines, 1000).map(({ kind }) => kind);

test('a loss that has settled is no finding, one that still falls is, with the flag that goes on', () => {
  expect(kinds(log((step) => 100 + 200 * Math.exp(-step / 50)))).toEqual([]);
  const [finding] = findingsOfLog(
    log((step) => 300 - step / 10),
    1000,
  );
  expect(finding.kind).toBe('falling');
  expect(finding.sentence).toMatch(/^The loss was still falling: (4|5)\.?\d* % over the last fifth/);
  expect(finding.help).toContain('--steps 3000 with --resume');
});

test('noise alone is not taken for a fall in a hundred logs', () => {
  const falls = Array.from({ length: 100 }, (_, seed) => {
    const noise = stream(seed, 'flat');
    return kinds(log((step) => 100 + 200 * Math.exp(-step / 50) + 3 * noise.normal()));
  });
  expect(falls.filter((found) => found.includes('falling')).length).toBeLessThanOrEqual(2);
});

test('a loss whose weights are on a schedule is not compared with itself', () => {
  expect(kinds(log((step) => 300 - step / 10, { weight: (step) => step / 1000 }))).toEqual([]);
});

test('a held-out loss that rises again is told with its best step', () => {
  const [finding, ...others] = findingsOfLog(
    log((step) => 300 - step / 10, { looks: (step) => 200 + Math.abs(step - 300) / 10 }),
    1000,
  );
  expect(others).toEqual([]);
  expect(finding).toMatchObject({
    kind: 'overfitted',
    sentence: expect.stringContaining('best at step 300, and is 35 % higher'),
  });
});

test('a training of less than a pass is told so, and an empty log says nothing', () => {
  expect(
    findingsOfLog(
      log(() => 1, { epochs: 0.4 }),
      1000,
    )[0],
  ).toMatchObject({
    kind: 'short',
    sentence: 'The training has seen only 40 % of the items.',
  });
  expect(findingsOfLog([], 10)).toEqual([]);
});

/** Codes of so many items: dimension j is `columns[j]` of two independent factors, with a narrow posterior unless it is dead. */
function codes(columns: readonly ((a: number, b: number) => number)[], dead: readonly number[] = []) {
  const noise = stream(2, 'codes');
  const [n, d] = [400, columns.length];
  const values = new Float32Array(n * d);
  const logVariance = new Float32Array(n * d);
  for (let i = 0; i < n; i++) {
    const [a, b] = [noise.normal(), noise.normal()];
    columns.forEach((column, j) => {
      values[i * d + j] = dead.includes(j) ? 0 : column(a, b);
      logVariance[i * d + j] = dead.includes(j) ? 0 : -3;
    });
  }
  return { values, logVariance, n, d, blocks: [{ name: 'z', role: 'shared' as const, start: 0, size: d }] };
}

test('codes that are independent and all alive are no finding', () => {
  expect(findingsOfCodes(codes([(a) => a, (_, b) => b]), 1000, { beta: 4 })).toEqual([]);
});

test('dead and redundant dimensions are named', () => {
  const found = findingsOfCodes(codes([(a) => a, (_, b) => b, () => 0, (a, b) => -a + 0.05 * b], [2]), 1000, {
    beta: 4,
  });
  expect(found.map(({ kind }) => kind)).toEqual(['dead', 'redundant']);
  expect(found[0].sentence).toBe('3 of 4 dimensions carry something; z[2] nothing.');
  expect(found[0].help).toBe('a lower beta leaves them more room: --set beta=…');
  const [early] = findingsOfCodes(codes([(a) => a, () => 0], [1]), 200, { beta: 4 });
  expect(early.help).toContain('more steps may open them (--steps 1000 with --resume)');
  expect(found[1].sentence).toBe('Some dimensions say the same: z[0] and z[3] (|r| = 1.00).');
});

test('a latent that collapsed is told with the weight to begin with', () => {
  const [finding, ...others] = findingsOfCodes(codes([() => 0, () => 0], [0, 1]), 1000, { beta: 16 });
  expect(others).toEqual([]);
  expect(finding).toMatchObject({ kind: 'collapsed', help: 'begin with a small weight: --set beta=linear:0:1:500' });
});
