/**
 * Interpolations between codes: along a line from one item to another, and over a square between corners (contrastive
 * paper, Fig. 8: from s₁ at the top left to s₂ at the bottom right, with z held).
 */
import { UntangleError } from '../errors.ts';
import type { Drawing } from './drawing.ts';
import { captioned, type GridLooks, grid, inRows } from './grid.ts';
import { type Images, imageCount, rastersOf } from './image.ts';

export interface InterpolationLines extends GridLooks {
  /** The decoded steps, line by line. */
  images: Images;
  /** The real items at the ends of each line: first, last, first, last … */
  ends?: Images;
  /** How many lines there are; one unless told. */
  lines?: number;
}

/** Lines from one item to another, with the real items outside of the decoded steps. */
export function interpolationLines(options: InterpolationLines): Drawing {
  const { images, ends, lines = 1 } = options;
  const total = imageCount(images);
  if (!(lines >= 1) || total % lines !== 0 || (ends !== undefined && imageCount(ends) !== 2 * lines)) {
    throw new UntangleError(
      `${total} steps and ${ends ? imageCount(ends) : 0} ends were given for ${lines} line${lines === 1 ? '' : 's'}.`,
      { kind: 'call', hint: 'Every line needs the same number of steps, and two ends if any.' },
    );
  }
  const steps = total / lines;
  const real = ends && rastersOf(ends);
  const rows = inRows(captioned(images), steps).map((row, r) =>
    real ? [{ image: real[2 * r] }, ...row, { image: real[2 * r + 1] }] : row,
  );
  return grid({
    ...options,
    rows,
    columnLabels: real && ['from', ...Array.from({ length: steps }, () => ''), 'to'],
    columnBreaks: real && [1, steps + 1],
  });
}

export interface InterpolationSquare extends GridLooks {
  /** The decoded grid, row by row. */
  images: Images;
  columns: number;
  /** What moves along the rows and down the columns, such as “salient 0”. */
  across?: string;
  down?: string;
  /** Names of the corners: top left, top right, bottom left, bottom right. Named corners get a frame. */
  corners?: [string?, string?, string?, string?];
}

/** A square between corners: one direction across, another down. */
export function interpolationSquare(options: InterpolationSquare): Drawing {
  const { images, columns, across, down, corners = [] } = options;
  const total = imageCount(images);
  if (!(columns >= 1) || total % columns !== 0) {
    throw new UntangleError(`${total} images don’t fill rows of ${columns}.`, { kind: 'call' });
  }
  const rows = inRows(captioned(images), columns);
  const places: [number, number][] = [
    [0, 0],
    [0, columns - 1],
    [rows.length - 1, 0],
    [rows.length - 1, columns - 1],
  ];
  const named = places.filter((_, i) => corners[i] !== undefined);
  const caption = corners
    .map((name, i) =>
      name === undefined ? '' : `${['Top left', 'Top right', 'Bottom left', 'Bottom right'][i]}: ${name}.`,
    )
    .filter((sentence) => sentence !== '')
    .join(' ');
  return grid({
    caption,
    gap: 3,
    ...options,
    rows,
    columnHeading: across && `${across} →`,
    rowLabels: down === undefined ? undefined : rows.map((_, r) => ({ text: r === 0 ? `${down} ↓` : '' })),
    highlight: named,
  });
}
