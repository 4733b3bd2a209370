/**
 * Bars in groups, such as the divergence of every dimension by block (N-VAE, Fig. 5), or how far a factor moves each
 * column of a table. Short labels stand under upright bars; names get level bars, which leave room for them.
 */
import { UntangleError } from '../errors.ts';
import { type Axis, axisText, domainOf, rule, scaleFor } from './axes.ts';
import type { Drawing, DrawnShape, Rectangle } from './drawing.ts';
import { measure } from './font.ts';
import { namesLegend } from './legend.ts';
import { readable } from './numbers.ts';
import { type Looks, label, page, sizes } from './page.ts';
import { categoryColour, faint, ink, muted } from './palette.ts';

export interface BarChart extends Looks {
  groups: { name: string; bars: { label: string; value: number }[] }[];
  value: Axis;
}

/** @example barChart({ groups: [{ name: 'shared', bars: [{ label: '0', value: 2.4 }] }], value: { label: 'KL', unit: 'nats' } }) */
export function barChart(options: BarChart): Drawing {
  const groups = options.groups.filter(({ bars }) => bars.length > 0);
  if (groups.length === 0) throw new UntangleError('There is no bar to show.', { kind: 'call' });
  const bars = placed(groups);
  const pitch = Math.min(28, 560 / (bars[bars.length - 1].place + 1));
  const widest = Math.max(...bars.map((bar) => measure(bar.label, sizes.note)));
  const upright = widest + 3 <= pitch || bars.every((bar) => /^\d+$/.test(bar.label));
  const content = upright ? uprightBars(options, bars, pitch) : levelBars(options, bars);
  return page(content, options, `${options.value.label}, as bars`);
}

interface Bar {
  label: string;
  value: number;
  group: number;
  /** Its number within the group. */
  index: number;
  /** The bar's place in a row of equal places, with some left empty between groups. */
  place: number;
}

function placed(groups: BarChart['groups']): Bar[] {
  let place = 0;
  return groups.flatMap(({ bars }, group) => {
    if (group > 0) place += 0.75;
    return bars.map((bar, index) => ({ ...bar, group, index, place: place++ }));
  });
}

/** Zero is always shown, since a bar's length is what is compared. */
function barDomain(bars: Bar[]): [number, number] {
  const [low, high] = domainOf(bars.map(({ value }) => value));
  if (low === 0 && high === 0) return [0, 1];
  return [Math.min(0, low * 1.05), Math.max(0, high * 1.05)];
}

function uprightBars(options: BarChart, bars: Bar[], pitch: number) {
  const height = 200;
  const top = sizes.note * 2;
  const bottom = top + height;
  const scale = scaleFor(barDomain(bars), bottom, top, 'linear', 4);
  const left = Math.ceil(Math.max(...scale.ticks.map(({ text }) => measure(text, sizes.note)))) + 8;
  const width = pitch * (bars[bars.length - 1].place + 1);
  const zero = scale.at(0) ?? bottom;
  const small = { size: sizes.note, fill: muted } as const;
  const shapes: DrawnShape[] = [label(axisText(options.value), 0, sizes.note, { size: sizes.note })];
  for (const { value, text } of scale.ticks) {
    const level = scale.at(value) ?? zero;
    shapes.push(rule(left, level, left + width, level, faint));
    shapes.push(label(text, left - 8, level + sizes.note * 0.36, { ...small, anchor: 'end' }));
  }
  const widest = Math.max(...bars.map((bar) => measure(bar.label, sizes.note)));
  const every = [1, 2, 5, 10, 20, 50].find((step) => step * pitch >= widest + 4) ?? 100;
  bars.forEach((bar) => {
    const x = left + (bar.place + 0.12) * pitch;
    const end = scale.at(bar.value);
    if (end !== undefined) shapes.push(block(x, Math.min(zero, end), 0.76 * pitch, Math.abs(end - zero), bar.group));
    const middle = left + (bar.place + 0.5) * pitch;
    const under = end === undefined ? '–' : bar.label;
    if (bar.index % every === 0)
      shapes.push(label(under, middle, bottom + 6 + sizes.note, { ...small, anchor: 'middle' }));
  });
  shapes.push(rule(left, zero, left + width, zero, ink));
  const names = groupNames(options, bars, left, pitch, bottom + 12 + sizes.note, left + width, top);
  return { width: names.right, height: names.bottom, shapes: [...shapes, ...names.shapes] };
}

