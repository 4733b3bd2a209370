/**
 * Images of one kind or another side by side: a contact sheet of a dataset's items, originals above their reconstructions,
 * samples, and codes of several items mixed.
 */
import { UntangleError } from '../errors.ts';
import type { Drawing } from './drawing.ts';
import { type Cell, captioned, columnsFor, type GridLooks, grid, inRows } from './grid.ts';
import type { RowLabel } from './heads.ts';
import { type Images, imageCount } from './image.ts';

export interface ContactSheet extends GridLooks {
  items: Images;
  /** A label for each item, shown under it. */
  captions?: string[];
  /** The items that the target is set against. */
  background?: { items: Images; captions?: string[] };
  columns?: number;
}

/**
 * What a dataset's items look like, with their labels; the target over its background where there are both.
 *
 * @example contactSheet({ items: { values: data.gather([0, 1, 2]), shape: data.shape, range: data.range } })
 */
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

export interface ReconstructionTable extends GridLooks {
  /** One or more sets, such as the background and the target; a name is put before its rows. */
  sets: { name?: string; originals: Images; reconstructions: Images; captions?: string[] }[];
  columns?: number;
}

/**
 * Each original above what a model makes of it (contrastive paper, Fig. 7, for target and background).
 *
 * @example reconstructionTable({ sets: [{ originals, reconstructions }] })
 */
export function reconstructionTable(options: ReconstructionTable): Drawing {
  const largest = Math.max(0, ...options.sets.map((set) => imageCount(set.originals)));
  const columns = options.columns ?? Math.min(largest <= 12 ? largest : columnsFor(largest), 12);
  const rows: Cell[][] = [];
  const rowLabels: RowLabel[] = [];
  const rowBreaks: number[] = [];
  for (const { name, originals, reconstructions, captions } of options.sets) {
    if (imageCount(originals) !== imageCount(reconstructions)) {
      throw new UntangleError(
        `${imageCount(originals)} originals and ${imageCount(reconstructions)} reconstructions were given.`,
        {
          kind: 'call',
          hint: 'Each original needs its reconstruction, in the same order.',
        },
      );
    }
    const above = inRows(captioned(originals), columns);
    const below = inRows(captioned(reconstructions, captions), columns);
    above.forEach((row, i) => {
      rowBreaks.push(rows.length);
      rows.push(row, below[i]);
      rowLabels.push({ text: name === undefined ? 'original' : name }, { text: 'reconstruction' });
    });
  }
  return grid({ ...options, rows, rowLabels, rowBreaks });
}

export interface SamplesTable extends GridLooks {
  images: Images;
  /** The names of the rows, where each row is a class; the images then come row by row. */
  rows?: string[];
  columns?: number;
}

/**
 * Samples from a prior, or from each class in turn (N-VAE, Fig. 11): one row a class.
 *
 * @example samplesTable({ images, rows: ['zero', 'one'] })
 */
export function samplesTable(options: SamplesTable): Drawing {
  const total = imageCount(options.images);
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

export interface TransferTable extends GridLooks {
  /** The items at the left, and what is kept of them, such as “shared”. */
  keep: { items: Images; block: string };
  /** The items above, and what is taken from them; without items, the columns share a random code. */
  take: { items?: Images; block: string };
  /** The results, row by row. */
  images: Images;
}

/**
 * Attribute transfer as a matrix (Rb-VAE, Fig. 4; PartedVAE, Fig. 5): cell (i, j) keeps what it shares with item i at the
 * left and takes the moved block from item j above. Without items above, the columns are codes drawn at random: conditional
 * synthesis (Rb-VAE, Fig. 3).
 *
 * @example transferTable({ keep: { items: faces, block: 'shared' }, take: { items: smiles, block: 'salient' }, images })
 */
export function transferTable(options: TransferTable): Drawing {
  const { keep, take, images } = options;
  const rows = imageCount(keep.items);
  const total = imageCount(images);
  const columns = take.items === undefined ? total / rows : imageCount(take.items);
  if (rows === 0 || columns === 0 || total !== rows * columns || !Number.isInteger(columns)) {
    throw new UntangleError(
      `${total} results were given for ${rows} items at the left${take.items ? ` and ${columns} above` : ''}.`,
      { kind: 'call', hint: 'Give a result for each pair, row by row.' },
    );
  }
  const left = captioned(keep.items);
  const body = inRows(captioned(images), columns).map((row, r) => [left[r], ...row]);
  const head = take.items && [undefined, ...captioned(take.items)];
  const source = take.items === undefined ? `${take.block}, drawn at random` : `${take.block} from`;
  return grid({
    ...options,
    rows: head ? [head, ...body] : body,
    columnHeading: `${source} →`,
    rowLabels: (head ? [head, ...body] : body).map((_, r) => ({
      text: r === (head ? 1 : 0) ? `${keep.block} from` : '',
    })),
    rowBreaks: head && [1],
    columnBreaks: [1],
  });
}

export interface SwapTable extends GridLooks {
  items: Images;
  /** The decoded columns, such as `{ label: '[z, 0]', images }`. */
  parts: { label: string; images: Images }[];
}

/**
 * Each item, decoded whole and with one block silenced (contrastive paper, Fig. 5: x, [z, s], [z, 0], [0, s]). What only the
 * target has should vanish from [z, 0] and stand alone in [0, s]. Items are in rows, with panels side by side once there are
 * more than `panelHeight`.
 */
export function swapTable(options: SwapTable): Drawing {
  const { items, parts } = options;
  const total = imageCount(items);
  for (const { label, images } of parts) {
    if (imageCount(images) !== total) {
      throw new UntangleError(`${imageCount(images)} images of ${label} were given for ${total} items.`, {
        kind: 'call',
      });
    }
  }
  const columns = [captioned(items), ...parts.map(({ images }) => captioned(images))];
  const names = ['x', ...parts.map(({ label }) => label)];
  const panels = Math.ceil(total / panelHeight);
  const height = Math.ceil(total / panels);
  const rows: (Cell | undefined)[][] = Array.from({ length: height }, (_, r) =>
    Array.from({ length: panels }, (_, p) => columns.map((column) => column[p * height + r])).flat(),
  );
  const breaks = Array.from({ length: panels }, (_, p) => [
    p * names.length,
    p * names.length,
    p * names.length + 1,
  ]).flat();
  return grid({
    ...options,
    rows,
    columnLabels: Array.from({ length: panels }, () => names).flat(),
    columnBreaks: breaks,
  });
}

const panelHeight = 8;
