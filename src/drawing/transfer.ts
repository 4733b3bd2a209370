/**
 * Attribute transfer as a matrix (Rb-VAE, Fig. 4; PartedVAE, Fig. 5): cell (i, j) keeps what it shares with item i at the
 * left and takes the moved block from item j above. Without items above, the columns are codes drawn at random: conditional
 * synthesis (Rb-VAE, Fig. 3).
 */
import { UntangleError } from '../errors.ts';
import { captioned, inRows } from './contact-sheet.ts';
import type { Drawing } from './drawing.ts';
import { type GridLooks, grid } from './grid.ts';
import { count, type Images } from './image.ts';

export interface Transfer extends GridLooks {
  /** The items at the left, and what is kept of them, such as “shared”. */
  keep: { items: Images; block: string };
  /** The items above, and what is taken from them; without items, the columns share a random code. */
  take: { items?: Images; block: string };
  /** The results, row by row. */
  images: Images;
}

/** @example transfer({ keep: { items: faces, block: 'shared' }, take: { items: smiles, block: 'salient' }, images }) */
export function transfer(options: Transfer): Drawing {
  const { keep, take, images } = options;
  const rows = count(keep.items);
  const total = count(images);
  const columns = take.items === undefined ? total / rows : count(take.items);
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
