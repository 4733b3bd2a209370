/** Scales and axes: round ticks, few digits, light grid lines, and a plot that makes room for its own labels. */

import { UntangleError } from '../errors.ts';
import type { DrawnShape } from './drawing.ts';
import { measure } from './font.ts';
import { decimals, powerText } from './numbers.ts';
import { label, sizes } from './page.ts';
import { faint, ink, muted } from './palette.ts';

export interface Axis {
  label: string;
  /** Shown in brackets after the label. */
  unit?: string;
  scale?: 'linear' | 'log';
}

/** From values to pixels; `undefined` for what a scale can't show, such as zero on a logarithmic one. */
export interface Scale {
  at(value: number): number | undefined;
  ticks: { value: number; text: string }[];
}

/** The smallest and largest of the values that an axis can show. */
export function domainOf(values: Iterable<number>, kind: Axis['scale'] = 'linear'): [number, number] {
  let [low, high] = [Infinity, -Infinity];
  for (const value of values) {
    if (!Number.isFinite(value) || (kind === 'log' && value <= 0)) continue;
    low = Math.min(low, value);
    high = Math.max(high, value);
  }
  if (low > high) {
    throw new UntangleError(`None of the values can be shown on a ${kind === 'log' ? 'logarithmic' : 'linear'} axis.`, {
      hint:
        kind === 'log' ? 'A logarithmic axis needs positive numbers.' : 'They are missing, infinite or not numbers.',
    });
  }
  return [low, high];
}

/** A scale from `domain` to `from` … `to` pixels. */
export function scaleFor(
  domain: readonly [number, number],
  from: number,
  to: number,
  kind: Axis['scale'] = 'linear',
  ticks = 6,
): Scale {
  const log = kind === 'log';
  const inner = (value: number) => (log ? Math.log10(value) : value);
  const [low, high] = [inner(domain[0]), inner(domain[1])];
  const at = (value: number) => {
    if (!Number.isFinite(value) || (log && value <= 0)) return undefined;
    return high === low ? (from + to) / 2 : from + ((inner(value) - low) / (high - low)) * (to - from);
  };
  return { at, ticks: log ? logTicks(domain, ticks) : linearTicks(domain, ticks) };
}

/** The domain with a little air at its ends; a lone value gets some around it. */
export function widened(
  [low, high]: readonly [number, number],
  kind: Axis['scale'] = 'linear',
  part = 0.04,
): [number, number] {
  if (kind === 'log') {
    const air = high > low ? 10 ** (part * (Math.log10(high) - Math.log10(low))) : 1.5;
    return [Math.max(Number.MIN_VALUE, low / air), Math.min(Number.MAX_VALUE, high * air)];
  }
  const air = high > low ? (high - low) * part : Math.abs(high) * 0.1 || 1;
  return [low - air, high + air];
}

/** Round numbers in the domain, about `wanted` of them: steps of 1, 2 or 5 times a power of ten. */
export function linearTicks([low, high]: readonly [number, number], wanted: number): Scale['ticks'] {
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
function logTicks([low, high]: readonly [number, number], wanted: number): Scale['ticks'] {
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

/** An axis's label with its unit. */
export function axisText({ label: text, unit }: Axis): string {
  return unit === undefined ? text : `${text} (${unit})`;
}

export interface Plot {
  /** The area that the data fill. */
  area: { left: number; top: number; right: number; bottom: number };
  x: Scale;
  y: Scale;
  shapes: DrawnShape[];
  /** The height with the labels under the area. */
  height: number;
}

/**
 * Two axes around an area of `width` × `height`. The label of the vertical axis stands level above it, where it can be
 * read without turning one's head.
 */
export function plot(options: {
  x: Axis & { domain: readonly [number, number] };
  y: Axis & { domain: readonly [number, number] };
  width: number;
  height: number;
}): Plot {
  const { x, y, width, height } = options;
  const top = sizes.note * 2;
  const bottom = top + height;
  const yScale = scaleFor(y.domain, bottom, top, y.scale, Math.max(2, Math.round(height / 46)));
  const left = Math.ceil(Math.max(...yScale.ticks.map(({ text }) => measure(text, sizes.note)))) + 8;
  const right = left + width;
  const xScale = scaleFor(x.domain, left, right, x.scale, Math.max(2, Math.round(width / 80)));
  const small = { size: sizes.note, fill: muted };
  const shapes: DrawnShape[] = [label(axisText(y), 0, sizes.note, { size: sizes.note })];
  for (const { value, text } of yScale.ticks) {
    const level = yScale.at(value) ?? bottom;
    shapes.push(rule(left, level, right, level, faint));
    shapes.push(label(text, left - 8, level + sizes.note * 0.36, { ...small, anchor: 'end' }));
  }
  shapes.push(rule(left, bottom, right, bottom, ink));
  for (const { value, text } of xScale.ticks) {
    const across = xScale.at(value) ?? left;
    shapes.push(rule(across, bottom, across, bottom + 4, ink));
    shapes.push(label(text, across, bottom + 7 + sizes.note, { ...small, anchor: 'middle' }));
  }
  const named = axisText(x) !== '';
  const under = bottom + 7 + sizes.note * (named ? 2.7 : 1);
  if (named) shapes.push(label(axisText(x), (left + right) / 2, under, { size: sizes.note, anchor: 'middle' }));
  return { area: { left, top, right, bottom }, x: xScale, y: yScale, shapes, height: under + sizes.note * 0.3 };
}

/** A level or upright hairline, on whole pixels. */
export function rule(x0: number, y0: number, x1: number, y1: number, fill: string): DrawnShape {
  const x = Math.round(x0 * 2) / 2;
  const y = Math.round(y0 * 2) / 2;
  return { kind: 'rectangle', x, y, width: Math.max(0.5, x1 - x0), height: Math.max(0.5, y1 - y0), fill };
}
