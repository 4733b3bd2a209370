/**
 * Exact optimal transport between two weighted sets: the cheapest plan that moves the masses a onto the masses b
 * (Kantorovich's problem), by the network simplex method.
 */
import { UntangleError } from '../errors.ts';
import { requireMatrix, requirePositive } from './input.ts';
import { cheapestFlow } from './network-simplex.ts';
import { checkCosts } from './points.ts';

export interface TransportProblem {
  /** The mass at each source. */
  a: Float64Array;
  /** The mass at each sink; the same total as `a`. */
  b: Float64Array;
  /** The price of moving one unit of mass: `cost[i * b.length + j]`. */
  cost: Float64Array;
}

export interface Transport {
  /** The sum of plan × cost. */
  cost: number;
  /** How much goes from i to j: `plan[i * b.length + j]`. */
  plan: Float64Array;
}

/**
 * The cheapest plan.
 *
 * @example transport({ a: Float64Array.of(0.5, 0.5), b: Float64Array.of(1), cost: Float64Array.of(2, 4) }).cost // 3
 */
export function transport(problem: TransportProblem): Transport {
  const total = checkTransport(problem);
  const { a, b, cost } = problem;
  const [units, wholeA, wholeB] = toUnits(a, b);
  const sources = Int32Array.from(a.keys()).filter((i) => wholeA[i] > 0);
  const sinks = Int32Array.from(b.keys()).filter((j) => wholeB[j] > 0);
  const n = sources.length;
  const m = sinks.length;
  const price = new Float64Array(n * m);
  for (let i = 0; i < n; i++) for (let j = 0; j < m; j++) price[i * m + j] = cost[sources[i] * b.length + sinks[j]];

  const supply = Float64Array.from(sources, (i) => wholeA[i]);
  const demand = Float64Array.from(sinks, (j) => wholeB[j]);
  const { parent, flow } = cheapestFlow(price, supply, demand);

  const plan = new Float64Array(cost.length);
  let sum = 0;
  for (let k = 0; k < n + m; k++) {
    if (parent[k] < 0) continue;
    const [i, j] = k < n ? [k, parent[k] - n] : [parent[k], k - n];
    const mass = (flow[k] / units) * total;
    plan[sources[i] * b.length + sinks[j]] = mass;
    sum += mass * price[i * m + j];
  }
  return { cost: sum, plan };
}

/** Makes sure of the shapes, of finite costs, and of masses that are not negative and add up alike; gives their total. */
export function checkTransport({ a, b, cost }: TransportProblem): number {
  requireMatrix(a, a.length, 1);
  requireMatrix(b, b.length, 1);
  checkCosts(cost, a.length, b.length);
  if (a.some((mass) => mass < 0) || b.some((mass) => mass < 0))
    throw new UntangleError('A mass is negative; masses must be zero or more.', { kind: 'call' });
  const totalA = a.reduce((sum, mass) => sum + mass, 0);
  const totalB = b.reduce((sum, mass) => sum + mass, 0);
  requirePositive(totalA, 'The total mass');
  if (Math.abs(totalA - totalB) > 1e-6 * totalA)
    throw new UntangleError(`The masses a add up to ${totalA} and the masses b to ${totalB}; they must be equal.`, {
      kind: 'call',
      hint: 'Divide each by its sum, so that both are 1.',
    });
  return totalA;
}

/**
 * The masses as whole numbers of one small unit, of which `units` make the total. Sums and differences of flows are
 * then exact, so that an empty arc holds zero and not rounding noise. The total is a multiple of n·m, so that uniform
 * masses are whole exactly.
 */
function toUnits(a: Float64Array, b: Float64Array): [units: number, a: Float64Array, b: Float64Array] {
  const pairs = a.length * b.length;
  const units = pairs * Math.floor(2 ** 52 / pairs);
  const whole = (masses: Float64Array) => {
    const total = masses.reduce((sum, mass) => sum + mass, 0);
    const rounded = masses.map((mass) => Math.round((mass / total) * units));
    const largest = rounded.indexOf(rounded.reduce((most, count) => Math.max(most, count), 0));
    rounded[largest] += units - rounded.reduce((sum, count) => sum + count, 0);
    return rounded;
  };
  return [units, whole(a), whole(b)];
}
