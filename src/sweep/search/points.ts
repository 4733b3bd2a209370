/** A search without memory: the points of a space that a sweep tries, all known before its first run. */
import { z } from 'zod';
import { stream } from '../../random/index.ts';
import { sobol } from './sobol.ts';
import { gridValues, type Point, type Space, settingAt } from './space.ts';

const drawn = { trials: z.int().min(1).max(1_000_000), seed: z.int().min(0).default(1) };

/** How points are chosen: all of a grid, or a number of them at random or by Sobol's sequence. */
export const searchSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('grid') }),
  z.strictObject({ kind: z.literal('random'), ...drawn }),
  z.strictObject({ kind: z.literal('sobol'), ...drawn }),
]);
export type Search = z.infer<typeof searchSchema>;

/**
 * The points of a search, each once, in the order in which they are tried.
 *
 * @example pointsOf({ beta: [1, 4] }, { kind: 'grid' }) // [{ beta: 1 }, { beta: 4 }]
 */
export function pointsOf(space: Space, search: Search): Point[] {
  const names = Object.keys(space);
  if (search.kind === 'grid')
    return names.reduce<Point[]>(
      (points, name) => {
        const values = gridValues(name, space[name]);
        return points.flatMap((point) => values.map((value) => ({ ...point, [name]: value })));
      },
      [{}],
    );
  const places =
    search.kind === 'sobol'
      ? sobol(search.trials, names.length, search.seed)
      : Array.from({ length: search.trials }, (_, i) => {
          const draws = stream(search.seed, 'point of a random search', i);
          return names.map(() => draws.uniform());
        });
  const points = places.map((place) =>
    Object.fromEntries(names.map((name, d) => [name, settingAt(space[name], place[d])] as const)),
  );
  // Two places may fall on one point where dimensions are lists.
  return [...new Map(points.map((point) => [JSON.stringify(point), point])).values()];
}
