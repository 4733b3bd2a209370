import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { handMadeRun } from '../runs/testing/hand-made.ts';
import { untangleIn } from './testing/command.ts';

let folder: string;
let run: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'untangle-verify-'));
  run = (await handMadeRun(folder)).folder;
});
afterAll(() => rmSync(folder, { recursive: true }));

test('verify names the file that was changed, and nothing is made from it', async () => {
  const whole = await untangleIn(folder, 'verify', run);
  expect([whole.code, whole.err.trim()]).toEqual([0, 'Everything is what was written.']);
  const path = join(run, 'model', 'decoder.onnx');
  const bytes = readFileSync(path);
  bytes[bytes.length >> 1] ^= 64;
  writeFileSync(path, bytes);

  const changed = await untangleIn(folder, 'verify', run, '--json');
  expect(changed.code).toBe(1);
  const { isWhole, files } = JSON.parse(changed.out);
  expect(isWhole).toBe(false);
  expect(files).toContainEqual(expect.objectContaining({ name: 'model/decoder.onnx', state: 'changed' }));

  const exported = await untangleIn(folder, 'export', run, 'site');
  expect(exported.code).toBe(1);
  expect(exported.err).toContain('decoder.onnx” is not what was written');
  const wrong = await untangleIn(folder, 'verify', 'nothing');
  expect([wrong.code, wrong.err.includes('There is no run “nothing”.')]).toEqual([2, true]);
}, 60_000);
