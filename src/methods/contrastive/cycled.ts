/** Rows of one batch for as many of another, where target and background differ in size. */
import { constant, gather, type Tensor } from '../../tensor/index.ts';

/** So many rows: the first ones, and all over again where there are too few. */
export function cycled(rows: Tensor, count: number): Tensor {
  const own = Number(rows.shape[0]);
  const places = Array.from({ length: count }, (_, i) => i % own);
  return gather(rows, constant(places, [count], 'int64'));
}
