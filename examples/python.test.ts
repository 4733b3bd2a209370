import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readNpy } from '../src/data/index.ts';
import { TrainedModel } from '../src/use/index.ts';

/** onnxruntime's Python interface, as far as the example needs it, on the same runtime as everything here: it asks Node. */
const stand = `import json, os, subprocess
import numpy as np

class Named:
    def __init__(self, name):
        self.name = name

class InferenceSession:
    def __init__(self, path):
        self.path = path

    def ask(self, feeds):
        told = {name: [list(value.shape), value.ravel().tolist()] for name, value in feeds.items()}
        words = [os.environ["NODE"], os.environ["BRIDGE"], self.path, json.dumps(told)]
        return json.loads(subprocess.run(words, check=True, capture_output=True).stdout)

    def get_outputs(self):
        return [Named(name) for name in self.ask({})["names"]]

    def run(self, names, feeds):
        answers = self.ask(feeds)
        return [np.array(answers["values"][name][1], np.float32).reshape(answers["values"][name][0]) for name in names or answers["names"]]
`;
const bridge = `import * as ort from 'onnxruntime-node';
const [path, told] = process.argv.slice(2);
const feeds = Object.entries(JSON.parse(told));
const session = await ort.InferenceSession.create(path);
const values = {};
if (feeds.length > 0) {
  const tensors = feeds.map(([name, [shape, data]]) => [name, new ort.Tensor('float32', Float32Array.from(data), shape)]);
  for (const [name, { dims, data }] of Object.entries(await session.run(Object.fromEntries(tensors)))) values[name] = [dims, [...data]];
}
console.log(JSON.stringify({ names: session.outputNames, values }));
`;

const python = '/usr/bin/python3';
const hasOnnx = () => {
  try {
    execFileSync(python, ['-c', 'import onnx, numpy'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
};

test('move.py reads what a model’s file says of itself, and decodes as the library does', async (context) => {
  if (!(existsSync(python) && hasOnnx()) && process.env.CI === undefined) context.skip('there is no python3-onnx here');
  const folder = mkdtempSync(join(tmpdir(), 'untangle-python-'));
  try {
    mkdirSync(join(folder, 'stand'));
    writeFileSync(join(folder, 'stand', 'onnxruntime.py'), stand);
    const bridgeFile = join(import.meta.dirname, '..', 'node_modules', '.cache', 'python-bridge.mjs');
    mkdirSync(join(bridgeFile, '..'), { recursive: true });
    writeFileSync(bridgeFile, bridge);
    const run = join(import.meta.dirname, '..', 'zoo', 'dip-vae-ii-mnist');
    const out = join(folder, 'moved.npy');
    const told = execFileSync(
      python,
      [join(import.meta.dirname, 'python', 'move.py'), join(run, 'model'), '4', '1.5', out],
      {
        env: { ...process.env, PYTHONPATH: join(folder, 'stand'), NODE: process.execPath, BRIDGE: bridgeFile },
        encoding: 'utf8',
      },
    );
    expect(told).toContain('4 by 1.5: the mean of an item goes from');
    const { shape, data } = await readNpy(out);
    expect(shape).toEqual([2, 1, 28, 28]);

    const model = await TrainedModel.open(run);
    const codes = Object.fromEntries(
      model.file.blocks.map(({ name, size, neutral }) => [name, Float32Array.from(neutral ?? new Array(size).fill(0))]),
    );
    const gaussian = model.file.blocks.find(({ kind }) => kind === 'gaussian');
    const before = await model.decode(codes);
    codes[gaussian?.name ?? ''][4] += 1.5;
    const after = await model.decode(codes);
    await model.close();
    const most = Math.max(...[...before, ...after].map((value, i) => Math.abs(value - Number(data[i]))));
    expect(most).toBeLessThan(1e-5);
    expect(Math.max(...after.map((value, i) => Math.abs(value - before[i])))).toBeGreaterThan(0.05);
  } finally {
    rmSync(folder, { recursive: true });
  }
}, 60_000);
