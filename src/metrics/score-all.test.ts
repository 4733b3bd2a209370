import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { UntangleError } from '../errors.ts';
import { metrics, protocols, scoreAll } from './index.ts';
import { identityTable } from './testing/data.ts';

const table = identityTable(150, [2, 3]);

test('every metric has a name, a title, a line for people and options that stand by themselves', () => {
  for (const [name, metric] of Object.entries(metrics)) {
    expect(metric.name).toBe(name);
    expect(metric.version).toMatch(/^\d+$/);
    expect(metric.describe.length).toBeGreaterThan(20);
    expect(metric.options.parse({})).toEqual(expect.any(Object));
  }
});

test('docs/metrics.md knows every metric with its needs’ direction, and every option by name', () => {
  const text = readFileSync(new URL('../../docs/metrics.md', import.meta.url), 'utf8');
  const rows = text.split('\n').filter((line) => line.startsWith('| ['));
  for (const { name, better, options } of Object.values(metrics)) {
    const row = rows.find((line) => line.split('|')[2].includes(`\`${name}\``));
    expect(row?.split('|')[4].trim(), name).toBe(better);
    for (const option of Object.keys(options.shape)) expect(text, `${name}: ${option}`).toContain(`\`${option}\``);
  }
});

test('every protocol names metrics that exist with options that they take', () => {
  for (const { metrics: chosen } of Object.values(protocols))
    for (const [name, options] of Object.entries(chosen)) {
      const { shape } = metrics[name].options;
      expect(Object.keys(options).filter((key) => !(key in shape))).toEqual([]);
      expect(metrics[name].options.safeParse(options).success).toBe(true);
    }
});

test('disentanglement_lib’s protocol scores codes and factors, and each result names its version, options and seed', () => {
  const options = Object.fromEntries(['z-diff', 'factor-vae'].map((name) => [name, { train: 200, test: 100 }]));
  const { results, leftOut } = scoreAll(table, { protocol: 'disentanglement-lib', options }, { seed: 5 });
  expect(leftOut).toEqual([]);
  expect(results.map(({ name }) => name)).toEqual(Object.keys(protocols['disentanglement-lib'].metrics));
  const sap = results.find(({ name }) => name === 'sap')!;
  expect([sap.version, sap.seed, sap.options.form, sap.options.c]).toEqual(['1', 5, 'linear-svc', 0.01]);
  expect(results[0].options.train).toBe(200);
  expect(JSON.parse(JSON.stringify(results[0])).score).toBe(results[0].score);
});

test('what the inputs do not allow is left out with the reason', () => {
  const { results, leftOut } = scoreAll({ codes: table.codes });
  expect(results.map(({ name }) => name)).toEqual(['unsupervised']);
  expect(leftOut.find(({ name }) => name === 'mig')?.why).toBe('needs known factors');
  expect(leftOut.find(({ name }) => name === 'mig-sampled')?.why).toBe(
    'needs known factors and the log variances of the posteriors',
  );
  expect(results.length + leftOut.length).toBe(Object.keys(metrics).length);
});

test('a metric that finds nothing to measure is left out with its sentence', () => {
  const one = identityTable(60, [3]);
  const { results, leftOut } = scoreAll(one, { names: ['mig', 'factor-vae'] });
  expect(results.map(({ name }) => name)).toEqual(['mig']);
  expect(leftOut[0].why).toContain('at least two factors that vary');
});

test('unknown names and options get the nearest known one', () => {
  expect(() => scoreAll(table, { names: ['mgi'] })).toThrow('There is no metric “mgi”.');
  expect(() => scoreAll(table, { protocol: 'dip-vea' })).toThrow('There is no protocol “dip-vea”.');
  const wrongOption = () => scoreAll(table, { names: ['mig'], options: { mig: { bin: 10 } } });
  expect(wrongOption).toThrow('There is no option of mig “bin”.');
  expect(() => metrics.mig.score(table, { bins: 0 })).toThrow('The option “bins” of mig does not fit');
  try {
    wrongOption();
  } catch (error) {
    expect((error as UntangleError).hint).toContain('Did you mean “bins”?');
  }
});

test('codes that are not finite, or arrays that do not fit, are an error that says where', () => {
  const values = table.codes.values.slice();
  values[7] = Number.NaN;
  expect(() => scoreAll({ ...table, codes: { ...table.codes, values } })).toThrow(
    'The codes hold NaN in row 3, dimension 1.',
  );
  expect(() => scoreAll({ ...table, codes: { ...table.codes, d: 3 } })).toThrow('hold 300 numbers, but 150 rows of 3');
  expect(() => scoreAll({ ...table, factors: { ...table.factors, n: 149 } })).toThrow('149 rows of factors for 150');
  const labels = { names: ['a'], values: new Uint16Array(150).fill(1) };
  expect(() => scoreAll({ ...table, labels })).toThrow('A label is 1, but there are names for 1 classes');
});

test('the same seed gives the same numbers, and progress runs from 0 to 1', () => {
  const shares: number[] = [];
  const request = {
    names: ['factor-vae', 'sap', 'dci'],
    options: { 'factor-vae': { train: 100, test: 50, batch: 3 } },
  };
  const score = (onProgress?: (share: number) => void) => scoreAll(table, request, { seed: 2, onProgress }).results;
  expect(score((share) => shares.push(share))).toEqual(score());
  expect(shares[0]).toBe(0);
  expect(shares.at(-1)).toBe(1);
  expect(shares.every((share, i) => i === 0 || share >= shares[i - 1])).toBe(true);
});

test('Float32 codes are measured like Float64 ones', () => {
  const single = { ...table, codes: { ...table.codes, values: Float32Array.from(table.codes.values) } };
  const names = ['sap', 'mig', 'modularity', 'irs', 'unsupervised'];
  expect(scoreAll(single, { names }).results).toEqual(scoreAll(table, { names }).results);
});
