/** The tables that the tests of this room share, and the reading of their fixtures. */
import { readFileSync } from 'node:fs';
import { expect } from 'vitest';

export interface Table {
  n: number;
  d: number;
  classes: number;
  x: Float64Array;
  y: number[];
  /** Two continuous targets, n × 2. */
  targets: Float64Array;
}

export function fixture(name: string) {
  return JSON.parse(readFileSync(new URL(`../fixtures/${name}.json`, import.meta.url), 'utf8'));
}

/** A table by its name in fixtures/tables.json. */
export function table(name: string): Table {
  const found = tables[name];
  return { ...found, x: Float64Array.from(found.x), targets: Float64Array.from(found.targets) };
}

/** Fails unless both hold the same numbers, each within `tolerance` of max(1, its size). */
export function expectNear(actual: ArrayLike<number>, expected: ArrayLike<number>, tolerance: number): void {
  expect(actual.length).toBe(expected.length);
  for (let i = 0; i < expected.length; i++) {
    const allowed = tolerance * Math.max(1, Math.abs(expected[i]));
    if (!(Math.abs(actual[i] - expected[i]) <= allowed))
      expect.fail(`number ${i} is ${actual[i]}, expected ${expected[i]} within ${allowed}`);
  }
}

const { tables } = fixture('tables');
