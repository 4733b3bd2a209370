import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { stream } from '../random/index.ts';
import { compile } from '../runtime/index.ts';
import { nodeBackend } from '../runtime/node/index.ts';
import { constant, type Tensor } from '../tensor/index.ts';
import { noisesOf } from '../tensor/testing/noises.ts';
import { build, initialValues } from './build.ts';
import { constantly, orthogonal, torchDefault } from './initialisers.ts';
import { apply, batchNorm, channelNorm, dropout, type Layer, linear } from './layers.ts';

/** Written by tools/fixtures_layers.py with PyTorch. */
const torch: Record<string, { x: number[]; y: number[]; shape: number[] }> & {
  running: { mean: number[]; variance: number[] };
} = JSON.parse(readFileSync(new URL('./fixtures/layers.json', import.meta.url), 'utf8'));

const backend = await nodeBackend();

async function evaluate(b: ReturnType<typeof build>, outputs: Record<string, Tensor>, feeds = {}) {
  const program = await compile({ parameters: initialValues(b.declared, 1), functions: { f: outputs } }, { backend });
  const result = await program.run('f', feeds);
  await program.close();
  return result;
}

function near(actual: Float32Array, expected: number[], tolerance = 1e-5): void {
  expect(actual.length).toBe(expected.length);
  actual.forEach((value, i) => {
    expect(Math.abs(value - expected[i])).toBeLessThan(tolerance);
  });
}

test('channel normalisation scales each pixel as the paper says', async () => {
  const { x, y, shape } = torch.channelNorm;
  near((await evaluate(build(), { y: channelNorm(constant(x, shape)) })).y, y);
});

test('batch normalisation in training follows PyTorch, with its running statistics', async () => {
  const { x, y, shape } = torch.batchNorm;
  const b = build({ size: shape[0], workers: 1 });
  const out = batchNorm(b.at('norm'), constant(x, shape));
  const [mean, variance] = b.assigns.map(({ value }) => value);
  const result = await evaluate(b, { y: out, mean, variance });
  near(result.y, y);
  near(result.mean, torch.running.mean);
  near(result.variance, torch.running.variance);
});

test('batch normalisation in use goes by the running statistics', async () => {
  const { x, shape } = torch.batchNorm;
  const b = build();
  const result = await evaluate(b, { y: batchNorm(b, constant(x, shape)) });
  near(
    result.y,
    x.map((value) => value / Math.sqrt(1 + 1e-5)),
  );
});

test('dropout is a fed mask in training and nothing in use', () => {
  const training = build({ size: 4, workers: 2 });
  const x = training.rows('x', [6]);
  expect(noisesOf([dropout(training.at('layer'), x, 0.25)])).toEqual([
    { name: 'layer.mask', count: 12, distribution: { keep: 0.75 } },
  ]);
  const use = build();
  const y = use.rows('x', [6]);
  expect(dropout(use, y, 0.25)).toBe(y);
});

test('a name that is data in one place can’t be noise in another', () => {
  const b = build({ size: 4, workers: 1 });
  b.rows('z', [2]);
  expect(() => b.noise('z', [2], 'normal')).toThrow('The input “z” is asked for as two different things.');
});

test('masked weights are zero, whatever they start from', async () => {
  const b = build();
  const mask = constant([1, 0, 0, 1], [2, 2]);
  const y = linear(b, constant([1, 0, 0, 1], [2, 2]), 2, { mask, bias: false, weight: constantly(5) });
  expect(Array.from((await evaluate(b, { y })).y)).toEqual([5, 0, 0, 5]);
});

test('parameters are named by kind and place, and one name can’t have two shapes', () => {
  const b = build();
  const layers: Layer[] = [{ kind: 'linear', out: 3 }, { kind: 'relu' }, { kind: 'linear', out: 2 }];
  apply(b.at('encoder'), layers, b.rows('x', [4]));
  expect([...b.declared.keys()]).toEqual([
    'encoder.linear1.weight',
    'encoder.linear1.bias',
    'encoder.linear2.weight',
    'encoder.linear2.bias',
  ]);
  expect(() => b.at('encoder.linear1').parameter('weight', [3, 5], constantly(0))).toThrow(
    'has shape [3, 4] in one place and [3, 5] in another',
  );
});

test('PyTorch’s default start is uniform with variance 1/(3 fan), an orthogonal start has orthonormal rows', () => {
  const weights = torchDefault()([200, 50, 3, 3], stream(1, 'torch'));
  const variance = weights.reduce((sum, w) => sum + w * w, 0) / weights.length;
  expect(Math.abs(variance * 3 * 450 - 1)).toBeLessThan(0.02);
  expect(Math.max(...weights)).toBeLessThanOrEqual(1 / Math.sqrt(450));
  for (const [rows, columns] of [
    [6, 10],
    [10, 6],
  ]) {
    const q = orthogonal()([rows, columns], stream(2, 'orthogonal'));
    const small = Math.min(rows, columns);
    const at = (i: number, k: number) => (rows <= columns ? q[i * columns + k] : q[k * columns + i]);
    for (let i = 0; i < small; i++) {
      for (let j = 0; j < small; j++) {
        let dot = 0;
        for (let k = 0; k < Math.max(rows, columns); k++) dot += at(i, k) * at(j, k);
        expect(Math.abs(dot - (i === j ? 1 : 0))).toBeLessThan(1e-6);
      }
    }
  }
});
