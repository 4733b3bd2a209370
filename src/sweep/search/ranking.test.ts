import { describe, expect, test } from 'vitest';
import { paretoFront, ranked } from './ranking.ts';

const mig = { name: 'mig', better: 'higher' } as const;
const error = { name: 'reconstruction', better: 'lower' } as const;

describe('the order of results', () => {
  test('is that of the number where there is one objective', () => {
    expect(ranked([mig], [[0.2], [0.5], [0.1], [0.5]])).toEqual([1, 3, 0, 2]);
    expect(ranked([error], [[0.2], [0.5], [0.1], [0.5]])).toEqual([2, 0, 1, 3]);
  });

  test('is by fronts where there are two, and in a front the ends come before the crowd', () => {
    const results = [
      [0.5, 10],
      [0.9, 30],
      [0.1, 5],
      [0.4, 20], // beaten by the first
      [0.52, 11],
    ];
    expect(ranked([mig, error], results)).toEqual([1, 2, 4, 0, 3]);
  });

  test('puts a result without a number last', () => {
    expect(ranked([mig], [[Number.NaN], [0.1]])).toEqual([1, 0]);
    expect(
      ranked(
        [mig, error],
        [
          [0.9, Number.NaN],
          [0.1, 3],
        ],
      ),
    ).toEqual([1, 0]);
  });
});

describe('the Pareto front', () => {
  test('holds what no other result beats, equal results all', () => {
    const results = [
      [0.5, 10],
      [0.9, 30],
      [0.4, 20],
      [0.5, 10],
      [Number.NaN, 1],
    ];
    expect(paretoFront([mig, error], results)).toEqual([0, 1, 3]);
  });

  test('of one objective is its best', () => {
    expect(paretoFront([mig], [[0.2], [0.5], [0.1]])).toEqual([1]);
  });

  test('of nothing is empty', () => {
    expect(paretoFront([mig], [])).toEqual([]);
  });
});
