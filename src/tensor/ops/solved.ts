/**
 * Values that no graph can compute, such as the best assignment between two sets of points. A step's graph is cut where one is
 * needed: what it depends on is computed first, a solver in TypeScript finds it, and the rest of the graph takes it as given.
 */
import { UntangleError } from '../../errors.ts';
import { show, whole } from '../spread.ts';
import { type Op, Tensor } from '../tensor.ts';
import { concat } from './layout.ts';
import { wholeBatch } from './rows.ts';

/**
 * The partner of each row of `a` among the rows of `b` in the assignment with the least sum of squared distances, as indices
 * (int64) over the whole batch. It has no gradient: where costs are optimal, the assignment may be held constant (Danskin).
 *
 * @example gather(wholeBatch(zb), partners(za, zb)) // the codes of b that stand opposite those of a
 */
export function partners(a: Tensor, b: Tensor): Tensor {
  const [from, to] = [wholeBatch(a.stopGradient()), wholeBatch(b.stopGradient())];
  if (from.rank !== 2 || from.shape[0] !== to.shape[0] || from.shape[1] !== to.shape[1])
    throw new UntangleError(`partners: ${show(a)} and ${show(b)} must be as many points of the same size.`);
  const points = concat([from, to], 0).named('points to match');
  return new Tensor(partnersOp, [points], [Number(from.shape[0])], 'int64', whole).named('partners');
}
const partnersOp: Op = {
  name: 'partners',
  between: 'partners',
  gradient: () => [undefined],
  write: (node) => {
    throw new UntangleError(`${show(node)} is solved outside graphs and can't be part of one.`);
  },
};
