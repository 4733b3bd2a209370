/**
 * Asynchronous successive halving (Li and others, "A system for massively parallel hyperparameter tuning", 2020), with true
 * promotion: a configuration that stays among the best of its rung goes on from its checkpoint. What to do next follows from the
 * results that are there, so that any worker can decide it, and a scheduler that dies loses nothing. Unlike there, all
 * configurations are known beforehand, so what is new goes before a promotion, and a low rung before a high one: each promotion is
 * decided as late as can be without a worker that waits, and fewer go on that others would have kept back.
 */
import { ranked, type SweepObjective } from './ranking.ts';

/** Steps at which configurations are compared, the last of them the whole training, and the share that goes on from each. */
export interface Rungs {
  steps: readonly number[];
  keep: number;
}

/** What is known of one configuration. */
export interface Standing {
  /** Its results by rung; a rung without one has not been reached. */
  results: readonly (readonly number[] | undefined)[];
  /** The rung to which it is on its way. */
  underWay?: number;
  /** It can't go on. */
  failed: boolean;
}

export interface Move {
  /** Which configuration, and to which rung it goes. */
  configuration: number;
  rung: number;
}

/**
 * The next move, or undefined if there is none now: the first configuration that has not been tried, else a promotion from as low
 * a rung as can be. When all have been tried and nothing is under way, the best of the highest rung goes on even if its share
 * is less than one, so that a small sweep ends with a whole training.
 */
export function nextMove(
  { steps, keep }: Rungs,
  objectives: readonly SweepObjective[],
  standings: readonly Standing[],
): Move | undefined {
  const best = (rung: number) => {
    const there = standings.flatMap(({ results }, i) => (results[rung] ? [i] : []));
    const numbers = there.map((i) => standings[i].results[rung] ?? []);
    return ranked(objectives, numbers).map((at) => there[at]);
  };
  const canLeave = (rung: number) => (i: number) =>
    !standings[i].failed && standings[i].underWay === undefined && !standings[i].results[rung + 1];
  const fresh = standings.findIndex(
    ({ results, underWay, failed }) => !failed && underWay === undefined && !results[0],
  );
  if (fresh >= 0) return { configuration: fresh, rung: 0 };
  const last = steps.length - 1;
  for (let rung = 0; rung < last; rung++) {
    const order = best(rung);
    const configuration = order.slice(0, Math.floor(order.length * keep + 1e-9)).find(canLeave(rung));
    if (configuration !== undefined) return { configuration, rung: rung + 1 };
  }
  if (standings.some(({ underWay }) => underWay !== undefined)) return undefined;
  for (let rung = last; rung >= 0; rung--) {
    if (!standings.some(({ results }) => results[rung])) continue;
    const configuration = rung === last ? undefined : best(rung).find(canLeave(rung));
    return configuration === undefined ? undefined : { configuration, rung: rung + 1 };
  }
  return undefined;
}
