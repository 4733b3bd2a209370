import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { compile } from '../runtime/index.ts';
import { nodeBackend } from '../runtime/node/index.ts';
import { constant, type Tensor } from '../tensor/index.ts';
import { bhattacharyya, expectedKl, overlap } from './bhattacharyya.ts';

/** Written by tools/fixtures_classes.py: the divergence with numpy, the coefficients by SciPy's numerical integration. */
const golden: {
  mean: number[][];
  logVariance: number[][];
  logits: number[][];
  priorMean: number[][];
  priorLogVariance: number[][];
  expectedKl: number;
  bhattacharyya: number[][];
  overlap: number;
} = JSON.parse(readFileSync(new URL('./fixtures/classes.json', import.meta.url), 'utf8'));

const matrix = (rows: number[][]) => constant(rows.flat(), [rows.length, rows[0].length]);
const priors = { mean: matrix(golden.priorMean), logVariance: matrix(golden.priorLogVariance) };

async function evaluate(outputs: Record<string, Tensor>): Promise<Record<string, Float32Array>> {
  const program = await compile({ parameters: [], functions: { f: outputs } }, { backend: await nodeBackend() });
  const result = await program.run('f', {});
  await program.close();
  return result;
}

test('the closed form of the Bhattacharyya coefficient is the integral of √(p q)', async () => {
  const { bc } = await evaluate({ bc: bhattacharyya(priors) });
  for (const [at, value] of golden.bhattacharyya.flat().entries()) expect(bc[at]).toBeCloseTo(value, 6);
});

test('the overlap counts each pair once, above the tolerance alone', async () => {
  const one = { mean: constant([0, 0], [2, 1]), logVariance: constant([0, 0], [2, 1]) };
  const result = await evaluate({
    golden: overlap(priors, 0.15),
    equal: overlap(one, 0.1),
    tolerated: overlap(priors, 0.8),
    single: overlap({ mean: constant([0], [1, 1]), logVariance: constant([0], [1, 1]) }, 0.1),
  });
  expect(result.golden[0]).toBeCloseTo(golden.overlap, 6);
  expect(result.equal[0]).toBeCloseTo(0.9, 6);
  expect(result.tolerated[0]).toBe(0);
  expect(result.single[0]).toBe(0);
});

test('the expected divergence of u weighs the prior of every class with q(c|x)', async () => {
  const posterior = { mean: matrix(golden.mean), logVariance: matrix(golden.logVariance) };
  const own = { mean: constant([0, 1], [1, 2]), logVariance: constant([-1, 0.5], [1, 2]) };
  const result = await evaluate({
    golden: expectedKl(posterior, matrix(golden.logits), priors),
    none: expectedKl(own, constant([0], [1, 1]), own),
  });
  expect(result.golden[0]).toBeCloseTo(golden.expectedKl, 5);
  expect(result.none[0]).toBeCloseTo(0, 6);
});
