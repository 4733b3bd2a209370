/** Images in rows and columns with labels: what all pictures made of images stand on. */
import { UntangleError } from '../errors.ts';
import { checkSize, type Drawing, type DrawnShape, frame } from './drawing.ts';
import { measure, wrap } from './font.ts';
import { columnHeads, type RowLabel, rowHeads } from './heads.ts';
import { type Images, type Raster, rastersOf } from './image.ts';
import { type Looks, labels, linesHeight, page, sizes } from './page.ts';
import { accent, faint } from './palette.ts';

/** How a picture made of images may be made to look. */
export interface GridLooks extends Looks {
  /** The longer side of a cell in CSS pixels; small images are shown at the largest whole multiple that fits. */
  cellSize?: number;
  /** Between cells, in CSS pixels. */
  gap?: number;
  /** Blends enlarged pixels, for photographs. */
  smooth?: boolean;
}

export interface Cell {
  image: Raster;
  /** A line or two under the image. */
  caption?: string;
}

export interface Grid extends GridLooks {
  /** The cells by row; `undefined` leaves a place empty. */
  rows: (Cell | undefined)[][];
  rowLabels?: RowLabel[];
  columnLabels?: string[];
  /** Headings over the row labels and over their notes. */
  rowHeading?: string;
  noteHeading?: string;
  /** What the columns are, above their labels. */
  columnHeading?: string;
  /** Rows and columns that begin a new group, with more space before them; twice the space if named twice. */
  rowBreaks?: number[];
  columnBreaks?: number[];
  /** [row, column] of cells that get a frame. */
  highlight?: [number, number][];
}

/**
 * A grid of images.
 *
 * @example rasterise(grid({ rows: [[{ image }, { image }]], columnLabels: ['before', 'after'] }))
 */
export function grid(options: Grid): Drawing {
  return page(gridContent(options), options, 'A grid of images');
}

/** A grid before it has its page, for pictures that add to it. `lefts` are the left ends of its columns. */
export interface GridContent {
  width: number;
  height: number;
  shapes: DrawnShape[];
  lefts: number[];
  columnWidth: number;
}

/** The grid without its page. */
export function gridContent(options: Grid): GridContent {
  const { rows, gap = 4 } = options;
  const cells = rows.flat().filter((cell) => cell !== undefined);
  if (cells.length === 0) throw new UntangleError('There is no image to show.', { kind: 'call' });
  if (cells.length > 20_000) {
    throw new UntangleError(`${cells.length} images are too many for one picture; the limit is 20,000.`, {
      kind: 'call',
    });
  }
  if (!((options.cellSize ?? 1) >= 1 && gap >= 0)) {
    throw new UntangleError(`Cells of ${options.cellSize ?? 'the usual'} pixels, ${gap} apart, can’t be drawn.`, {
      kind: 'call',
      hint: 'A cell has at least one pixel, and the gap is not negative.',
    });
  }
  const columns = Math.max(...rows.map((row) => row.length));
  const cell = cellExtent(cells, options.cellSize);
  checkSize(columns * (cell.width + gap), rows.length * (cell.height + gap));

  const slot = slotWidth(cells, cell.width);
  const side = rowHeads(options.rowLabels ?? [], options.rowHeading, options.noteHeading);
  const head = columnHeads(options.columnLabels ?? [], slot, gap, options.columnHeading);
  const captions = rows.map((row) => row.map((item) => wrap(item?.caption ?? '', slot, sizes.note)));
  const heights = captions.map((row, r) => {
    const lines = Math.max(0, ...row.map((texts) => texts.length));
    const under = lines === 0 ? 0 : linesHeight(lines, sizes.note) + captionSpace;
    return Math.max(cell.height + under, side.height(r));
  });
  const top = Math.max(head.height, side.headingHeight);
  const lefts = starts(columns, () => slot, gap, options.columnBreaks).map((left) => side.width + left);
  const tops = starts(rows.length, (row) => heights[row], gap, options.rowBreaks).map((start) => top + start);

  const outlined = cells.some(({ image }) => hasLightEdge(image));
  const shapes: DrawnShape[] = [...head.shapes(lefts, top), ...side.headings(top)];
  rows.forEach((row, r) => {
    shapes.push(...side.row(r, tops[r] + cell.height / 2));
    row.forEach((item, c) => {
      if (item === undefined) return;
      const width = Math.round(item.image.width * cell.factor);
      const height = Math.round(item.image.height * cell.factor);
      const x = lefts[c] + Math.floor((slot - width) / 2);
      const y = tops[r] + Math.floor((cell.height - height) / 2);
      if (outlined)
        shapes.push({ kind: 'rectangle', x: x - 0.5, y: y - 0.5, width: width + 1, height: height + 1, fill: faint });
      shapes.push({ kind: 'picture', x, y, width, height, raster: item.image, smooth: options.smooth });
      if (options.highlight?.some(([hr, hc]) => hr === r && hc === c))
        shapes.push(...frame(x - 2, y - 2, width + 4, height + 4, accent, 2));
      const under = { anchor: 'middle', size: sizes.note } as const;
      shapes.push(...labels(captions[r][c], lefts[c] + slot / 2, tops[r] + cell.height + captionSpace, under));
    });
  });
  const width = Math.max(lefts[columns - 1] + slot, head.right(lefts));
  return { width, height: tops[rows.length - 1] + heights[rows.length - 1], shapes, lefts, columnWidth: slot };
}

/** Between an image and its caption. */
const captionSpace = 3;

/**
 * The size of a cell and the factor from image to page: a whole one for small images, one over a whole one for large, so
 * that pixels stay equal and sharp.
 */
function cellExtent(cells: Cell[], wanted?: number): { width: number; height: number; factor: number } {
  const width = Math.max(...cells.map(({ image }) => image.width));
  const height = Math.max(...cells.map(({ image }) => image.height));
  const longer = Math.max(width, height);
  const size = wanted ?? 64;
  const factor = longer <= size ? Math.floor(size / longer) : 1 / Math.ceil(longer / size);
  const usual = wanted === undefined && longer > size && longer <= 128 ? 1 : factor;
  return { width: Math.round(width * usual), height: Math.round(height * usual), factor: usual };
}

/** Cells stand further apart where a caption has a word that is wider than its image. */
function slotWidth(cells: Cell[], width: number): number {
  const words = cells.flatMap(({ caption = '' }) => caption.split(/\s+/));
  const widest = Math.max(0, ...words.map((word) => measure(word, sizes.note)));
  return Math.max(width, Math.min(Math.ceil(widest), 2 * width));
}

/** Where each of `count` things begins, with a gap between them and a wider one before a new group. */
function starts(count: number, size: (index: number) => number, gap: number, breaks: number[] = []): number[] {
  let at = 0;
  return Array.from({ length: count }, (_, i) => {
    if (i > 0) at += size(i - 1) + gap + 3 * gap * breaks.filter((start) => start === i).length;
    return at;
  });
}

/** Whether an image would run into the white page. */
function hasLightEdge({ width, height, data }: Raster): boolean {
  let light = 0;
  let seen = 0;
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x += y === 0 || y === height - 1 ? 1 : Math.max(1, width - 1)) {
      const i = (y * width + x) * 4;
      if (data[i] + data[i + 1] + data[i + 2] > 3 * 225) light++;
      seen++;
    }
  }
  return light > seen / 4;
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
