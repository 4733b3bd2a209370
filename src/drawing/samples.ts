/** Samples from the prior, or from each class in turn (N-VAE, Fig. 11): one row a class. */
import { UntangleError } from '../errors.ts';
import { captioned, columnsFor, inRows } from './contact-sheet.ts';
import type { Drawing } from './drawing.ts';
import { type GridLooks, grid } from './grid.ts';
import { count, type Images } from './image.ts';

export interface Samples extends GridLooks {
  images: Images;
  /** The names of the rows, where each row is a class; the images then come row by row. */
  rows?: string[];
  columns?: number;
}

/** @example samples({ images, rows: ['zero', 'one'] }) */
export function samples(options: Samples): Drawing {
  const total = count(options.images);
  const { rows } = options;
  if (rows !== undefined && (rows.length === 0 || total % rows.length !== 0)) {
    throw new UntangleError(`${total} samples can’t be shared out among ${rows.length} rows.`, {
      kind: 'call',
      hint: 'Give the same number of samples for each row.',
    });
  }
  const columns = rows === undefined ? (options.columns ?? columnsFor(total)) : total / rows.length;
  return grid({
    ...options,
    rows: inRows(captioned(options.images), columns),
    rowLabels: rows?.map((text) => ({ text })),
  });
}
