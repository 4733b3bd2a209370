import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { UntangleError } from '../errors.ts';
import { checkOptions, parseOptions } from '../options/index.ts';
import type { Inputs } from './metric.ts';
import { protocols } from './protocols.ts';
import { metrics } from './registry.ts';
import { parseMetricSettings, scoreAll } from './score-all.ts';
import { duplicated, identityTable, padded, type Table, withCodes, zeroed } from './testing/data.ts';

const table = identityTable(150, [2, 3]);

test('every metric has a name, a title, a line for people and options that stand by themselves', () => {
  for (const [name, metric] of Object.entries(metrics)) {
    expect(metric.name).toBe(name);
    expect(metric.version).toMatch(/^\d+$/);
    expect(metric.describe.length).toBeGreaterThan(20);
    expect(Object.keys(parseOptions(metric.options))).toEqual(Object.keys(metric.options));
  }
});

test('docs/metrics.md knows every metric with its needs’ direction, and every option by name', () => {
  const text = readFileSync(new URL('../../docs/metrics.md', import.meta.url), 'utf8');
  const rows = text.split('\n').filter((line) => line.startsWith('| ['));
  for (const { name, better, options } of Object.values(metrics)) {
    const row = rows.find((line) => line.split('|')[2].includes(`\`${name}\``));
    expect(row?.split('|')[4].trim(), name).toBe(better);
    for (const option of Object.keys(options)) expect(text, `${name}: ${option}`).toContain(`\`${option}\``);
  }
});

test('settings are read by the options of the metric that they name', () => {
  const settings = ['mig.bins=10', 'sap.form=r2', 'sap.regressAbove=5', 'sap.regressAbove=null', 'wasserstein.block=7'];
  expect(parseMetricSettings(settings)).toEqual({
    mig: { bins: 10 },
    sap: { form: 'r2', regressAbove: null },
    wasserstein: { block: '7' },
  });
  expect(() => parseMetricSettings(['mgi.bins=10'])).toThrow('There is no metric “mgi”.');
  expect(() => parseMetricSettings(['mig.bns=10'])).toThrow('There is no option of mig “bns”.');
  expect(() => parseMetricSettings(['sap.c=0'])).toThrow(
    'The option “c” of sap takes a number above 0; 0 is not that.',
  );
  expect(() => parseMetricSettings(['augmentation.replace='])).toThrow(
    'takes a list of numbers from 0 to 1, such as 0.4,1',
  );
});

test('every protocol names metrics that exist with options that they take', () => {
  for (const { metrics: chosen } of Object.values(protocols))
    for (const [name, options] of Object.entries(chosen)) {
      expect(checkOptions(metrics[name].options, options)).toEqual(options);
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
  expect(() => metrics.mig.score(table, { bins: 0 })).toThrow(
    'The option “bins” of mig takes a whole number from 1 to 10000000; 0 is not that.',
  );
  try {
    wrongOption();
  } catch (error) {
    expect((error as UntangleError).hint).toContain('Did you mean “bins”?');
  }
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

/** Everything that a metric could ask for, around a table of codes and factors. */
function everything({ codes, factors }: Table): Inputs {
  const { n, d, values } = codes;
  const blocks = [
    { name: 's', role: 'salient' as const, start: 0, size: 1 },
    { name: 'z', role: 'shared' as const, start: d - 1, size: 1 },
  ];
  const whole = { ...codes, blocks, logVariance: new Float64Array(n * d).fill(-2) };
  const labels = { names: ['a', 'b'], values: Uint16Array.from({ length: n }, (_, i) => i % 2) };
  const images = { values: Float64Array.from(values, Math.abs), n, size: d, labels: labels.values };
  return {
    codes: whole,
    probabilities: { ...codes, blocks: [{ name: 'c', role: 'class', start: 0, size: d }] },
    factors,
    labels,
    background: codes,
    models: [whole, whole],
    reconstructions: { original: values, reconstruction: values, n, size: d },
    augmentation: { train: images, test: images, generated: images },
  };
}

const mixedKinds = identityTable(60, [2, 5, 60]);
mixedKinds.factors.factors[2].kind = 'continuous';

test.each([
  ['all zeros', zeroed(table)],
  ['one dimension', withCodes(table, 1, (i) => i % 7)],
  ['one factor', identityTable(60, [3])],
  ['one value in every factor', identityTable(60, [1, 1])],
  ['more dimensions than factors, one of them constant', padded(table)],
  ['doubled dimensions', duplicated(table)],
  ['four rows', identityTable(4, [2, 2])],
  ['two rows', identityTable(2, [2, 2], 3)],
  ['huge numbers', withCodes(table, 2, (i, j) => 1e30 * (i + j))],
  ['a continuous factor', mixedKinds],
])('%s: every metric gives a number or a sentence', (_, given) => {
  const options = Object.fromEntries(['z-diff', 'factor-vae'].map((name) => [name, { train: 60, test: 30 }]));
  const { results, leftOut } = scoreAll(everything(given), { options: { ...options, clustering: { iterations: 50 } } });
  const named = [...results, ...leftOut].map(({ name }) => name).filter((name) => !name.endsWith(' of z'));
  expect(named.sort()).toEqual(Object.keys(metrics).sort());
  for (const { name, score, notes } of results)
    if (!Number.isFinite(score))
      expect([name, notes.join(' ')]).toEqual(['unsupervised', expect.stringContaining('infinite')]);
  for (const { why } of leftOut) expect(why.length).toBeGreaterThan(15);
});
