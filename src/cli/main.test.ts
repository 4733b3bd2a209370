import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { writeNpy } from '../data/formats/npy.ts';
import { writeNpz } from '../data/formats/npz.ts';
import { stream } from '../random/index.ts';
import { untangleIn } from './testing/command.ts';

let folder: string;

const untangle = (...words: string[]) => untangleIn(folder, ...words);

/** Codes that are the factors themselves but for a little noise, of a grid of 3 × 4 × 5 factors, 600 items. */
async function writeCodes(): Promise<void> {
  const n = 600;
  const noise = stream(1, 'codes');
  const factors = Float32Array.from({ length: n * 3 }, (_, i) => {
    const item = Math.floor(i / 3);
    return [item % 3, Math.floor(item / 3) % 4, Math.floor(item / 12) % 5][i % 3];
  });
  const codes = factors.map((value) => value + 0.05 * noise.normal());
  await writeNpy(join(folder, 'codes.npy'), [n, 3], codes);
  await writeNpy(join(folder, 'factors.npy'), [n, 3], factors);
  await writeNpz(join(folder, 'both.npz'), {
    codes: { shape: [n, 3], data: codes },
    factors: { shape: [n, 3], data: factors },
  });
  const rows = Array.from({ length: n }, (_, i) =>
    Array.from(factors.subarray(3 * i, 3 * i + 3), (v) => `v${v}`).join(','),
  );
  await writeFile(join(folder, 'factors.csv'), `shape,scale,place\n${rows.join('\n')}\n`);
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'untangle-cli-'));
  await writeCodes();
});
afterAll(() => rm(folder, { recursive: true }));

test('help lists the verbs, and each verb shows an example', async () => {
  const { code, out } = await untangle('--help');
  expect(code).toBe(0);
  for (const verb of ['demo', 'score', 'metrics', 'data']) expect(out).toContain(verb);
  for (const verb of [
    ['score'],
    ['demo'],
    ['metrics'],
    ['data', 'list'],
    ['data', 'preview'],
    ['data', 'import'],
    ['data', 'show'],
  ]) {
    const help = await untangle(...verb, '--help');
    expect(help.code).toBe(0);
    expect(help.out).toMatch(/Examples?:\n {2}untangle /);
  }
});

test('score measures codes from files: near one for codes that are the factors', async () => {
  const { code, out } = await untangle(
    'score',
    '--codes',
    'codes.npy',
    '--factors',
    'factors.npy',
    '--metrics',
    'mig,sap,modularity',
    '--json',
  );
  expect(code).toBe(0);
  const { results, items, dimensions } = JSON.parse(out);
  expect([items, dimensions]).toEqual([600, 3]);
  const score = Object.fromEntries(results.map((one: { name: string; score: number }) => [one.name, one.score]));
  expect(score.mig).toBeGreaterThan(0.9);
  expect(score.modularity).toBeGreaterThan(0.95);
  expect(
    results.every((one: { version: string; options: object }) => one.version !== '' && typeof one.options === 'object'),
  ).toBe(true);
});

test('score gives the same numbers from .npy, .npz and .csv, and in one thread or two', async () => {
  const scores = async (...words: string[]) => {
    const { out } = await untangle('score', ...words, '--metrics', 'mig,irs,factor-vae', '--json');
    return JSON.parse(out).results.map((one: { name: string; score: number }) => [one.name, one.score]);
  };
  const npy = await scores('--codes', 'codes.npy', '--factors', 'factors.npy', '--jobs', '1');
  expect(npy.length).toBe(3);
  expect(await scores('--codes', 'both.npz', '--jobs', '2')).toEqual(npy);
  expect(await scores('--codes', 'codes.npy', '--factors', 'factors.csv', '--jobs', '2')).toEqual(npy);
});

test('score without --metrics measures all that it can and says what it left out and why', async () => {
  const { code, out } = await untangle('score', '--codes', 'codes.npy', '--factors', 'factors.npy');
  expect(code).toBe(0);
  expect(out).toContain('600 codes of 3 dimensions, 3 factors');
  expect(out).toMatch(/Left out:[\s\S]*kl: needs the log variances of the posteriors/);
  expect(out).toMatch(/MIG +0\.9\d+ +↑/);
});

