import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { toOnnx } from './onnx.ts';
import { representativeGraphs } from './testing/graphs.ts';

const python = '/usr/bin/python3';
const script = fileURLToPath(new URL('../../tools/check_onnx.py', import.meta.url));

function check(files: Record<string, Uint8Array>) {
  const folder = mkdtempSync(join(tmpdir(), 'untangle-onnx-'));
  try {
    for (const [name, bytes] of Object.entries(files)) writeFileSync(join(folder, `${name}.onnx`), bytes);
    return spawnSync(python, [script, folder], { encoding: 'utf8' });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test('ONNX’s own checker passes every kind of graph that is written, and refuses a broken one', (context) => {
  const installed = spawnSync(python, ['-c', 'import onnx']).status === 0;
  if (!installed && process.env.CI === undefined) context.skip('Debian’s python3-onnx is not installed');
  const graphs = representativeGraphs();
  const files = Object.fromEntries(graphs.map(([name, options]) => [name, toOnnx(options)]));
  const good = check(files);
  expect(`${good.stdout}${good.stderr}`).toMatch(new RegExp(`^${graphs.length} of ${graphs.length} files pass onnx`));
  expect(good.status).toBe(0);

  const broken = toOnnx(graphs[0][1]).slice(0, -8);
  const bad = check({ broken, whole: files[graphs[0][0]] });
  expect(bad.stdout).toContain('broken.onnx: ');
  expect(bad.stdout).toContain('1 of 2 files pass');
  expect(bad.status).toBe(1);
});
