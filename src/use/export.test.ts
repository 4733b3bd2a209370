import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { stream } from '../random/index.ts';
import { createRun } from '../runs/run.ts';
import { handMadeBlocks, handMadeRun } from '../runs/testing/hand-made.ts';
import { nodeBackend } from '../runtime/node/index.ts';
import { exportRun } from './export.ts';
import { modelCard } from './model-card.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'untangle-export-'));
});
afterEach(() => rmSync(root, { recursive: true }));

test('an export holds the model, a card, the page and its runtime, and the same model.json as the run', async () => {
  const run = await handMadeRun(root);
  const { files } = await exportRun(run, join(root, 'deep', 'site'));
  expect(files).toEqual([
    'README.md',
    'decoder.onnx',
    'encoder.onnx',
    'index.html',
    'model.json',
    ...['licences.txt', 'ort-wasm-simd-threaded.wasm', 'ort.wasm.bundle.min.mjs', 'page.js', 'style.css'].map(
      (name) => `page/${name}`,
    ),
  ]);
  expect(readFileSync(join(root, 'deep', 'site', 'model.json'), 'utf8')).toBe(
    readFileSync(join(run.folder, 'model', 'model.json'), 'utf8'),
  );
  expect(readdirSync(join(root, 'deep'))).toEqual(['site']);
});

test('a model without an encoder is exported without one', async () => {
  const { files } = await exportRun(await handMadeRun(root, { encodes: false }), join(root, 'site'));
  expect(files).not.toContain('encoder.onnx');
  expect(readFileSync(join(root, 'site', 'README.md'), 'utf8')).toContain('the method has no encoder');
});

test('a folder that holds something is refused and left as it is', async () => {
  const run = await handMadeRun(join(root, 'runs'));
  writeFileSync(join(root, 'mine.txt'), 'mine');
  await expect(exportRun(run, root)).rejects.toThrow(`The folder “${root}” is not empty.`);
  await expect(exportRun(run, join(root, 'mine.txt'))).rejects.toThrow('is not a folder');
  expect(readFileSync(join(root, 'mine.txt'), 'utf8')).toBe('mine');
});

test('a run without a model says so', async () => {
  const { file } = await handMadeRun(root);
  const { command, method, options, data, training } = file;
  const run = await createRun(root, { command, method, options, data, training });
  await expect(exportRun(run, join(root, 'site'))).rejects.toThrow('has no model yet');
});

test('both ONNX files give the same rows alone and in a batch of seven', async () => {
  await exportRun(await handMadeRun(root), join(root, 'site'));
  const backend = await nodeBackend();
  const run = async (name: string, feeds: Record<string, [Float32Array, number[]]>, output: string) => {
    const session = await backend.open(readFileSync(join(root, 'site', name)), { threads: 1 });
    const bound = Object.entries(feeds).map(([key, [data, shape]]) => [key, backend.bind(data, shape, 'float32')]);
    const results = await session.run(Object.fromEntries(bound), { [output]: null });
    const values = Float32Array.from(results[output].data as Float32Array);
    await session.close();
    return values;
  };
  const x = stream(1, 'pictures').normals(7 * 16);
  const z = await run('encoder.onnx', { x: [x, [7, 1, 4, 4]] }, 'z mean');
  const codes = handMadeBlocks.map(({ name, size }) => ({ name, size, rows: stream(2, name).normals(7 * size) }));
  const feeds = (from: number, to: number) =>
    Object.fromEntries(
      codes.map(({ name, size, rows }): [string, [Float32Array, number[]]] => [
        name,
        [rows.slice(from * size, to * size), [to - from, size]],
      ]),
    );
  const decoded = await run('decoder.onnx', feeds(0, 7), 'x');
  for (let i = 0; i < 7; i++) {
    expect(await run('encoder.onnx', { x: [x.slice(16 * i, 16 * (i + 1)), [1, 1, 4, 4]] }, 'z mean')).toEqual(
      z.slice(4 * i, 4 * (i + 1)),
    );
    expect(await run('decoder.onnx', feeds(i, i + 1), 'x')).toEqual(decoded.slice(16 * i, 16 * (i + 1)));
  }
  // The code stands in the first ten pixels: the last four of them are z.
  const sigmoid = (value: number) => 1 / (1 + Math.exp(-value));
  const ofZ = codes[3].rows;
  for (let i = 0; i < 4; i++) expect(decoded[6 + i]).toBeCloseTo(sigmoid(ofZ[i]), 5);
});

test('ONNX’s own checker passes the exported files', async (context) => {
  const python = '/usr/bin/python3';
  const installed = spawnSync(python, ['-c', 'import onnx']).status === 0;
  if (!installed && process.env.CI === undefined) context.skip('Debian’s python3-onnx is not installed');
  await exportRun(await handMadeRun(root), join(root, 'site'));
  const script = fileURLToPath(new URL('../../tools/check_onnx.py', import.meta.url));
  const { stdout, stderr } = spawnSync(python, [script, join(root, 'site')], { encoding: 'utf8' });
  expect(`${stdout}${stderr}`).toMatch(/^2 of 2 files pass/);
});

test('the card tells the method and its paper, the blocks, the settings and what was measured', async () => {
  const run = await handMadeRun(root);
  const { model } = await exportRun(run, join(root, 'site'));
  const evaluation = {
    format: 1,
    created: '2026-01-01T00:00:00.000Z',
    step: 8,
    part: 'test',
    items: 120,
    leftOut: [],
    results: [
      {
        name: 'mig',
        title: 'MIG',
        version: '1',
        better: 'higher' as const,
        options: {},
        seed: 0,
        score: 0.31234567,
        parts: {},
        notes: [],
      },
    ],
  };
  const decoderInputs = ['u', 's', 'z'];
  const card = modelCard({ run, model: { ...model, method: 'beta-vae' }, evaluation, decoderInputs });
  expect(card).toContain('# A model by hand on patches');
  expect(card).toContain('Higgins et al. 2017, Eq. 4');
  expect(card).toContain('| `z` | 4 | gaussian | common to all items | 3.50, 3 above 0.01 |');
  expect(card).toContain('| beta | 4 |');
  expect(card).toContain('of the weights at step 8, not 10, on 120 items of the test part');
  expect(card).toContain('| MIG | 0.3123 | higher | 1 |');
  expect(card).toContain('1 of 5 continuous dimensions carry next to nothing');
  expect(card).toContain('"z": new ort.Tensor(\'float32\', new Float32Array(4), [1, 4])');
  expect(card).not.toContain('"y": new ort.Tensor');
  expect(modelCard({ run, model, decoderInputs })).toContain('Nothing was measured before this export.');
});
