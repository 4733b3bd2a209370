/**
 * Labellings that would have been as likely as the one that was seen if two sets did not differ. Rows of one unit, such as a
 * subject who was measured often, keep together, and labels are exchanged within strata, such as batches, alone.
 */
import { UntangleError } from '../errors.ts';
import type { stream } from '../random/index.ts';

export interface Design {
  /** The unit of each row; without it each row is a unit of its own. */
  units?: ArrayLike<number>;
  /** The stratum of each row. */
  strata?: ArrayLike<number>;
}

export interface Relabellings {
  /** 1 for each row that is labelled as the first set, 0 for the others. */
  draw(random: ReturnType<typeof stream>): Uint8Array;
  /** How many different labellings there are, up to rounding; Infinity beyond what a number holds. */
  count: number;
  /** How many units of either label there are. */
  units: { first: number; second: number };
}

/**
 * A unit with rows of both labels is a pair: its two halves exchange their labels. All others exchange theirs within strata.
 *
 * @example relabellings(Uint8Array.of(1, 1, 0, 0), { units: [0, 0, 1, 2] }).count // 3
 */
export function relabellings(labels: Uint8Array, { units, strata }: Design = {}): Relabellings {
  const members = new Map<number, number[]>();
  for (let row = 0; row < labels.length; row++) {
    const unit = units?.[row] ?? row;
    const known = members.get(unit);
    if (known) known.push(row);
    else members.set(unit, [row]);
  }
  const all = [...members.values()];
  const pairs = all.filter((rows) => rows.some((row) => labels[row] !== labels[rows[0]]));
  const single = all.filter((rows) => !pairs.includes(rows));
  const inStrata = new Map<number, number[][]>();
  for (const rows of single) {
    const stratum = strata?.[rows[0]] ?? 0;
    if (strata && rows.some((row) => strata[row] !== stratum))
      throw new UntangleError(
        'Rows of one group lie in several strata, so whole groups can’t be exchanged within them.',
        {
          kind: 'call',
          hint: 'Give strata that do not part a group, or leave one of both away.',
        },
      );
    inStrata.set(stratum, [...(inStrata.get(stratum) ?? []), rows]);
  }
  const exchanged = [...inStrata.values()];
  const firsts = (some: readonly number[][]) => some.filter(([row]) => labels[row] === 1).length;
  return {
    draw(random) {
      const drawn = labels.slice();
      for (const rows of pairs) if (random.integer(2) === 1) for (const row of rows) drawn[row] = 1 - labels[row];
      for (const some of exchanged)
        for (const [at, from] of random.permutation(some.length).entries())
          for (const row of some[at]) drawn[row] = labels[some[from][0]];
      return drawn;
    },
    count: exchanged.reduce((count, some) => count * choose(some.length, firsts(some)), 2 ** pairs.length),
    units: { first: firsts(single) + pairs.length, second: single.length - firsts(single) + pairs.length },
  };
}

function choose(n: number, k: number): number {
  let count = 1;
  for (let i = 1; i <= Math.min(k, n - k); i++) count = (count * (n - i + 1)) / i;
  return count;
}
