/**
 * The learned prior of one class-related dimension with the pictures along it (PartedVAE, Fig. 7): the density of each
 * class above, and below it what the decoder makes of the places that thin lines point to.
 */
import { UntangleError } from '../errors.ts';
import { domainOf, plot } from './axes.ts';
import { type Drawing, type DrawnShape, moved } from './drawing.ts';
import { captioned, type GridLooks, gridContent, inRows } from './grid.ts';
import { type Images, imageCount } from './image.ts';
import { namesLegend } from './legend.ts';
import { page } from './page.ts';
import { categoryColour, muted } from './palette.ts';

export interface DensityStrip extends GridLooks {
  /** What is shown along the axis, such as “hair colour, u 0”. */
  dimension: string;
  /** Where the densities are given. */
  axis: ArrayLike<number>;
  densities: { name: string; values: ArrayLike<number> }[];
  /** The places that were decoded, and their images, row by row. */
  positions: number[];
  images: Images;
  rowLabels?: string[];
}

/** @example densityStrip({ dimension: 'u 0', axis, densities: [{ name: 'blond', values }], positions: [-2, 0, 2], images }) */
export function densityStrip(options: DensityStrip): Drawing {
  const { axis, densities, positions, images } = options;
  const odd = densities.find(({ values }) => values.length !== axis.length);
  if (odd !== undefined)
    throw new UntangleError(`“${odd.name}” has ${odd.values.length} values at ${axis.length} places.`, {
      kind: 'call',
    });
  if (positions.length === 0 || imageCount(images) % positions.length !== 0)
    throw new UntangleError(`${imageCount(images)} images were given for ${positions.length} places.`, {
      kind: 'call',
    });

  const strip = gridContent({
    ...options,
    rows: inRows(captioned(images), positions.length),
    rowLabels: options.rowLabels?.map((text) => ({ text })),
  });
  const [first, last] = [strip.lefts[0], strip.lefts[positions.length - 1] + strip.columnWidth];
  const highest = domainOf(densities.flatMap(({ values }) => Array.from(values)))[1];
  const axes = plot({
    x: { label: '', domain: domainOf(Array.from(axis)) },
    y: { label: `density over ${options.dimension}`, domain: [0, highest * 1.05] },
    width: Math.max(240, last - first),
    height: 110,
  });
  const shift = Math.max(0, first - axes.area.left);
  const stripLeft = Math.max(0, axes.area.left - first);
  const { top, bottom, right } = axes.area;
  const lines: DrawnShape[] = [];
  const curves: DrawnShape[] = densities.flatMap(({ values }, i) => {
    const points = Array.from(values).flatMap((value, k) => [axes.x.at(axis[k]) ?? 0, axes.y.at(value) ?? bottom]);
    const ends = [points[points.length - 2], bottom, points[0], bottom];
    const colour = categoryColour(i);
    return [
      { kind: 'polygon', points: [...points, ...ends], fill: colour, opacity: 0.18 },
      { kind: 'line', points, stroke: colour, thickness: 1.5 },
    ];
  });
  const stripTop = Math.ceil(axes.height) + 22;
  positions.forEach((position, c) => {
    const x = axes.x.at(position);
    if (x === undefined) return;
    const middle = stripLeft + strip.lefts[c] + strip.columnWidth / 2 - shift;
    lines.push({ kind: 'line', points: [x, top, x, bottom], stroke: muted, thickness: 0.75, dash: [2, 3] });
    lines.push({
      kind: 'line',
      points: [x, axes.height + 2, middle, stripTop - 3],
      stroke: muted,
      thickness: 0.75,
      dash: [2, 3],
    });
  });
  const names = densities.map(({ name }) => name);
  const swatch = (i: number, x: number, y: number): DrawnShape => ({
    kind: 'line',
    points: [x - 5, y, x + 5, y],
    stroke: categoryColour(i),
    thickness: 2.5,
  });
  const legend = namesLegend(names, swatch, right + 18, top, bottom - top);
  const above = [...axes.shapes, ...curves, ...lines, ...legend.shapes].map((shape) => moved(shape, shift, 0));
  return page(
    {
      width: Math.max(shift + right + 18 + legend.width, stripLeft + strip.width),
      height: stripTop + strip.height,
      shapes: [...above, ...strip.shapes.map((shape) => moved(shape, stripLeft, stripTop))],
    },
    options,
    `The prior of ${options.dimension}`,
  );
}
