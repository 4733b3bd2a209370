/**
 * Distance correlation (Székely, Rizzo and Bakirov 2007): how much of one code can be told from another by any function, linear
 * or not. It is 0 in the limit only for independent codes, needs no discriminator, and does not change with the codes' scale.
 */
import { UntangleError } from '../errors.ts';
import { constant, relu, type Tensor, wholeBatch } from '../tensor/index.ts';
import { squaredDistances } from './wasserstein.ts';

/**
 * The squared distance correlation of two batches with a row for each item, without the bias of small batches (Székely and Rizzo
 * 2013): ⟨A, B⟩ / √(⟨A, A⟩ ⟨B, B⟩), where A and B are the centred distances between rows. Of independent codes its expectation
 * is 0, so that single batches fall on both sides of it.
 */
export function distanceCorrelation(a: Tensor, b: Tensor): Tensor {
  const [ofA, ofB] = [centredDistances(wholeBatch(a)), centredDistances(wholeBatch(b))];
  const inner = (one: Tensor, other: Tensor) => one.times(other).sum();
  return inner(ofA, ofB).over(inner(ofA, ofA).times(inner(ofB, ofB)).plus(tiny).sqrt());
}

/**
 * Distances a_ij less their rows' and columns' sums over n − 2 and with the sum of all over (n − 1)(n − 2), off the diagonal; 0 on
 * it.
 */
function centredDistances(rows: Tensor): Tensor {
  const n = Number(rows.shape[0]);
  if (n < 4) {
    throw new UntangleError(`Distance correlation needs a batch of 4 items or more, not ${n}.`, {
      kind: 'call',
      hint: 'Raise batchSize.',
    });
  }
  const apart = constant(
    Array.from({ length: n * n }, (_, i) => (i % (n + 1) === 0 ? 0 : 1)),
    [n, n],
  );
  // Of rows that are alike the distance has no gradient; a little more than none gives 0 for it.
  const distances = relu(squaredDistances(rows, rows)).plus(tiny).sqrt().times(apart);
  const ofRows = distances.sum(1, { keepDimensions: true });
  return distances
    .minus(ofRows.plus(ofRows.transpose()).times(1 / (n - 2)))
    .plus(ofRows.sum().times(1 / ((n - 1) * (n - 2))))
    .times(apart);
}

const tiny = 1e-8;
