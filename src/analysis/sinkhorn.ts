/**
 * Entropic optimal transport (Cuturi, 2013): the plan that minimises ⟨plan, cost⟩ − regularisation · H(plan) between the
 * masses a and b. Sinkhorn's scalings, with potentials kept as logarithms so that a small regularisation neither
 * underflows nor overflows (Schmitzer, 2019).
 */
import { requirePositive } from './input.ts';
import { checkCount } from './points.ts';
import { checkTransport, type Transport, type TransportProblem } from './transport.ts';

export interface SinkhornProblem extends TransportProblem {
  /** The weight of the entropy, in units of the cost. */
  regularisation: number;
  /** Stop when the plan's marginals are within this, relative to the total mass (sum of absolute errors). */
  tolerance?: number;
  maxIterations?: number;
}

export interface EntropicTransport extends Transport {
  iterations: number;
  /** The sum of the marginals' absolute errors over the total mass. */
  error: number;
  converged: boolean;
}

/**
 * The entropic plan, and its cost without the entropy.
 *
 * @example sinkhorn({ a, b, cost, regularisation: 0.1 }).plan
 */
export function sinkhorn(problem: SinkhornProblem): EntropicTransport {
  const { a, b, cost, regularisation, tolerance = 1e-9, maxIterations = 10_000 } = problem;
  const total = checkTransport(problem);
  requirePositive(regularisation, 'The regularisation');
  requirePositive(tolerance, 'The tolerance');
  checkCount('the number of iterations', maxIterations, 1);
  const scaling = start(problem);
  let iterations = 0;
  let error = Number.POSITIVE_INFINITY;
  while (iterations < maxIterations && error > tolerance) {
    iterations++;
    scaleColumns(scaling, b);
    scaleRows(scaling, a);
    if (iterations % 10 === 0 || iterations === maxIterations) error = marginalError(scaling, b) / total;
    if (strained(scaling)) absorb(scaling, problem);
  }
  const { kernel, u, v } = scaling;
  const plan = new Float64Array(cost.length);
  let sum = 0;
  for (let i = 0, e = 0; i < a.length; i++) {
    for (let j = 0; j < b.length; j++, e++) {
      plan[e] = u[i] * kernel[e] * v[j];
      sum += plan[e] * cost[e];
    }
  }
  return { cost: sum, plan, iterations, error, converged: error <= tolerance };
}

/** The plan as diag(u) · kernel · diag(v), where kernel = exp((f ⊕ g − cost) / regularisation). */
interface Scaling {
  f: Float64Array;
  g: Float64Array;
  kernel: Float64Array;
  u: Float64Array;
  v: Float64Array;
  /** The sums of the columns of diag(u) · kernel. */
  columns: Float64Array;
}

/** One round on logarithms, after which no row and no column of the kernel is all zeros. */
function start({ a, b, cost, regularisation }: SinkhornProblem): Scaling {
  const n = a.length;
  const m = b.length;
  const f = new Float64Array(n);
  const g = new Float64Array(m);
  const scaled = new Float64Array(Math.max(n, m));
  for (let j = 0; j < m; j++) {
    for (let i = 0; i < n; i++) scaled[i] = a[i] > 0 ? -cost[i * m + j] / regularisation : Number.NEGATIVE_INFINITY;
    g[j] = regularisation * (Math.log(b[j]) - logSumExp(scaled, n));
  }
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < m; j++) scaled[j] = (g[j] - cost[i * m + j]) / regularisation;
    f[i] = regularisation * (Math.log(a[i]) - logSumExp(scaled, m));
  }
  const scaling = {
    f,
    g,
    kernel: new Float64Array(n * m),
    u: new Float64Array(n).fill(1),
    v: new Float64Array(m).fill(1),
    columns: new Float64Array(m),
  };
  absorb(scaling, { a, b, cost, regularisation });
  return scaling;
}

/** Moves the scalings into the potentials, f += regularisation · ln u, and makes the kernel anew. */
function absorb({ f, g, kernel, u, v, columns }: Scaling, { cost, regularisation }: SinkhornProblem): void {
  const m = g.length;
  // A place without mass has the potential −∞ for good, and its scaling stays 1.
  for (let i = 0; i < f.length; i++) f[i] += u[i] > 0 ? regularisation * Math.log(u[i]) : 0;
  for (let j = 0; j < m; j++) g[j] += v[j] > 0 ? regularisation * Math.log(v[j]) : 0;
  u.fill(1);
  v.fill(1);
  columns.fill(0);
  for (let i = 0, e = 0; i < f.length; i++) {
    for (let j = 0; j < m; j++, e++) {
      const entry = Math.exp((f[i] + g[j] - cost[e]) / regularisation);
      kernel[e] = entry;
      columns[j] += entry;
    }
  }
}

function scaleColumns({ v, columns }: Scaling, b: Float64Array): void {
  for (let j = 0; j < v.length; j++) if (columns[j] > 0) v[j] = b[j] / columns[j];
}

function scaleRows({ kernel, u, v, columns }: Scaling, a: Float64Array): void {
  const m = v.length;
  columns.fill(0);
  for (let i = 0; i < u.length; i++) {
    const row = i * m;
    let sum = 0;
    for (let j = 0; j < m; j++) sum += kernel[row + j] * v[j];
    if (sum > 0) u[i] = a[i] / sum;
    const scale = u[i];
    for (let j = 0; j < m; j++) columns[j] += kernel[row + j] * scale;
  }
}

/** Rows fit exactly after their scaling, so the error is in the columns. */
function marginalError({ v, columns }: Scaling, b: Float64Array): number {
  let error = 0;
  for (let j = 0; j < v.length; j++) error += Math.abs(columns[j] * v[j] - b[j]);
  return error;
}

/** Whether the scalings have grown so far apart from 1 that products with the kernel may soon lose digits. */
function strained({ u, v }: Scaling): boolean {
  const far = (scale: number) => scale > 1e30 || scale < 1e-30;
  return u.some(far) || v.some(far);
}

function logSumExp(values: Float64Array, count: number): number {
  let most = Number.NEGATIVE_INFINITY;
  for (let k = 0; k < count; k++) most = Math.max(most, values[k]);
  if (most === Number.NEGATIVE_INFINITY) return most;
  let sum = 0;
  for (let k = 0; k < count; k++) sum += Math.exp(values[k] - most);
  return most + Math.log(sum);
}
