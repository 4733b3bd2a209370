/** The labels at the edges of a grid or a matrix, laid out so that none is cut off. */
import type { DrawnShape } from './drawing.ts';
import { measure, wrap } from './font.ts';
import { ascent, label, labels, linesHeight, sizes } from './page.ts';
import { muted } from './palette.ts';

/** A label beside a row, and a figure that belongs to it, set in a column of its own. */
export interface RowLabel {
  text: string;
  note?: string;
}

export interface RowHeads {
  /** With the space between the labels and the grid. */
  width: number;
  /** The height of a row's label. */
  height(row: number): number;
  headingHeight: number;
  /** The headings, standing on `bottom`. */
  headings(bottom: number): DrawnShape[];
  /** The label of a row, about its middle. */
  row(row: number, middle: number): DrawnShape[];
}

/** The labels left of the rows: texts, then their notes in a column of their own. */
export function rowHeads(rows: RowLabel[], heading = '', noteHeading = ''): RowHeads {
  const lines = rows.map(({ text }) => wrap(text, 220, sizes.label));
  const notes = rows.map(({ note = '' }) => note);
  const widest = (texts: string[], size: number) => Math.max(0, ...texts.map((text) => measure(text, size)));
  const textWidth = Math.max(widest(lines.flat(), sizes.label), widest([heading], sizes.note));
  const noteWidth = Math.max(widest(notes, sizes.label), widest([noteHeading], sizes.note));
  const inner = Math.ceil(textWidth + (textWidth > 0 && noteWidth > 0 ? 12 : 0) + noteWidth);
  // Beside notes the texts are flush left, as in a table; alone they stand at their images.
  const x = noteWidth > 0 ? 0 : inner;
  const anchor = noteWidth > 0 ? ('start' as const) : ('end' as const);
  const small = { size: sizes.note, fill: muted };
  const baseline = (bottom: number) => bottom - space - linesHeight(1, sizes.note) + sizes.note * ascent;
  return {
    width: inner > 0 ? inner + 10 : 0,
    height: (row) => linesHeight(lines[row]?.length ?? 0, sizes.label),
    headingHeight: heading + noteHeading === '' ? 0 : linesHeight(1, sizes.note) + space,
    headings: (bottom) => [
      ...(heading === '' ? [] : [label(heading, x, baseline(bottom), { ...small, anchor })]),
      ...(noteHeading === '' ? [] : [label(noteHeading, inner, baseline(bottom), { ...small, anchor: 'end' })]),
    ],
    row: (row, middle) => {
      const texts = lines[row] ?? [];
      const note = notes[row] ?? '';
      return [
        ...labels(texts, x, middle - linesHeight(texts.length, sizes.label) / 2, { anchor }),
        ...(note === '' ? [] : [label(note, inner, middle + sizes.label * 0.36, { anchor: 'end', fill: muted })]),
      ];
    },
  };
}

/** Between the labels above and the grid. */
const space = 6;

export interface ColumnHeads {
  height: number;
  /** The labels, standing on `bottom`, with the left ends of the columns; the heading over all of them. */
  shapes(lefts: number[], bottom: number): DrawnShape[];
  /** How far right slanting labels reach. */
  right(lefts: number[]): number;
}

/** The labels above columns of a width: level where they fit, in lines where their words do, otherwise slanting. */
export function columnHeads(texts: string[], width: number, gap: number, heading = ''): ColumnHeads {
  const size = sizes.note;
  const room = width + gap - 3;
  const wrapped = texts.map((text) => wrap(text, room, size));
  const wordsFit = texts.every((text) => text.split(/\s+/).every((word) => measure(word, size) <= room));
  const level = wordsFit && wrapped.every((lines) => lines.length <= 3);
  const longest = Math.max(0, ...texts.map((text) => measure(text, size)));
  const mostLines = Math.max(0, ...wrapped.map((lines) => lines.length));
  const height = level ? linesHeight(mostLines, size) : Math.ceil((longest + size) * Math.SQRT1_2);
  const headingHeight = heading === '' ? 0 : linesHeight(1, size) + 5;
  return {
    height: headingHeight + (longest === 0 ? 0 : height + space),
    right: (lefts) => {
      if (level) return 0;
      return Math.max(...texts.map((text, c) => lefts[c] + width / 2 + (measure(text, size) + size) * Math.SQRT1_2));
    },
    shapes: (lefts, bottom) => {
      const middle = (lefts[0] + lefts[lefts.length - 1] + width) / 2;
      const top = bottom - headingHeight - (longest === 0 ? 0 : height + space);
      const above = labels(heading === '' ? [] : [heading], middle, top, { anchor: 'middle', size, fill: muted });
      const below = texts.slice(0, lefts.length).flatMap((text, c) => {
        const x = lefts[c] + width / 2;
        if (!level) return [label(text, x + size * 0.25, bottom - space, { size, turn: -45 })];
        const first = bottom - space - linesHeight(wrapped[c].length, size);
        return labels(wrapped[c], x, first, { anchor: 'middle', size });
      });
      return [...above, ...below];
    },
  };
}
