/** Ticks of an axis: round numbers with few digits, in pictures and in the studio's charts alike. */

import { decimals, powerText } from './numbers.ts';

export type AxisScale = 'linear' | 'log';

export interface Tick {
  value: number;
  text: string;
}

/** About `wanted` ticks of a domain, which on a logarithmic axis lies above zero. */
export function ticksOf(domain: readonly [number, number], scale: AxisScale, wanted: number): Tick[] {
  return scale === 'log' ? logTicks(domain, wanted) : linearTicks(domain, wanted);
}

/** Round numbers in the domain, about `wanted` of them: steps of 1, 2 or 5 times a power of ten. */
export function linearTicks([low, high]: readonly [number, number], wanted: number): Tick[] {
  const rough = (high - low) / Math.max(1, wanted);
  if (!(rough > 0)) return [{ value: low, text: tickText(low, Math.abs(low) || 1, Math.abs(low)) }];
  const base = 10 ** Math.floor(Math.log10(rough));
  // The round step nearest to the rough one, by ratio: the bounds are the geometric means of 1, 2, 5 and 10.
  const step =
    base * (rough < Math.SQRT2 * base ? 1 : rough < Math.sqrt(10) * base ? 2 : rough < Math.sqrt(50) * base ? 5 : 10);
  const largest = Math.max(Math.abs(low), Math.abs(high));
  const first = Math.ceil(low / step - 1e-9);
  const count = Math.floor(high / step + 1e-9) - first + 1;
  // Numbers at the ends of what a computer can hold have no round steps between them.
  if (!(count <= 100)) return [{ value: low, text: powerText(low) }];
  return Array.from({ length: count }, (_, i) => {
    const value = (first + i) * step;
    return { value, text: tickText(value, step, largest) };
  });
}

/** Powers of ten; with their doubles and quintuples where the domain has few of them. */
function logTicks([low, high]: readonly [number, number], wanted: number): Tick[] {
  const [from, to] = [Math.floor(Math.log10(low)), Math.ceil(Math.log10(high))];
  const every = Math.max(1, Math.ceil((to - from) / wanted));
  const factors = Math.log10(high / low) < 2.5 ? [1, 2, 5] : [1];
  const found: number[] = [];
  for (let exponent = from; exponent <= to; exponent++) {
    if ((exponent - from) % every !== 0) continue;
    for (const factor of factors) {
      const value = Number(`${factor}e${exponent}`);
      if (value >= low * 0.9999 && value <= high * 1.0001) found.push(value);
    }
  }
  if (found.length < 2) return linearTicks([low, high], wanted);
  return found.map((value) => ({
    value,
    text: value >= 0.001 && value < 1e5 ? tickText(value, value, value) : powerText(value),
  }));
}

/** A tick's number with the decimals that its step needs, in thousands or millions where the axis goes that far. */
function tickText(value: number, step: number, largest: number): string {
  if (largest >= 1e9 || largest < 1e-3) return value === 0 ? '0' : powerText(value);
  const [unit, letter] = largest >= 1e6 ? [1e6, 'M'] : largest >= 1e4 ? [1e3, 'k'] : [1, ''];
  const digits = Math.max(0, Math.min(8, Math.ceil(-Math.log10(step / unit) - 1e-9)));
  return value === 0 ? '0' : `${decimals(value / unit, digits)}${letter}`;
}
