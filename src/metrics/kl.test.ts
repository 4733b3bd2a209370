import { expect, test } from 'vitest';
import golden from './fixtures/golden.json' with { type: 'json' };
import { kl } from './kl.ts';
import { fixtureC } from './testing/data.ts';

const constant = (mean: number, logVariance: number, d = 10) => ({
  codes: {
    values: new Float64Array(4 * d).fill(mean),
    n: 4,
    d,
    logVariance: new Float64Array(4 * d).fill(logVariance),
  },
});

test('fixture C has the golden KL', () => {
  const { score, parts } = kl.score(fixtureC());
  expect(score).toBeCloseTo(golden.C.kl_mean, 9);
  expect((parts.perDimension as number[]).reduce((sum, value) => sum + value, 0)).toBeCloseTo(golden.C.kl_mean, 9);
});

test('disentanglement_lib’s reference values: mean 1 in ten dimensions is 5 nats, with log variance 1 it is 5(e − 1)', () => {
  expect(kl.score(constant(1, 0)).score).toBeCloseTo(5, 12);
  expect(kl.score(constant(1, 1)).score).toBeCloseTo(5 * (Math.E - 1), 12);
  expect(kl.score(constant(0, 0)).score).toBe(0);
});

test('where a prior was learned, it is what the posterior is measured against', () => {
  const { codes } = constant(1.5, 0.4, 2);
  const against = (mean: number, logVariance: number) => ({
    codes: {
      ...codes,
      prior: { mean: new Float64Array(8).fill(mean), logVariance: new Float64Array(8).fill(logVariance) },
    },
  });
  expect(kl.score(against(1.5, 0.4)).score).toBeCloseTo(0, 12);
  expect(kl.score(against(0, 0)).score).toBe(kl.score({ codes }).score);
  // Units do not matter: both twice as wide and twice as far from zero.
  const wider = constant(3, 0.4 + Math.log(4), 2).codes;
  const prior = { mean: new Float64Array(8).fill(1), logVariance: new Float64Array(8).fill(Math.log(4)) };
  expect(kl.score({ codes: { ...wider, prior } }).score).toBeCloseTo(kl.score(against(0.5, 0)).score, 12);
});

test('blocks add up to the total, and order or sign of dimensions do not matter to it', () => {
  const { codes } = fixtureC();
  const blocks = [
    { name: 'z', role: 'shared' as const, start: 0, size: 2 },
    { name: 's', role: 'salient' as const, start: 2, size: 1 },
  ];
  const { score, parts } = kl.score({ codes: { ...codes, blocks } });
  const [z, s] = parts.perBlock as number[];
  expect(z + s).toBeCloseTo(score, 12);
  const flipped = { ...codes, values: codes.values.map((value) => -value) };
  expect(kl.score({ codes: flipped }).score).toBeCloseTo(score, 12);
});

test('a dimension whose mean does not vary is inactive', () => {
  const { codes } = fixtureC();
  const values = codes.values.map((value, at) => (at % 3 === 1 ? 0.4 : value));
  const { parts, notes } = kl.score({ codes: { ...codes, values } });
  expect(parts.active).toEqual([0, 2]);
  expect(notes).toEqual(['1 of 3 dimensions are inactive.']);
});

test('KL of the correct class reads each item in its own class’s block', () => {
  // Two classes with a block of one dimension each; mean 2 in the item's own block, 0 elsewhere.
  const values = Float64Array.of(2, 0, 0, 2, 2, 0);
  const codes = {
    values,
    n: 3,
    d: 2,
    logVariance: new Float64Array(6),
    blocks: [0, 1].map((c) => ({ name: `z_c${c}`, role: 'class-related' as const, start: c, size: 1, class: c })),
  };
  const right = kl.score({ codes, labels: { names: ['a', 'b'], values: Uint16Array.of(0, 1, 0) } });
  expect(right.parts.correctClass).toEqual([2]);
  const wrong = kl.score({ codes, labels: { names: ['a', 'b'], values: Uint16Array.of(1, 0, 1) } });
  expect(wrong.parts.correctClass).toEqual([0]);
});
