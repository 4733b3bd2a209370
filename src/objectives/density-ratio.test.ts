import { expect, test } from 'vitest';
import { build } from '../nn/index.ts';
import { stream } from '../random/index.ts';
import { compile, type Feeds } from '../runtime/index.ts';
import { nodeBackend } from '../runtime/node/index.ts';
import { constant, grad, input, type Tensor } from '../tensor/index.ts';
import { evaluate as evaluateGraph } from '../tensor/testing/evaluate.ts';
import { densityRatioLoss, pairRatio } from './density-ratio.ts';

async function evaluate(outputs: Record<string, Tensor>, feeds: Feeds = {}): Promise<Record<string, Float32Array>> {
  const program = await compile({ parameters: [], functions: { f: outputs } }, { backend: await nodeBackend() });
  const result = await program.run('f', feeds);
  await program.close();
  return result;
}

test('the loss is ln 2 for a classifier that knows nothing, and −½ ln σ of right logits for one that does', async () => {
  const { ignorant, sure, wrong } = await evaluate({
    ignorant: densityRatioLoss(constant([0, 0], [2, 1]), constant([0, 0], [2, 1])),
    sure: densityRatioLoss(constant([3, 3], [2, 1]), constant([-1, -1], [2, 1])),
    wrong: densityRatioLoss(constant([-200, -200], [2, 1]), constant([100, 100], [2, 1])),
  });
  expect(ignorant[0]).toBeCloseTo(Math.LN2, 6);
  expect(sure[0]).toBeCloseTo((Math.log1p(Math.exp(-3)) + Math.log1p(Math.exp(-1))) / 2, 6);
  expect(wrong[0]).toBeCloseTo(150, 3);
});

test('the least loss is at the log ratio of the densities, with samples of q as the positives', async () => {
  // q = N(1, 1) and p = N(−1, 1): ln q/p = 2x. The slope of a linear logit, by Newton's steps on the loss.
  const count = 20_000;
  const noise = stream(1, 'noise').normals(2 * count);
  const onQ = constant(
    noise.subarray(0, count).map((e) => 1 + e),
    [count, 1],
  );
  const onP = constant(
    noise.subarray(count).map((e) => e - 1),
    [count, 1],
  );
  const at = input('slope', []);
  const [first] = grad(densityRatioLoss(onQ.times(at), onP.times(at)), [at]);
  const [second] = grad(first, [at]);
  let slope = 0;
  for (let step = 0; step < 6; step++) {
    const found = await evaluate({ first, second }, { slope });
    slope -= found.first[0] / found.second[0];
  }
  expect(slope).toBeGreaterThan(1.93);
  expect(slope).toBeLessThan(2.07);
});

test('the ratio of a pair depends on which code goes with which item', async () => {
  const b = build();
  const x = b.rows('x', [4]);
  const code = b.rows('z', [2]);
  const ratio = pairRatio(b.at('d'), [{ kind: 'linear', out: 8 }, { kind: 'relu' }], {
    name: 'pairs',
    x,
    codes: [code],
  });
  const parameters = [...b.declared].map(([name, { tensor, initial }]) => ({
    name,
    shape: tensor.shape,
    initial: initial(tensor.shape.map(Number), stream(2, name)),
  }));
  const program = await compile({ parameters, functions: { f: { ratio } } }, { backend: await nodeBackend() });
  const items = Float32Array.of(1, 0, 2, 0, 0, 3, 0, -1);
  const codes = [2, 0, 0, -2];
  const { ratio: paired } = await program.run('f', { x: items, z: Float32Array.from(codes) });
  const { ratio: swapped } = await program.run('f', { x: items, z: Float32Array.from([0, -2, 2, 0]) });
  await program.close();
  // An additive d(x, z) = a(x) + b(z) would have the same sum for both.
  expect(Math.abs(paired[0] + paired[1] - swapped[0] - swapped[1])).toBeGreaterThan(1e-3);
});

test('whole inputs of the last layers are zeroed, so that one row may see no item and another no codes', async () => {
  const b = build({ size: 4, workers: 1 });
  const ratio = pairRatio(b.at('d'), [{ kind: 'linear', out: 8 }], {
    name: 'pairs',
    x: b.rows('x', [3]),
    codes: [b.rows('z', [2])],
  });
  const parameters = Object.fromEntries(
    [...b.declared].map(([name, { tensor, initial }]) => [name, initial(tensor.shape.map(Number), stream(3, name))]),
  );
  const ratioAt = async (items: number, codes: number) => {
    const [values] = await evaluateGraph([ratio], {
      ...parameters,
      x: Float32Array.from({ length: 12 }, (_, i) => items * (1 + (i % 5))),
      z: Float32Array.from({ length: 8 }, (_, i) => codes * (1 + (i % 3))),
      // The second row sees no item, the third no codes, the last neither.
      'd.pairs.item.mask': [4 / 3, 0, 4 / 3, 0],
      'd.pairs.codes.mask': [4 / 3, 4 / 3, 0, 0],
    });
    return [...values];
  };
  const plain = await ratioAt(1, 1);
  const moved = (other: number[]) => other.map((value, row) => Math.abs(value - plain[row]) > 1e-4);
  expect(moved(await ratioAt(-2, 1))).toEqual([true, false, true, false]);
  expect(moved(await ratioAt(1, -2))).toEqual([true, true, false, false]);
});
