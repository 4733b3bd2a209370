import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { serve } from '../cli/testing/browser.ts';
import { methodNamed } from '../methods/index.ts';
import { itemSize } from '../model/index.ts';
import { readEvaluation, verifyRun } from '../runs/index.ts';
import { callOf } from '../shell.ts';
import { TrainedModel } from './trained-model.ts';
import { getModel, listZoo } from './zoo.ts';

const zoo = join(import.meta.dirname, '..', '..', 'zoo');
let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'untangle-zoo-'));
  vi.stubEnv('UNTANGLE_ZOO', zoo);
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(root, { recursive: true });
});

test('the zoo has ten models and more, each whole, small, measured, drawn and told how to be made again', async () => {
  const models = await listZoo();
  expect(models.length).toBeGreaterThanOrEqual(10);
  expect(models.map(({ name }) => name).sort()).toEqual(
    readdirSync(zoo, { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => name)
      .sort(),
  );
  for (const { name, train } of models) {
    const run = await getModel(name, join(root, name));
    expect(run.file.method).toBe(methodNamed(train[0]).name);
    expect(run.file.command.startsWith(callOf('train', ...train))).toBe(true);
    // Data is named as a person names it, without the folders of the machine that it was trained on.
    expect(run.file.data.target.source).toMatch(/^[\w.-]+$/);
    expect(await verifyRun(run.folder)).toMatchObject({ hasManifest: true, isWhole: true });
    expect(await readEvaluation(run.folder)).toMatchObject({ step: run.file.training.steps });
    expect(readdirSync(join(run.folder, 'pictures')).length).toBeGreaterThan(0);
    expect(readFileSync(join(run.folder, 'README.md'), 'utf8')).toMatch(/^---\nlibrary_name: untangle\n/);
    const model = await TrainedModel.open(run.folder);
    const neutral = Object.fromEntries(
      model.file.blocks.map(({ name: block, size }) => [block, new Float32Array(size)]),
    );
    expect((await model.decode(neutral)).length).toBe(itemSize(model.file.data.shape));
    await model.close();
  }
  const bytes = readdirSync(zoo, { recursive: true }).reduce(
    (sum, path) => sum + statSync(join(zoo, `${path}`)).size,
    0,
  );
  expect(bytes).toBeLessThan(15e6);
}, 60_000);

test('a model comes from an address, too, and one that arrives otherwise than it was sent is refused', async () => {
  const [{ name }] = await listZoo();
  const copy = join(root, 'copy');
  cpSync(join(zoo, 'zoo.json'), join(copy, 'zoo.json'));
  cpSync(join(zoo, name), join(copy, name), { recursive: true });
  const server = await serve(copy);
  vi.stubEnv('UNTANGLE_ZOO', server.url);
  try {
    const run = await getModel(name, join(root, 'got'));
    expect(readFileSync(join(run.folder, 'model', 'decoder.onnx'))).toEqual(
      readFileSync(join(zoo, name, 'model', 'decoder.onnx')),
    );
    writeFileSync(join(copy, name, 'run.json'), '{}');
    await expect(getModel(name, join(root, 'other'))).rejects.toThrow('“run.json” did not arrive as it was sent');
    expect(existsSync(join(root, 'other'))).toBe(false);
  } finally {
    await server.close();
  }
});

test('a name that is none, and a zoo that is nowhere, are told', async () => {
  await expect(getModel('no-such', join(root, 'x'))).rejects.toThrow('There is no model of the zoo “no-such”.');
  vi.stubEnv('UNTANGLE_ZOO', join(root, 'nowhere'));
  await expect(listZoo()).rejects.toThrow();
});
