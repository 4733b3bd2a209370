/** Smoothed curves, in pictures and in the studio's charts alike. */
import type { AxisScale } from './ticks.ts';

/**
 * The mean of each value's neighbourhood with weights wᵈ at distance d, to both sides, so that the curve does not lag
 * behind its values. Values that are not finite have no weight. On a logarithmic axis it is the geometric mean.
 */
export function smoothed(values: ArrayLike<number>, weight: number, scale: AxisScale = 'linear'): Float64Array {
  if (scale === 'log') return smoothed(Array.from(values, Math.log), weight).map(Math.exp);
  const sum = new Float64Array(values.length);
  const total = new Float64Array(values.length);
  const sweep = (from: number, to: number, step: number) => {
    let [before, weights] = [0, 0];
    for (let i = from; i !== to; i += step) {
      sum[i] += weight * before;
      total[i] += weight * weights;
      const known = Number.isFinite(values[i]);
      before = weight * before + (known ? values[i] : 0);
      weights = weight * weights + (known ? 1 : 0);
    }
  };
  sweep(0, values.length, 1);
  sweep(values.length - 1, -1, -1);
  return sum.map((value, i) => (Number.isFinite(values[i]) ? (value + values[i]) / (total[i] + 1) : Number.NaN));
}
