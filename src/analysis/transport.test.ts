import { expect, test } from 'vitest';
import { UntangleError } from '../errors.ts';
import { stream } from '../random/index.ts';
import { assign } from './assignment.ts';
import fixture from './fixtures/transport.json' with { type: 'json' };
import { transport } from './transport.ts';
import { squaredDistances } from './wasserstein.ts';

test.each(fixture.cases)('the least cost is POT’s and the plan keeps the masses: $name', ({ a, b, cost, least }) => {
  const found = transport({ a: Float64Array.from(a), b: Float64Array.from(b), cost: Float64Array.from(cost) });
  expect(Math.abs(found.cost - least)).toBeLessThanOrEqual(1e-9 * Math.max(1, Math.abs(least)));
  const rows = new Float64Array(a.length);
  const columns = new Float64Array(b.length);
  let total = 0;
  found.plan.forEach((mass, e) => {
    expect(mass).toBeGreaterThanOrEqual(0);
    rows[Math.floor(e / b.length)] += mass;
    columns[e % b.length] += mass;
    total += mass * cost[e];
  });
  a.forEach((mass, i) => {
    expect(rows[i]).toBeCloseTo(mass, 13);
  });
  b.forEach((mass, j) => {
    expect(columns[j]).toBeCloseTo(mass, 13);
  });
  expect(total).toBeCloseTo(found.cost, 12);
});

test('between equal uniform masses transport is assignment', () => {
  const random = stream(5, 'points');
  const [x, y] = [Float64Array.from(random.normals(150)), Float64Array.from(random.normals(150))];
  const cost = squaredDistances(x, 50, y, 50, 3);
  const uniform = new Float64Array(50).fill(1 / 50);
  expect(transport({ a: uniform, b: uniform, cost }).cost).toBeCloseTo(assign(cost, 50).cost / 50, 12);
});

test('problems in which most pivots move no mass end', () => {
  for (const levels of [1, 2, 3]) {
    const n = 150;
    const random = stream(levels, 'costs');
    const cost = Float64Array.from({ length: n * n }, () => random.integer(levels));
    const uniform = new Float64Array(n).fill(1);
    expect(transport({ a: uniform, b: uniform, cost }).cost).toBeCloseTo(assign(cost, n).cost, 9);
  }
});

test('masses that do not fit are refused in words', () => {
  const cost = new Float64Array(4);
  const half = Float64Array.of(0.5, 0.5);
  expect(() => transport({ a: half, b: Float64Array.of(0.5, 0.6), cost })).toThrow('they must be equal');
  expect(() => transport({ a: half, b: Float64Array.of(1.5, -0.5), cost })).toThrow('negative');
  expect(() => transport({ a: new Float64Array(2), b: new Float64Array(2), cost })).toThrow(UntangleError);
  expect(() => transport({ a: half, b: half, cost: Float64Array.of(0, 1, Number.NaN, 1) })).toThrow(UntangleError);
  expect(() => transport({ a: half, b: half, cost: new Float64Array(3) })).toThrow('came with 3 numbers');
  expect(() => transport({ a: new Float64Array(0), b: half, cost: new Float64Array(0) })).toThrow(UntangleError);
});

test('costs over thirty powers of ten are told apart', () => {
  const n = 60;
  const random = stream(8, 'costs');
  const cost = Float64Array.from({ length: n * n }, () => 10 ** (30 * random.uniform() - 15));
  const uniform = new Float64Array(n).fill(1);
  const least = assign(cost, n).cost;
  expect(Math.abs(transport({ a: uniform, b: uniform, cost }).cost / least - 1)).toBeLessThan(1e-9);
});
