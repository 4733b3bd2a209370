/** Scales and axes: light grid lines, and a plot that makes room for its own labels. */

import { UntangleError } from '../errors.ts';
import type { DrawnShape } from './drawing.ts';
import { measure } from './font.ts';
import { label, sizes } from './page.ts';
import { faint, ink, muted } from './palette.ts';
import { type AxisScale, type Tick, ticksOf } from './ticks.ts';

export interface Axis {
  label: string;
  /** Shown in brackets after the label. */
  unit?: string;
  scale?: AxisScale;
}

/** From values to pixels; `undefined` for what a scale can't show, such as zero on a logarithmic one. */
export interface Scale {
  at(value: number): number | undefined;
  ticks: Tick[];
}

/** The smallest and largest of the values that an axis can show. */
export function domainOf(values: Iterable<number>, kind: AxisScale = 'linear'): [number, number] {
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
  kind: AxisScale = 'linear',
  ticks = 6,
): Scale {
  const log = kind === 'log';
  const inner = (value: number) => (log ? Math.log10(value) : value);
  const [low, high] = [inner(domain[0]), inner(domain[1])];
  const at = (value: number) => {
    if (!Number.isFinite(value) || (log && value <= 0)) return undefined;
    return high === low ? (from + to) / 2 : from + ((inner(value) - low) / (high - low)) * (to - from);
  };
  return { at, ticks: ticksOf(domain, kind, ticks) };
}

/** The domain with a little air at its ends; a lone value gets some around it. */
export function widened(
  [low, high]: readonly [number, number],
  kind: AxisScale = 'linear',
  part = 0.04,
): [number, number] {
  if (kind === 'log') {
    const air = high > low ? 10 ** (part * (Math.log10(high) - Math.log10(low))) : 1.5;
    return [Math.max(Number.MIN_VALUE, low / air), Math.min(Number.MAX_VALUE, high * air)];
  }
  const air = high > low ? (high - low) * part : Math.abs(high) * 0.1 || 1;
  return [low - air, high + air];
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
