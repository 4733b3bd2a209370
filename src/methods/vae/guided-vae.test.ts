import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { shapesDataset } from '../../data/sets/shapes.ts';
import { compile } from '../../runtime/index.ts';
import { nodeBackend } from '../../runtime/node/index.ts';
import { constant, grad, input } from '../../tensor/index.ts';
import { meanOf, trainBriefly } from '../../training/testing/briefly.ts';
import { codesOf, ring } from '../testing/codes.ts';
import { deformed, guidedVae } from './guided-vae.ts';

/** Written by tools/fixtures_objectives.py with PyTorch's affine_grid and grid_sample. */
const torch: { shape: number[]; z: number[][]; deformed: number[]; gradient: number[][] } = JSON.parse(
  readFileSync(new URL('../fixtures/deformed.json', import.meta.url), 'utf8'),
);

test('images are shifted and scaled as PyTorch samples them, with its gradients', async () => {
  const count = torch.deformed.length;
  const numbers = (f: (i: number) => number) =>
    constant(
      Float32Array.from({ length: count }, (_, i) => f(i)),
      torch.shape,
    );
  const z = input('z', [3, 3]);
  const result = deformed(
    numbers((i) => Math.sin(0.9 * i)),
    z,
  );
  const [gradient] = grad(result.times(numbers((i) => Math.cos(i))).sum(), [z]);
  const program = await compile(
    { parameters: [], functions: { f: { result, gradient } } },
    { backend: await nodeBackend() },
  );
  const found = await program.run('f', { z: Float32Array.from(torch.z.flat()) });
  await program.close();
  for (const [i, value] of torch.deformed.entries()) expect(Math.abs(found.result[i] - value)).toBeLessThan(1e-5);
  for (const [i, value] of torch.gradient.flat().entries())
    expect(Math.abs(found.gradient[3 + i] / value - 1)).toBeLessThan(1e-4);
});

test('the first two dimensions come to stand for the place of a shape', async () => {
  const { session, history } = await trainBriefly(guidedVae, {
    steps: 250,
    set: ['learningRate=2e-3', 'batchSize=48', 'network=mlp', 'latents=6'],
  });
  const data = shapesDataset();
  const { mean, count, size } = await codesOf(session, data);
  await session.close();
  expect(meanOf(history, 'guided reconstruction', 200)).toBeLessThan(0.5 * history[0]['guided reconstruction']);
  expect(meanOf(history, 'orthogonality', 200)).toBeLessThan(0.1);
  const { factors = [], values = new Float32Array(0) } = data.factors ?? {};
  const along = (dimension: number, factor: string) => {
    const k = factors.findIndex(({ name }) => name === factor);
    const column = (of: Float32Array, width: number, at: number) =>
      Float32Array.from({ length: count }, (_, i) => of[i * width + at]);
    return correlation(column(mean, size, dimension), column(values, factors.length, k));
  };
  expect(along(0, 'x')).toBeGreaterThan(0.9);
  expect(along(1, 'y')).toBeGreaterThan(0.9);
  expect(Math.abs(along(0, 'y'))).toBeLessThan(0.3);
});

test('a table is guided without a deformation, and images need a dimension beside it', async () => {
  const { session, history } = await trainBriefly(guidedVae, {
    data: ring(),
    steps: 300,
    set: ['learningRate=2e-3', 'latents=2', 'scale=0.3'],
  });
  await session.close();
  expect(meanOf(history, 'guided reconstruction', 250)).toBeLessThan(0.5 * history[0]['guided reconstruction']);
  await expect(trainBriefly(guidedVae, { steps: 1, set: ['latents=3'] })).rejects.toThrow(/3 latents leave none/);
});

function correlation(a: Float32Array, b: Float32Array): number {
  const mean = (values: Float32Array) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const [centreA, centreB] = [mean(a), mean(b)];
  const along = (x: Float32Array, cx: number, y: Float32Array, cy: number) =>
    x.reduce((sum, value, i) => sum + (value - cx) * (y[i] - cy), 0);
  return along(a, centreA, b, centreB) / Math.sqrt(along(a, centreA, a, centreA) * along(b, centreB, b, centreB));
}
