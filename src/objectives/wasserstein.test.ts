import { expect, test } from 'vitest';
import { constant, grad, input, rowsInput, type Tensor } from '../tensor/index.ts';
import { evaluate } from '../tensor/testing/evaluate.ts';
import fixture from './fixtures/contrastive.json' with { type: 'json' };
import { cycled, entropicTransportCost, transportCost } from './wasserstein.ts';

/** A cost of the first rows of fixture C against the rest, with its gradients. */
async function costOf(rows: number, cost: (za: Tensor, zb: Tensor) => Tensor) {
  const za = input('za', [rows, 3]);
  const zb = input('zb', [8 - rows, 3]);
  const value = cost(za, zb);
  const [[found], inA, inB] = await evaluate([value, ...grad(value, [za, zb])], {
    za: fixture.z.slice(0, 3 * rows),
    zb: fixture.z.slice(3 * rows),
  });
  return { value: found, inA, inB };
}

type Known = { value: number; inA: number[]; inB: number[] };

function expectLike(found: Awaited<ReturnType<typeof costOf>>, known: Known, digits: number) {
  expect(found.value).toBeCloseTo(known.value, digits);
  expect(found.inA.length).toBe(known.inA.length);
  found.inA.forEach((value, i) => {
    expect(value).toBeCloseTo(known.inA[i], digits);
  });
  found.inB.forEach((value, i) => {
    expect(value).toBeCloseTo(known.inB[i], digits);
  });
}

test('the cost of the best assignment is the golden W2², with Danskin’s gradient', async () => {
  const { partners } = fixture.exact;
  expect(partners).toEqual([1, 2, 3, 0]);
  const found = await costOf(4, (za, zb) => transportCost(za, zb, constant(partners, [4], 'int64')));
  expectLike(found, fixture.exact, 5);
  for (let c = 0; c < 3; c++)
    expect(found.inA[c]).toBeCloseTo((2 * (fixture.z[c] - fixture.z[3 * (4 + partners[0]) + c])) / 4, 6);
});

test('partners that are rows of the batch give the same cost as partners of the whole batch', async () => {
  const rows = (name: string) => rowsInput(name, [3], { size: 4, workers: 1 });
  const partners = rowsInput('partners', [], { size: 4, workers: 1 }, 'int64');
  const [[found]] = await evaluate([transportCost(rows('za'), rows('zb'), partners)], {
    za: fixture.z.slice(0, 12),
    zb: fixture.z.slice(12),
    partners: BigInt64Array.from(fixture.exact.partners, BigInt),
  });
  expect(found).toBeCloseTo(fixture.exact.value, 5);
});

test.each(fixture.entropic)(
  'Sinkhorn’s cost and its gradient through $iterations iterations at ε = $epsilon are those of PyTorch and POT',
  async ({ rows, epsilon, iterations, ...known }) => {
    expectLike(await costOf(rows, (za, zb) => entropicTransportCost(za, zb, { epsilon, iterations })), known, 4);
  },
);

test('a small ε comes close to the exact cost, a large one stays above it', async () => {
  const at = (epsilon: number) => costOf(4, (za, zb) => entropicTransportCost(za, zb, { epsilon, iterations: 60 }));
  expect((await at(0.02)).value).toBeCloseTo(fixture.exact.value, 3);
  expect((await at(20)).value).toBeGreaterThan(1.2 * fixture.exact.value);
});

test('rows are cycled to a number of rows', async () => {
  const rows = constant([1, 2, 3], [3, 1]);
  const [more, fewer] = await evaluate([cycled(rows, 5), cycled(rows, 2)], {});
  expect([...more]).toEqual([1, 2, 3, 1, 2]);
  expect([...fewer]).toEqual([1, 2]);
});
