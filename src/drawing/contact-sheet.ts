/** A contact sheet: what a dataset's items look like, with their labels; the target over its background where there are both. */
import { UntangleError } from '../errors.ts';
import type { Drawing } from './drawing.ts';
import { type Cell, type GridLooks, grid } from './grid.ts';
import type { RowLabel } from './heads.ts';
import { type Images, rastersOf } from './image.ts';

export interface ContactSheet extends GridLooks {
  items: Images;
  /** A label for each item, shown under it. */
  captions?: string[];
  /** The items that the target is set against. */
  background?: { items: Images; captions?: string[] };
  columns?: number;
}

/** @example contactSheet({ items: { values: data.gather([0, 1, 2]), shape: data.shape, range: data.range } }) */
export function contactSheet(options: ContactSheet): Drawing {
  const target = captioned(options.items, options.captions);
  const background = options.background && captioned(options.background.items, options.background.captions);
  const columns = options.columns ?? columnsFor(Math.max(target.length, background?.length ?? 0));
  const upper = inRows(target, columns);
  const lower = background === undefined ? [] : inRows(background, columns);
  const name = (rows: Cell[][], text: string): RowLabel[] => rows.map((_, i) => ({ text: i === 0 ? text : '' }));
  return grid({
    ...options,
    rows: [...upper, ...lower],
    rowLabels: background && [...name(upper, 'target'), ...name(lower, 'background')],
    rowBreaks: [upper.length],
  });
}

/** How many columns show `count` items on a page that is wider than high, with the last row as full as may be. */
export function columnsFor(count: number): number {
  if (count <= 12) return Math.max(1, count <= 8 ? count : Math.ceil(count / 2));
  const least = Math.max(8, Math.ceil(Math.sqrt(count)));
  const most = Math.max(least, Math.floor(1.6 * Math.sqrt(count))) + 2;
  const candidates = Array.from({ length: most - least + 1 }, (_, i) => least + i);
  const empty = (columns: number) => (columns - (count % columns)) % columns;
  return candidates.reduce((best, next) => (empty(next) < empty(best) ? next : best));
}

/** Cells in rows of `columns`. */
export function inRows<T>(items: T[], columns: number): T[][] {
  if (!(Number.isInteger(columns) && columns >= 1)) {
    throw new UntangleError(`Rows of ${columns} images can’t be made.`, {
      kind: 'call',
      hint: 'Give a whole number of columns, at least one.',
    });
  }
  const rows: T[][] = [];
  for (let i = 0; i < items.length; i += columns) rows.push(items.slice(i, i + columns));
  return rows;
}

/** Images as cells, with what is written under them. */
export function captioned(images: Images, captions?: string[]): Cell[] {
  return rastersOf(images).map((image, i) => ({ image, caption: captions?.[i] }));
}
