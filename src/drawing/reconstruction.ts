/** Reconstructions: each original above what the model makes of it (contrastive paper, Fig. 7, for target and background). */

import { UntangleError } from '../errors.ts';
import { captioned, columnsFor, inRows } from './contact-sheet.ts';
import type { Drawing } from './drawing.ts';
import { type Cell, type GridLooks, grid } from './grid.ts';
import type { RowLabel } from './heads.ts';
import { count, type Images } from './image.ts';

export interface Reconstruction extends GridLooks {
  /** One or more sets, such as the background and the target; a name is put before its rows. */
  sets: { name?: string; originals: Images; reconstructions: Images; captions?: string[] }[];
  columns?: number;
}

/** @example reconstruction({ sets: [{ originals, reconstructions }] }) */
export function reconstruction(options: Reconstruction): Drawing {
  const largest = Math.max(0, ...options.sets.map((set) => count(set.originals)));
  const columns = options.columns ?? Math.min(largest <= 12 ? largest : columnsFor(largest), 12);
  const rows: Cell[][] = [];
  const rowLabels: RowLabel[] = [];
  const rowBreaks: number[] = [];
  for (const { name, originals, reconstructions, captions } of options.sets) {
    if (count(originals) !== count(reconstructions)) {
      throw new UntangleError(
        `${count(originals)} originals and ${count(reconstructions)} reconstructions were given.`,
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