test.each([
  [['scor'], 2, 'Did you mean “untangle score”?'],
  [['score'], 2, '--codes <file>'],
  [['score', '--codes', 'codes.npy', '--metrics', 'migg'], 2, 'Did you mean “mig”?'],
  [['score', '--codes', 'codes.npy', '--protocol', 'dip'], 2, 'There is no protocol “dip”.'],
  [['score', '--codes', 'nothing.npy'], 2, 'nothing.npy'],
  [['score', '--codes', 'factors.csv'], 2, 'holds texts; codes are numbers'],
  [['score', '--codes', 'codes.npy', '--set', 'bins=3'], 2, 'metric.option=value'],
  [['score', '--codes', 'codes.npy', '--seed', 'x'], 2, '--seed takes a whole number'],
  [['metrics', 'sapp'], 2, 'Did you mean “sap”?'],
  [['data', 'show', 'mnsit'], 2, 'Did you mean “mnist”?'],
  [['data', 'preview', 'mnist', '--items', '0'], 2, '--items takes a whole number from 1 to 2000'],
  [['demo', '--minutes', '-1'], 2, '--minutes takes a number above 0; -1 is not that.'],
  [['augment', 'runs/any', '--per-class', '5', '--sigma', '0'], 2, '--sigma takes a number above 0; 0 is not that.'],
  [['augment', 'runs/any'], 2, '--per-class <n>'],
  [['picture', 'runs/any', 'traversal', '--range', '0.7'], 2, '--range takes a number from 0.000001 to 0.49;'],
  [['cpca', '--data', 'shapes', '--alphas', '0,many'], 2, '--alphas takes a list of numbers from 0 on'],
  [['cpca', '--data', 'shapes', '--kernel', 'cubic'], 2, 'Allowed choices are rbf, polynomial.'],
  [['encode', 'runs/any', '--part', 'tests'], 2, 'Allowed choices are train, validation, test, all.'],
  [['reproduce', 'contrastive-table-1', '--seeds', '5..1'], 2, '--seeds takes ranges such as 1..5, not “5..1”.'],
])('the wrong call %j gets a sentence and its exit code, never a stack trace', async (words, code, sentence) => {
  const outcome = await untangle(...words);
  expect(outcome.err).toContain(sentence);
  expect(outcome.err).not.toMatch(/\n\s+at /);
  expect(outcome.code).toBe(code);
  expect(outcome.out).toBe('');
});

test('metrics and data list what there is', async () => {
  const metrics = JSON.parse((await untangle('metrics', '--json')).out).metrics;
  expect(metrics.map((one: { name: string }) => one.name)).toContain('dci');
  const sap = JSON.parse((await untangle('metrics', 'sap', '--json')).out);
  expect(sap.options.form.default).toBe('kumar');
  const { datasets } = JSON.parse((await untangle('data', 'list', '--json')).out);
  const here = Object.fromEntries(datasets.map((one: { name: string; here: boolean }) => [one.name, one.here]));
  expect(here.mnist).toBe(true);
  expect((await untangle('data', 'show', 'celeba')).out).toContain('Licence:');
});

test('data preview writes a contact sheet, with the background under the target', async () => {
  const { code, out } = await untangle(
    'data',
    'preview',
    'shapes-contrast',
    '--items',
    '20',
    '--out',
    'sheet.png',
    '--json',
  );
  expect(code).toBe(0);
  const { file, sets } = JSON.parse(out);
  expect(sets.length).toBe(2);
  const bytes = await readFile(join(folder, file));
  expect(bytes.subarray(1, 4).toString()).toBe('PNG');
  expect(bytes.readUInt32BE(16)).toBeGreaterThan(300);
});

test('the demo trains, measures and draws', async () => {
  const { code, out } = await untangle('demo', '--minutes', '0.05', '--out', 'demo', '--json');
  expect(code).toBe(0);
  const { step, terms, files, results } = JSON.parse(out);
  expect(step).toBeGreaterThan(2);
  expect(terms.loss).toBeLessThan(600);
  expect(results.map((one: { name: string }) => one.name)).toEqual(['linear-probe', 'kl', 'reconstruction']);
  expect(files.length).toBeGreaterThanOrEqual(4);
  for (const file of files) expect((await readFile(join(folder, file))).length).toBeGreaterThan(1000);
});
