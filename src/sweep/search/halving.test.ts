import { describe, expect, test } from 'vitest';
import { type Move, nextMove, type Rungs, type Standing } from './halving.ts';

const rungs: Rungs = { steps: [100, 300, 900], keep: 1 / 3 };
const objectives = [{ name: 'mig', better: 'higher' }] as const;

interface State {
  results: (number[] | undefined)[];
  underWay?: number;
  failed: boolean;
}

/** Carries out moves with some workers, each ending the move that began first, until there is none. */
function simulate(
  count: number,
  workers: number,
  score: (configuration: number, rung: number) => number,
  plan = rungs,
) {
  const standings: State[] = Array.from({ length: count }, () => ({ results: [], failed: false }));
  const moves: Move[] = [];
  const running: Move[] = [];
  for (;;) {
    const move = running.length < workers ? nextMove(plan, objectives, standings as Standing[]) : undefined;
    if (move) {
      standings[move.configuration].underWay = move.rung;
      moves.push(move);
      running.push(move);
      continue;
    }
    const done = running.shift();
    if (!done) return { standings, moves };
    const value = score(done.configuration, done.rung);
    delete standings[done.configuration].underWay;
    if (Number.isNaN(value)) standings[done.configuration].failed = true;
    else standings[done.configuration].results[done.rung] = [value];
  }
}

const reached = (standings: State[], rung: number) => standings.flatMap(({ results }, i) => (results[rung] ? [i] : []));

describe('successive halving', () => {
  test('sends exactly the best third on from each rung, also where every configuration is better than those before it', () => {
    const { standings } = simulate(27, 1, (i) => i);
    expect(reached(standings, 0)).toHaveLength(27);
    expect(reached(standings, 1)).toEqual([18, 19, 20, 21, 22, 23, 24, 25, 26]);
    expect(reached(standings, 2)).toEqual([24, 25, 26]);
  });

  test('lets no worker wait while one of a rung is late', () => {
    const standings: State[] = Array.from({ length: 9 }, (_, i) => ({ results: [[i]], failed: false }));
    standings[0] = { results: [], underWay: 0, failed: false };
    expect(nextMove(rungs, objectives, standings as Standing[])).toEqual({ configuration: 8, rung: 1 });
  });

  test('takes far fewer steps than training all to the end', () => {
    const { moves } = simulate(81, 4, (i) => Math.sin(i));
    const steps = moves.reduce((sum, { rung }) => sum + rungs.steps[rung] - (rungs.steps[rung - 1] ?? 0), 0);
    expect(steps).toBeLessThan(0.27 * 81 * 900);
  });

  test('never sends a configuration twice to a rung, nor past one that it has not reached', () => {
    for (const workers of [1, 3, 8]) {
      const { moves } = simulate(30, workers, (i, rung) => ((i * 7919) % 31) + rung);
      expect(new Set(moves.map((move) => JSON.stringify(move))).size).toBe(moves.length);
      const at = new Map<number, number>();
      for (const { configuration, rung } of moves) {
        expect(rung).toBe((at.get(configuration) ?? -1) + 1);
        at.set(configuration, rung);
      }
    }
  });

  test('ends a sweep that is too small for a share with one whole training', () => {
    const { standings } = simulate(2, 2, (i) => -i);
    expect(reached(standings, 2)).toEqual([0]);
  });

  test('goes past a configuration that fails, also at the very top', () => {
    const { standings } = simulate(9, 2, (i, rung) => (i === 0 && rung > 0 ? Number.NaN : -i));
    expect(standings[0].failed).toBe(true);
    expect(reached(standings, 2)).toEqual([1]);
  });

  test('without rungs before the last trains all', () => {
    const { standings, moves } = simulate(5, 2, (i) => i, { steps: [900], keep: 1 / 3 });
    expect(reached(standings, 0)).toHaveLength(5);
    expect(moves).toHaveLength(5);
  });
});
