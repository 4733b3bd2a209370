import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { compile } from '../runtime/index.ts';
import { nodeBackend } from '../runtime/node/index.ts';
import { constant, grad, parameter, type Tensor } from '../tensor/index.ts';
import { digamma, klBetweenDirichlets, logGamma } from './dirichlet.ts';

/** Written by tools/fixtures_classes.py with scipy.special. */
const golden: {
  gamma: { x: number[]; log: number[]; psi: number[]; psiSlope: number[] };
  dirichlet: { a: number[][]; b: number[][]; kl: number[] };
} = JSON.parse(readFileSync(new URL('./fixtures/classes.json', import.meta.url), 'utf8'));

async function evaluate(x: number[], outputs: (x: Tensor) => Record<string, Tensor>) {
  const parameters = [{ name: 'x', shape: [x.length], initial: Float32Array.from(x) }];
  const functions = { f: outputs(parameter('x', [x.length])) };
  const program = await compile({ parameters, functions }, { backend: await nodeBackend() });
  const result = await program.run('f', {});
  await program.close();
  return result;
}

function near(actual: Float32Array, expected: readonly number[]): void {
  expect(actual.length).toBe(expected.length);
  for (const [i, value] of expected.entries())
    expect(Math.abs(actual[i] - value)).toBeLessThan(4e-6 * Math.max(1, Math.abs(value)));
}

test('ln Γ and ψ follow SciPy from 0.001 to 1000, and so do their slopes', async () => {
  const { x, log, psi, psiSlope } = golden.gamma;
  const result = await evaluate(x, (at) => ({
    log: logGamma(at),
    slope: grad(logGamma(at).sum(), [at])[0],
    psi: digamma(at),
    psiSlope: grad(digamma(at).sum(), [at])[0],
  }));
  near(result.log, log);
  near(result.slope, psi);
  near(result.psi, psi);
  near(result.psiSlope, psiSlope);
});

test('the divergence between Dirichlet distributions follows SciPy, and is zero for equal ones', async () => {
  const { a, b, kl } = golden.dirichlet;
  const rows = (values: number[][]) => constant(values.flat(), [values.length, values[0].length]);
  const { kl: ours } = await evaluate([1], () => ({ kl: klBetweenDirichlets(rows(a), rows(b)) }));
  for (const [i, value] of kl.entries()) expect(Math.abs(ours[i] - value)).toBeLessThan(2e-5);
});