/** The groups' names under brackets, or in a legend where they are wider than their bars. */
function groupNames(
  options: BarChart,
  bars: Bar[],
  left: number,
  pitch: number,
  y: number,
  right: number,
  top: number,
): { shapes: DrawnShape[]; right: number; bottom: number } {
  const groups = options.groups.filter(({ bars: own }) => own.length > 0);
  const spans = groups.map(({ name }, group) => {
    const places = bars.filter((bar) => bar.group === group).map(({ place }) => place);
    return {
      name,
      group,
      from: left + (places[0] + 0.12) * pitch,
      to: left + (places[places.length - 1] + 0.88) * pitch,
    };
  });
  const fits = spans.every(({ name, from, to }) => measure(name, sizes.label) <= to - from + 0.75 * pitch);
  if (!fits) {
    const square = (group: number, x: number, middle: number) => block(x - 5, middle - 5, 10, 10, group);
    const names = groups.map(({ name }) => name);
    const legend = namesLegend(names, square, right + 20, top, y - top);
    return { shapes: legend.shapes, right: right + 20 + legend.width, bottom: y };
  }
  const shapes = spans.flatMap(({ name, group, from, to }): DrawnShape[] => [
    block(from, y, to - from, 2, group),
    label(name, (from + to) / 2, y + 6 + sizes.label, { anchor: 'middle' }),
  ]);
  return { shapes, right, bottom: y + 6 + sizes.label * 1.3 };
}

function levelBars(options: BarChart, bars: Bar[]) {
  const pitch = sizes.label * 1.6;
  const length = 260;
  const groups = options.groups.filter(({ bars: own }) => own.length > 0);
  const texts = bars.map(({ label: text }) => measure(text, sizes.label));
  const values = bars.map(({ value }) => readable(value));
  const left = Math.ceil(Math.max(...texts)) + 10;
  const negative = Math.max(0, ...bars.map(({ value }, i) => (value < 0 ? measure(values[i], sizes.note) + 6 : 0)));
  const positive = Math.max(0, ...bars.map(({ value }, i) => (value < 0 ? 0 : measure(values[i], sizes.note) + 6)));
  const scale = scaleFor(barDomain(bars), left + negative, left + negative + length);
  const zero = scale.at(0) ?? left;
  const top = sizes.note * 2;
  const shapes: DrawnShape[] = [label(axisText(options.value), 0, sizes.note, { size: sizes.note })];
  bars.forEach((bar, i) => {
    const y = top + bar.place * pitch;
    const end = scale.at(bar.value);
    const baseline = y + pitch / 2 + sizes.label * 0.36;
    shapes.push(label(bar.label, left - 10, baseline, { anchor: 'end' }));
    if (end !== undefined)
      shapes.push(block(Math.min(zero, end), y + 0.14 * pitch, Math.abs(end - zero), 0.72 * pitch, bar.group));
    const back = bar.value < 0;
    const beside = (end ?? zero) + (back ? -5 : 5);
    shapes.push(label(values[i], beside, baseline, { size: sizes.note, fill: muted, anchor: back ? 'end' : 'start' }));
  });
  const bottom = top + (bars[bars.length - 1].place + 1) * pitch;
  shapes.push(rule(zero, top, zero, bottom, ink));
  const right = left + negative + length + positive;
  if (groups.length === 1) return { width: right, height: bottom, shapes };
  const square = (group: number, x: number, middle: number) => block(x - 5, middle - 5, 10, 10, group);
  const legend = namesLegend(
    groups.map(({ name }) => name),
    square,
    right + 16,
    top,
    bottom - top,
  );
  return { width: right + 16 + legend.width, height: bottom, shapes: [...shapes, ...legend.shapes] };
}

function block(x: number, y: number, width: number, height: number, group: number): Rectangle {
  return { kind: 'rectangle', x, y, width, height, fill: categoryColour(group) };
}
