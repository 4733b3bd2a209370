/** What every picture has around its content: a title above, a caption below, a margin; and the sizes of type. */
import { type Drawing, type DrawnShape, drawing, extent, moved, type Text } from './drawing.ts';
import { measure, type Weight, wrap } from './font.ts';
import { ink, muted } from './palette.ts';

/** What may be said about any picture. */
export interface Looks {
  title?: string;
  caption?: string;
}

/** Sizes of type, in CSS pixels. */
export const sizes = { title: 14, label: 11.5, note: 10.5 } as const;
/** From one baseline to the next, in sizes of type. */
const leading = 1.35;
/** From the top of a line to its baseline, in sizes of type. */
export const ascent = 0.95;
const margin = 16;

/** A line of text. */
export function label(
  text: string,
  x: number,
  y: number,
  options: {
    anchor?: Text['anchor'];
    size?: number;
    weight?: Weight;
    fill?: string;
    turn?: number;
    halo?: string;
  } = {},
): Text {
  const { anchor = 'start', size = sizes.label, weight = 'regular', fill = ink, turn, halo } = options;
  return { kind: 'text', x, y, text, size, weight, fill, anchor, turn, halo };
}

/** Lines of text, one below the other; `y` is the top of the first. */
export function labels(lines: string[], x: number, y: number, options: Parameters<typeof label>[3] = {}): Text[] {
  const size = options.size ?? sizes.label;
  return lines.map((line, i) => label(line, x, y + size * (ascent + i * leading), options));
}

/** The height of so many lines of text, in whole pixels, so that images below them stand on whole pixels too. */
export function linesHeight(lines: number, size: number): number {
  return lines === 0 ? 0 : Math.ceil(size * (1.2 + (lines - 1) * leading));
}

/**
 * The content with its title and caption, on a page that fits them and every label; `name` stands in for a missing title.
 */
export function page(
  content: { width: number; height: number; shapes: DrawnShape[] },
  looks: Looks,
  name: string,
): Drawing {
  const { title = '', caption = '' } = looks;
  const texts = content.shapes.filter((shape) => shape.kind === 'text').map(extent);
  const left = -Math.min(0, ...texts.map((text) => text.left));
  const contentWidth = Math.ceil(left) + Math.max(content.width, ...texts.map((text) => text.right));
  // A narrow picture gets a page wide enough for its words not to stand in a column of their own.
  const wordWidth = Math.max(measure(title, sizes.title, 'bold'), Math.min(measure(caption, sizes.note), 300));
  const width = Math.max(contentWidth, Math.min(wordWidth + 1, 440));
  const titleLines = wrap(title, width, sizes.title, 'bold');
  const captionLines = wrap(caption, width, sizes.note);
  const top = margin + (titleLines.length > 0 ? linesHeight(titleLines.length, sizes.title) + 10 : 0);
  const bottom = top + content.height;
  const captionTop = bottom + 10;
  const end = captionLines.length > 0 ? captionTop + linesHeight(captionLines.length, sizes.note) : bottom;
  return drawing(width + 2 * margin, end + margin, title || name, [
    ...labels(titleLines, margin, margin, { size: sizes.title, weight: 'bold' }),
    ...content.shapes.map((shape) => moved(shape, margin + Math.ceil(left), top)),
    ...labels(captionLines, margin, captionTop, { size: sizes.note, fill: muted }),
  ]);
}
