import { spawnSync } from 'node:child_process';
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'untangle-advise-cli-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

function untangle(...words: string[]) {
  const main = resolve(import.meta.dirname, '../../dist/cli/main.js');
  const { status, stdout, stderr } = spawnSync(process.execPath, [main, ...words], { cwd: folder, encoding: 'utf8' });
  return { status, stdout, stderr };
}

test('advise shows a line for each β, says what it can’t know, and keeps its trainings', () => {
  const short = ['--betas', '0.1,50', '--steps', '60', '--set', 'network=mlp', 'latents=3', 'learningRate=0.003'];
  const { status, stdout, stderr } = untangle('advise', 'beta-vae', '--data', 'shapes', ...short);
  expect(status, stderr).toBe(0);
  const [head, low, high] = stdout.split('\n');
  expect(head).toMatch(/^ +β +KL +in all +active +explained +error$/);
  expect(low).toMatch(/^0\.1( +\d+\.\d\d){3} +\d+\.\d +\d( +−?-?\d+ %) +0\.\d+$/);
  expect(high).toMatch(/^ *50 /);
  expect(stdout).toContain('With one seed nothing tells how much is chance');
  // What is there is not trained again.
  const again = JSON.parse(untangle('advise', 'beta-vae', '--data', 'shapes', ...short, '--json').stdout);
  expect(again.rows.map(({ beta }: { beta: number }) => beta)).toEqual([0.1, 50]);
  expect(again.rows[0].nats).toHaveLength(3);
  expect(again.folder).toBe(join(realpathSync(folder), 'sweeps', 'advice-beta-vae'));
}, 120_000);

test('advise names the methods that have a β', () => {
  const { status, stderr } = untangle('advise', 'dip-vae-ii', '--data', 'shapes');
  expect(status).toBe(2);
  expect(stderr).toContain('dip-vae-ii has no β.');
}, 60_000);
