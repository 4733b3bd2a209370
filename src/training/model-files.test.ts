import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { methodNamed } from '../methods/index.ts';
import { classVariables, createRun, type ModelFile, readModelFile } from '../runs/index.ts';
import type { RunData } from './data.ts';
import { saveModel } from './model-files.ts';
import { klOf, type Session } from './session/index.ts';
import { type Brief, trainBriefly } from './testing/briefly.ts';

let root: string;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'untangle-model-'));
});
afterAll(() => rm(root, { recursive: true }));

const small = ['network=mlp', 'batchSize=32'];

/** KL between two normal distributions, from their means and deviations. */
function klBetween(mean: number, deviation: number, meanOfPrior: number, deviationOfPrior: number): number {
  const far = (mean - meanOfPrior) / deviationOfPrior;
  const wide = deviation / deviationOfPrior;
  return -Math.log(wide) + (wide ** 2 + far ** 2) / 2 - 0.5;
}

async function trained(method: string, brief: Brief) {
  const { session, data } = await trainBriefly(methodNamed(method), brief);
  const items = data.target.split.validation;
  const codes = await session.assembled.program.run('encode', { x: data.target.data.gather(items) });
  return { session, data, items, codes };
}

async function saved(method: string, session: Session, data: RunData, name: string): Promise<ModelFile> {
  const run = await createRun(
    root,
    {
      method,
      command: '',
      options: {},
      data: { target: { source: 'shapes', fingerprint: '' } },
      training: { seed: 1, steps: 1, batchSize: 32, optimiser: 'adam', learningRate: 0.001, workers: 1, threads: 1 },
    },
    name,
  );
  await saveModel(run, methodNamed(method), data, session);
  return (await readModelFile(run.folder))!;
}

test('the factors of a class are measured on the items of that class alone', async () => {
  const set = [...small, 'latents=2', 'classLatents=2'];
  const { session, data, items, codes } = await trained('n-vae', { set, steps: 30 });
  const kl = await klOf(data, session);
  const names = data.variables[0].classes;
  for (const [k, name] of names.entries()) {
    const own = Array.from(items.keys()).filter((i) => data.variables[0].values[items[i]] === k);
    const [mean, logVariance] = [codes[`z_c ${name} mean`], codes[`z_c ${name} log variance`]];
    const expected = [0, 1].map(
      (d) =>
        own.reduce((sum, i) => sum + klBetween(mean[2 * i + d], Math.exp(logVariance[2 * i + d] / 2), 0, 1), 0) /
        own.length,
    );
    expected.forEach((value, d) => {
      expect(kl[`z_c ${name}`][d]).toBeCloseTo(value, 6);
    });
  }
  const shared = Array.from(items.keys()).map((i) =>
    klBetween(codes['z_s mean'][2 * i], Math.exp(codes['z_s log variance'][2 * i] / 2), 0, 1),
  );
  expect(kl.z_s[0]).toBeCloseTo(shared.reduce((sum, one) => sum + one, 0) / items.length, 6);
  const { data: facts } = await saved('n-vae', session, data, 'n-vae');
  expect(facts.classes).toEqual(names);
  expect(facts.variables).toEqual([{ name: 'class', classes: names }]);
  await session.close();
});

test('every class is measured where the items of a class lie together and are more than are measured', async () => {
  const set = [...small, 'latents=2', 'classLatents=1', 'validation=0.3'];
  const { session, data } = await trained('n-vae', { set, steps: 1 });
  expect(data.target.split.validation.length).toBeGreaterThan(900);
  expect(Object.keys(await klOf(data, session))).toEqual(['z_c disc', 'z_c square', 'z_c triangle', 'z_s']);
  await session.close();
});

test('a learned prior is what the divergence is measured from, that of the likeliest class', async () => {
  const set = [...small, 'latents=2', 'classLatents=1', 'learningRate=0.01'];
  const labels = { labels: 60, labelFactors: ['shape', 'scale'] };
  const { session, data, items, codes } = await trained('parted-vae', { set, steps: 60, labels });
  const kl = await klOf(data, session);
  const constants = await session.assembled.program.run('constants', {});
  for (const [name, size] of [
    ['shape', 3],
    ['scale', 4],
  ] as const) {
    const [u, probabilities] = [`u ${name}`, codes[`c ${name} probabilities`]];
    let [toPrior, toStandard] = [0, 0];
    for (let i = 0; i < items.length; i++) {
      const row = Array.from(probabilities.subarray(i * size, (i + 1) * size));
      const k = row.indexOf(Math.max(...row));
      const [mean, deviation] = [codes[`${u} mean`][i], Math.exp(codes[`${u} log variance`][i] / 2)];
      const spread = Math.exp(constants[`${u} prior log variance`][k] / 2);
      toPrior += klBetween(mean, deviation, constants[`${u} prior mean`][k], spread) / items.length;
      toStandard += klBetween(mean, deviation, 0, 1) / items.length;
    }
    expect(kl[u][0]).toBeCloseTo(toPrior, 5);
    expect(Math.abs(toPrior - toStandard)).toBeGreaterThan(0.01);
  }
  const model = await saved('parted-vae', session, data, 'several labels');
  expect(model.data.classes).toEqual(['shape 0', 'shape 1', 'shape 2']);
  expect(classVariables(model).map(({ name, classes }) => [name, classes.length])).toEqual([
    ['shape', 3],
    ['scale', 4],
  ]);
  expect(classVariables(model)[1].classes[3]).toBe('scale 3');
  await session.close();
});

test('classes that were found without labels do not get the names of labels', async () => {
  const { session, data } = await trained('parted-vae', { set: [...small, 'latents=2'], steps: 1 });
  const model = await saved('parted-vae', session, data, 'no labels');
  expect(model.data.classes).toBeUndefined();
  const [{ classes, isNamed }] = classVariables(model);
  expect([classes, isNamed]).toEqual([['c = 0', 'c = 1', 'c = 2'], false]);
  await session.close();
});

test('both ONNX files say by themselves what their blocks and values mean', async () => {
  const { session, data } = await trained('n-vae', { set: [...small, 'latents=2', 'classLatents=1'], steps: 1 });
  const { blocks, data: facts } = await saved('n-vae', session, data, 'by-itself');
  for (const half of ['encoder', 'decoder']) {
    const text = (await readFile(join(root, 'by-itself', 'model', `${half}.onnx`))).toString('utf8');
    expect(text).toContain(JSON.stringify(blocks));
    expect(text).toContain(JSON.stringify(facts.shape));
    expect(text).toContain(JSON.stringify(facts.classes));
    expect(text).toMatch(/range.{1,4}unit/s);
  }
});
