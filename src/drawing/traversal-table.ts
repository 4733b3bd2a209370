/**
 * Latent traversals: each row moves one dimension through quantiles of its prior while the others stand still (DIP-VAE,
 * Fig. 3–6; N-VAE, Fig. 1 and 2; PartedVAE, Fig. 4). As a still picture, and as the frames of an animation in which all
 * dimensions move at once, each in its own image.
 */
import { UntangleError } from '../errors.ts';
import type { Drawing } from './drawing.ts';
import { columnsFor, type GridLooks, grid, inRows } from './grid.ts';
import { type Images, imageCount, type Raster, rastersOf } from './image.ts';
import { decimals } from './numbers.ts';

/** What a row of the picture moves. */
export interface TraversedDimension {
  block: string;
  index: number;
  /** The dimension's mean divergence from its prior, in nats. */
  kl?: number;
  /** Whom the row is about where rows differ in more than the dimension, such as a class. */
  of?: string;
}

export interface TraversalTable extends GridLooks {
  /** The rows, in the order in which they are shown. */
  dimensions: TraversedDimension[];
  /** The columns: quantiles of the prior, in (0, 1). */
  quantiles: number[];
  /** Row by row. */
  images: Images;
  /** The image that the traversal starts from: one for all rows or one for each. */
  start?: Images;
}

/**
 * A traversal as a still picture.
 *
 * @example traversalTable({ dimensions: [{ block: 'shared', index: 0, kl: 2.4 }], quantiles: [0.1, 0.5, 0.9], images })
 */
export function traversalTable(options: TraversalTable): Drawing {
  const { dimensions, quantiles, start } = options;
  const rows = traversedRows(options);
  const starts = start && rastersOf(start);
  const cells = rows.map((row, r) => {
    const first = starts && [{ image: starts[starts.length === 1 ? 0 : r] }];
    return [...(first ?? []), ...row.map((image) => ({ image }))];
  });
  const measured = dimensions.some(({ kl }) => kl !== undefined);
  return grid({
    caption: `Columns are quantiles of each dimension’s prior${measured ? '; KL in nats' : ''}.`,
    ...options,
    rows: cells,
    rowLabels: dimensions.map((dimension) => ({ text: nameOf(dimension), note: klOf(dimension) })),
    noteHeading: measured ? 'KL' : undefined,
    columnLabels: [...(starts ? ['start'] : []), ...quantiles.map(percent)],
    columnBreaks: starts ? [1] : undefined,
    rowBreaks: groups(dimensions),
  });
}

/** A traversal as frames, there and back: frame t shows every dimension at the t-th quantile, under its name. */
export function traversalFrames(options: TraversalTable): Drawing[] {
  const rows = traversedRows(options);
  const last = options.quantiles.length - 1;
  const order = options.quantiles.map((_, t) => t);
  const back = order.slice(1, last).reverse();
  return [...order, ...back].map((t) => {
    const cells = rows.map((row, r) => {
      const kl = klOf(options.dimensions[r]);
      return { image: row[t], caption: `${nameOf(options.dimensions[r])}${kl === undefined ? '' : ` KL ${kl}`}` };
    });
    return grid({ ...options, rows: inRows(cells, columnsFor(cells.length)) });
  });
}

function traversedRows({ dimensions, quantiles, images, start }: TraversalTable): Raster[][] {
  const given = imageCount(images);
  if (quantiles.length === 0 || given !== dimensions.length * quantiles.length) {
    throw new UntangleError(
      `${given} images were given for ${dimensions.length} dimensions at ${quantiles.length} quantiles each.`,
      { kind: 'call', hint: 'Give an image for each dimension and quantile, row by row.' },
    );
  }
  if (start !== undefined && imageCount(start) !== 1 && imageCount(start) !== dimensions.length) {
    throw new UntangleError(`${imageCount(start)} starting images were given for ${dimensions.length} rows.`, {
      kind: 'call',
      hint: 'Give one for all rows, or one for each.',
    });
  }
  return inRows(rastersOf(images), quantiles.length);
}

function nameOf({ block, index, of }: TraversedDimension): string {
  return `${of === undefined ? '' : `${of}, `}${block} ${index}`;
}

function klOf({ kl }: TraversedDimension): string | undefined {
  return kl === undefined ? undefined : decimals(kl, 2);
}

/** The rows at which another block or another owner begins; owners of a single row each are not parted. */
function groups(dimensions: TraversedDimension[]): number[] {
  const rows = dimensions.map((_, row) => row).slice(1);
  const differs = (row: number, key: 'block' | 'of') => dimensions[row - 1][key] !== dimensions[row][key];
  const someOwnSeveral = rows.some((row) => dimensions[row].of !== undefined && !differs(row, 'of'));
  return rows.filter((row) => differs(row, 'block') || (someOwnSeveral && differs(row, 'of')));
}

/** @example percent(0.025) // '2.5%' */
function percent(quantile: number): string {
  return `${Number((100 * quantile).toFixed(1))}%`;
}
