/**
 * W2² between two batches of codes (contrastive paper, Eq. 9), as a term: with the plan of an exact solver held fixed, or with
 * an entropic plan (Cuturi 2013) that is computed and differentiated in the graph itself.
 */
import { UntangleError } from '../errors.ts';
import { constant, gather, logSumExp, partners, product, type Tensor, wholeBatch } from '../tensor/index.ts';

/** W2² of batches that may differ in size: with each row taken as often as makes both as many, a plan is an assignment. */
export function exactTransportCost(za: Tensor, zb: Tensor): Tensor {
  const [a, b] = [wholeBatch(za), wholeBatch(zb)];
  const [n, m] = [Number(a.shape[0]), Number(b.shape[0])];
  if (n === m) return transportCost(za, zb, partners(za, zb));
  const size = leastCommonMultiple(n, m);
  if (size > mostPoints) {
    throw new UntangleError(
      `Batches of ${n} and ${m} would take an assignment of ${size} points, over ${mostPoints}.`,
      {
        hint: 'Choose sizes of which one divides the other, or solver=sinkhorn.',
      },
    );
  }
  const [x, y] = [cycled(a, size), cycled(b, size)];
  return transportCost(x, y, partners(x, y));
}

/** An assignment of more takes longer than the step it is part of. */
const mostPoints = 2048;

/** So many of a batch's rows: the first ones, and all over again where there are too few. */
export function cycled(rows: Tensor, count: number): Tensor {
  const own = Number(rows.shape[0]);
  const places = Array.from({ length: count }, (_, i) => i % own);
  return gather(rows, constant(places, [count], 'int64'));
}

/**
 * The cost 1/B Σ_i ‖a_i − b_σ(i)‖² of a given assignment σ. With the best one it is W2², and by Danskin's theorem its gradient
 * 2(a_i − b_σ(i))/B is that of W2², since the assignment itself does not count.
 *
 * @param assignment the row of `zb` in the whole batch that each row of `za` goes to, int64
 */
export function transportCost(za: Tensor, zb: Tensor, assignment: Tensor): Tensor {
  const from = assignment.spread.kind === 'rows' ? za : wholeBatch(za);
  return from
    .minus(gather(wholeBatch(zb), assignment))
    .square()
    .sum(1)
    .mean();
}

export interface Entropic {
  /** The weight of the plan's entropy, in units of the cost. */
  epsilon: number;
  /** How often both marginals are scaled to be uniform. */
  iterations: number;
}

/** The cost ⟨T, C⟩ of the entropic plan after some of Sinkhorn's iterations; batches may differ in size. */
export function entropicTransportCost(za: Tensor, zb: Tensor, { epsilon, iterations }: Entropic): Tensor {
  const cost = squaredDistances(wholeBatch(za), wholeBatch(zb));
  const [n, m] = cost.shape.map(Number);
  // Logarithms of the scalings, so that a small epsilon does not underflow.
  const logKernel = cost.times(-1 / epsilon);
  let scaled = logKernel;
  let rows: Tensor | undefined;
  for (let i = 0; i < iterations; i++) {
    const columns = logSumExp(rows === undefined ? logKernel : logKernel.plus(rows), 0, { keepDimensions: true })
      .plus(Math.log(m))
      .negate();
    const balanced = logKernel.plus(columns);
    rows = logSumExp(balanced, 1, { keepDimensions: true }).plus(Math.log(n)).negate();
    scaled = balanced.plus(rows);
  }
  return scaled.exp().times(cost).sum();
}

/** ‖a_i − b_j‖² of all pairs, as ‖a_i‖² + ‖b_j‖² − 2 a_i·b_j. */
export function squaredDistances(a: Tensor, b: Tensor): Tensor {
  const ofA = a.square().sum(1, { keepDimensions: true });
  const ofB = b.square().sum(1, { keepDimensions: true }).transpose();
  return ofA.plus(ofB).minus(product(a, b, { transposeB: true }).times(2));
}

function leastCommonMultiple(n: number, m: number): number {
  let [a, b] = [n, m];
  while (b > 0) [a, b] = [b, a % b];
  return (n / a) * m;
}
