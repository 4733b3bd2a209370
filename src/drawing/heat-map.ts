/** A matrix of scores as colours with their numbers, such as the SAP scores of every dimension for every factor. */
import { UntangleError } from '../errors.ts';
import { domainOf } from './axes.ts';
import { checkSize, type Drawing, type DrawnShape } from './drawing.ts';
import { measure } from './font.ts';
import { columnHeads, rowHeads } from './heads.ts';
import { scaleLegend } from './legend.ts';
import { decimals } from './numbers.ts';
import { type Looks, label, page, sizes } from './page.ts';
import { channels, faint, inkOn, scaleColour } from './palette.ts';

export interface HeatMap extends Looks {
  /** Row by row. */
  values: ArrayLike<number>;
  rows: string[];
  columns: string[];
  /** What the numbers are. */
  measure: string;
  /** The values at the ends of the colour scale, finite; those of the matrix unless told. */
  domain?: [number, number];
  /** Decimals of the numbers in the cells. */
  digits?: number;
  /** What the rows and the columns are. */
  rowHeading?: string;
  columnHeading?: string;
}

/** @example heatMap({ values: scores, rows: ['z 0', 'z 1'], columns: ['shape', 'scale'], measure: 'SAP' }) */
export function heatMap(options: HeatMap): Drawing {
  const { values, rows, columns, digits = 2 } = options;
  if (rows.length === 0 || columns.length === 0 || values.length !== rows.length * columns.length) {
    throw new UntangleError(
      `${values.length} values were given for ${rows.length} rows and ${columns.length} columns.`,
      { kind: 'call', hint: 'Give one value a cell, row by row.' },
    );
  }
  const all = Array.from(values);
  const domain = options.domain === undefined ? domainOf(all) : domainOf(options.domain);
  // Large matrices are read by colour alone; numbers would only make them larger.
  const numbered = all.length <= 400;
  const texts = numbered ? all.map((value) => decimals(value, digits)) : [];
  const widest = Math.max(24, ...texts.map((text) => measure(text, sizes.note)));
  const cell = numbered ? { width: Math.ceil(widest) + 10, height: 24 } : { width: 15, height: 15 };
  checkSize(columns.length * cell.width, rows.length * cell.height);

  const side = rowHeads(
    rows.map((text) => ({ text })),
    options.rowHeading,
  );
  const head = columnHeads(columns, cell.width, 0, options.columnHeading);
  const top = Math.max(head.height, side.headingHeight);
  const lefts = columns.map((_, c) => side.width + c * cell.width);
  const step = rows.reduce((high, _, r) => Math.max(high, side.height(r)), cell.height);
  const shapes: DrawnShape[] = [...head.shapes(lefts, top), ...side.headings(top)];
  rows.forEach((_, r) => {
    shapes.push(...side.row(r, top + (r + 0.5) * step));
  });
  if (numbered) {
    all.forEach((value, i) => {
      const x = lefts[i % columns.length];
      const y = top + Math.floor(i / columns.length) * step;
      const fill = scaleColour(value, domain) ?? faint;
      const style = { anchor: 'middle', size: sizes.note, fill: inkOn(fill) } as const;
      shapes.push({ kind: 'rectangle', x, y, width: cell.width - 1, height: step - 1, fill });
      shapes.push(label(texts[i], x + cell.width / 2, y + step / 2 + sizes.note * 0.36, style));
    });
  } else {
    const [width, height] = [columns.length * cell.width, rows.length * step];
    const raster = { width: columns.length, height: rows.length, data: pixelsOf(all, domain) };
    shapes.push({ kind: 'picture', x: lefts[0], y: top, width, height, raster });
  }
  const right = lefts[lefts.length - 1] + cell.width;
  const height = rows.length * step;
  const barHeight = Math.min(240, Math.max(90, height));
  const legend = scaleLegend(
    options.measure,
    domain,
    Math.max(right, head.right(lefts) - 30) + 16,
    Math.max(0, top - sizes.note * 1.9),
    barHeight + sizes.note * 1.9,
  );
  const content = {
    width: Math.max(right + 16 + legend.width, head.right(lefts)),
    height: top + Math.max(height, barHeight),
    shapes: [...shapes, ...legend.shapes],
  };
  return page(content, options, `${options.measure}, as a heat map`);
}

/** A pixel for each value. */
function pixelsOf(values: number[], domain: [number, number]): Uint8Array {
  const data = new Uint8Array(values.length * 4);
  values.forEach((value, i) => {
    data.set([...channels(scaleColour(value, domain) ?? faint), 255], i * 4);
  });
  return data;
}
