import { expect, test } from 'vitest';
import { UntangleError } from '../errors.ts';
import fixture from './fixtures/sinkhorn.json' with { type: 'json' };
import { sinkhorn } from './sinkhorn.ts';
import { transport } from './transport.ts';

const problemOf = ({ a, b, cost }: { a: number[]; b: number[]; cost: number[] }) => ({
  a: Float64Array.from(a),
  b: Float64Array.from(b),
  cost: Float64Array.from(cost),
});

test.each(fixture.cases)('the entropic plan is POT’s: $name', (known) => {
  const found = sinkhorn({
    ...problemOf(known),
    regularisation: known.regularisation,
    tolerance: 1e-12,
    maxIterations: 1_000_000,
  });
  expect(found.converged).toBe(true);
  expect(found.cost).toBeCloseTo(known.value, 9);
  found.plan.forEach((mass, e) => {
    expect(mass).toBeCloseTo(known.plan[e], 9);
  });
});

test('a small regularisation comes near the exact cost from above, where the plain kernel is all zeros', () => {
  const problem = problemOf(fixture.cases[0]);
  const exact = transport(problem).cost;
  const gaps = [0.3, 0.03, 0.003].map((share) => {
    const regularisation = share * exact;
    return sinkhorn({ ...problem, regularisation, tolerance: 1e-6, maxIterations: 200_000 }).cost - exact;
  });
  expect(Math.exp(-Math.max(...problem.cost) / (0.003 * exact))).toBe(0);
  expect(gaps[0]).toBeGreaterThan(gaps[1]);
  expect(gaps[1]).toBeGreaterThan(gaps[2]);
  expect(gaps[2]).toBeGreaterThan(-1e-5 * exact);
  expect(gaps[2]).toBeLessThan(0.01 * exact);
});

test('stopping early says so', () => {
  const problem = { ...problemOf(fixture.cases[1]), regularisation: 0.01 };
  const found = sinkhorn({ ...problem, maxIterations: 3 });
  expect(found.iterations).toBe(3);
  expect(found.converged).toBe(false);
  expect(found.error).toBeGreaterThan(1e-9);
});

test('settings and masses that make no sense are refused in words', () => {
  const problem = problemOf(fixture.cases[0]);
  expect(() => sinkhorn({ ...problem, regularisation: 0 })).toThrow('The regularisation was 0');
  expect(() => sinkhorn({ ...problem, regularisation: Number.NaN })).toThrow(UntangleError);
  expect(() => sinkhorn({ ...problem, a: problem.a.map((m) => 2 * m), regularisation: 1 })).toThrow('must be equal');
});
