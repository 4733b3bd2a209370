import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'untangle-seeds-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

function untangle(...words: string[]) {
  const main = resolve(import.meta.dirname, '../../dist/cli/main.js');
  const { status, stdout, stderr } = spawnSync(process.execPath, [main, ...words], { cwd: folder, encoding: 'utf8' });
  return { status, stdout, stderr };
}

const tiny = ['--set', 'steps=6', 'network=mlp', 'latents=3', 'batchSize=16'];

test('train --seeds makes a run for each seed; compare and evaluate give mean and deviation over them, and UDR', () => {
  const trained = untangle('train', 'beta-vae', '--data', 'shapes', '--seeds', '1..3', '--out', 'runs/s', ...tiny);
  expect(trained.status, trained.stderr).toBe(0);
  expect(trained.stdout).toMatch(/^loss [\d.]+ ± [\d.]+$/m);
  expect(trained.stdout).toContain('The runs are in runs/s-1, runs/s-2, runs/s-3.');
  expect(trained.stderr).toContain('untangle evaluate runs/s-1 runs/s-2 runs/s-3');

  const compared = JSON.parse(untangle('compare', 'runs/s-1', 'runs/s-2', 'runs/s-3', '--json').stdout);
  expect(compared.groups).toEqual([[0, 1, 2]]);
  const loss = compared.sections[1].rows.find(({ name }: { name: string }) => name === 'loss');
  const mean = loss.cells.reduce((sum: number, one: number) => sum + one, 0) / 3;
  expect(loss.spreads[0]).toMatchObject({ mean: expect.closeTo(mean, 6), seeds: 3 });

  const runs = ['runs/s-1', 'runs/s-2', 'runs/s-3'];
  const measured = JSON.parse(untangle('evaluate', ...runs, '--metrics', 'kl,udr', '--items', '50', '--json').stdout);
  expect(measured.runs.map(({ run }: { run: string }) => run)).toEqual(['s-1', 's-2', 's-3']);
  expect(measured.seeds[0].metrics.kl).toMatchObject({ seeds: 3 });
  expect(measured.runs[0].results.map(({ name }: { name: string }) => name)).toEqual(['kl', 'udr']);
  expect(measured.runs[0].results[1].parts.perModel.length).toBe(3);
  const shown = untangle('evaluate', ...runs, '--metrics', 'kl', '--items', '50').stdout;
  expect(shown).toMatch(/^metric +s-1 +s-2 +s-3 +3 seeds$/m);
  expect(shown).toMatch(/ ± [\d.]+$/m);
}, 120_000);

test('--seeds goes with no other seed, and --out of several measurements is refused', () => {
  const both = untangle('train', 'vae', '--data', 'shapes', '--seeds', '1..2', '--seed', '3');
  expect(both.status).toBe(2);
  expect(both.stderr).toContain('--seeds makes several runs');
  const out = untangle('evaluate', 'runs/s-1', 'runs/s-2', '--out', 'numbers.json');
  expect(out.status).toBe(2);
  expect(out.stderr).toContain('--out names one file, and there are several runs.');
}, 60_000);

test('a training that was too short is told so at its end, with the flag that helps', () => {
  const { stdout, stderr } = untangle('train', 'beta-vae', '--data', 'shapes', '--out', 'runs/short', ...tiny);
  expect(stdout, stderr).toMatch(/^The training has seen only \d+ % of the items\. \(--epochs 20 .*\)$/m);
}, 60_000);
