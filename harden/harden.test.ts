import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';

const folder = mkdtempSync(join(tmpdir(), 'untangle-harden-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Small doses of each attack; large ones are for a night. */
test.each([
  ['kill', '1'],
  ['damage', '1'],
  ['disk', '1'],
  ['fuzz', '1000'],
  ['studio', '20'],
  ['soak', '0.05'],
])(
  'npm run harden -- %s --dose %s: everything ends as it should',
  (attack, dose) => {
    const words = [join(import.meta.dirname, 'run.js'), attack, '--dose', dose];
    const { status, stdout, stderr } = spawnSync(process.execPath, words, { cwd: folder, encoding: 'utf8' });
    expect(status, `${stdout}${stderr}`).toBe(0);
  },
  120_000,
);

test('an attack that is not there is a wrong call', () => {
  const { status, stderr } = spawnSync(process.execPath, [join(import.meta.dirname, 'run.js'), 'flood'], {
    encoding: 'utf8',
  });
  expect([status, stderr]).toEqual([2, 'Name attacks: kill, damage, disk, fuzz, studio, soak; not flood.\n']);
});
