/** What the colours of a picture mean: a list of names with their marks, or a bar of the scale with its ticks. */
import type { DrawnShape } from './drawing.ts';
import { measure } from './font.ts';
import { label, labels, sizes } from './page.ts';
import { muted, scaleColour } from './palette.ts';
import { linearTicks } from './ticks.ts';

export interface Legend {
  width: number;
  height: number;
  shapes: DrawnShape[];
}

/** Names in a column, each behind its mark; further columns once one is as high as the picture. */
export function namesLegend(
  names: string[],
  drawMark: (index: number, x: number, y: number) => DrawnShape,
  x: number,
  top: number,
  height: number,
): Legend {
  const step = sizes.note * 1.7;
  const perColumn = Math.max(1, Math.floor(height / step));
  const most = 4 * perColumn;
  const shown = names.length > most ? [...names.slice(0, most - 1), `… and ${names.length - most + 1} more`] : names;
  const shapes: DrawnShape[] = [];
  let left = x;
  for (let start = 0; start < shown.length; start += perColumn) {
    const column = shown.slice(start, start + perColumn);
    column.forEach((name, i) => {
      const y = top + step * (i + 0.5);
      const index = start + i;
      if (index < names.length && name === names[index]) shapes.push(drawMark(index, left + 5, y));
      shapes.push(label(name, left + 15, y + sizes.note * 0.36, { size: sizes.note }));
    });
    left += 15 + Math.max(...column.map((name) => measure(name, sizes.note))) + 14;
  }
  return { width: left - 14 - x, height: Math.min(shown.length, perColumn) * step, shapes };
}

/** A bar with the colours of the scale, from the lowest value at its foot to the highest, and what they measure above. */
export function scaleLegend(
  name: string,
  domain: readonly [number, number],
  x: number,
  top: number,
  height: number,
): Legend {
  const heading = sizes.note * 1.9;
  const barTop = top + heading;
  const barHeight = height - heading;
  const slices = 64;
  const shapes: DrawnShape[] = labels([name], x, top, { size: sizes.note });
  for (let i = 0; i < slices; i++) {
    // Slices overlap by a hair, so that no seam shows between them.
    const y = barTop + (barHeight * i) / slices;
    const fill = scaleColour(1 - (i + 0.5) / slices)!;
    shapes.push({ kind: 'rectangle', x, y, width: 12, height: barHeight / slices + (i < slices - 1 ? 0.5 : 0), fill });
  }
  let widest = 0;
  const [low, high] = domain;
  for (const { value, text } of linearTicks(domain, 5)) {
    const y = barTop + barHeight * (high === low ? 0.5 : (high - value) / (high - low));
    shapes.push(label(text, x + 18, y + sizes.note * 0.36, { size: sizes.note, fill: muted }));
    widest = Math.max(widest, measure(text, sizes.note));
  }
  return { width: Math.max(18 + widest, measure(name, sizes.note)), height, shapes };
}
