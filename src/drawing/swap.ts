/**
 * Swaps: each item, decoded whole and with one block silenced (contrastive paper, Fig. 5: x, [z, s], [z, 0], [0, s]). What
 * only the target has should vanish from [z, 0] and stand alone in [0, s].
 */
import { UntangleError } from '../errors.ts';
import { captioned } from './contact-sheet.ts';
import type { Drawing } from './drawing.ts';
import { type Cell, type GridLooks, grid } from './grid.ts';
import { count, type Images } from './image.ts';

export interface Swap extends GridLooks {
  items: Images;
  /** The decoded columns, such as `{ label: '[z, 0]', images }`. */
  parts: { label: string; images: Images }[];
}

/** Items in rows, with panels side by side once there are more than `panelHeight`. */
export function swap(options: Swap): Drawing {
  const { items, parts } = options;
  const total = count(items);
  for (const { label, images } of parts) {
    if (count(images) !== total) {
      throw new UntangleError(`${count(images)} images of ${label} were given for ${total} items.`, { kind: 'call' });
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
