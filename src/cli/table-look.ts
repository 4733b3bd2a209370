/** The look at a table as a person reads it: as lines of a terminal, and as a page with small histograms. */
import type { ColumnLook } from '../data/index.ts';
import { escaped, htmlBars, htmlPage, htmlParagraph, htmlTable, readable } from '../drawing/index.ts';
import { styled, table } from './terminal.ts';

/** A set of rows with the look at their columns. */
export interface Looked {
  name: string;
  items: number;
  columns: readonly ColumnLook[];
}

const head = ['column', 'kind', 'missing', 'distinct', 'least', 'median', 'largest', 'distribution', 'for the model'];

export function lookText({ name, items, columns }: Looked): string {
  const rows = columns.map((one) => [...factsOf(one), distributionText(one), one.use]);
  return `${styled('bold', name)}: ${items} rows, ${columns.length} columns\n\n${table([head, ...rows])}`;
}

export function lookPage(title: string, sets: readonly Looked[], notes: readonly string[]): string {
  const tables = sets.map(({ name, items, columns }) =>
    [
      `<h2>${escaped(`${name}: ${items} rows, ${columns.length} columns`)}</h2>`,
      htmlTable(
        head,
        columns.map((one) => [...factsOf(one), one.bins ? { html: htmlBars(one.bins) } : categoriesText(one), one.use]),
      ),
    ].join('\n'),
  );
  return htmlPage(
    title,
    [`<h1>${escaped(title)}</h1>`, ...notes.map((note) => htmlParagraph(note)), ...tables].join('\n'),
  );
}

function factsOf({ name, kind, missing, distinct, range }: ColumnLook): string[] {
  const numbers = range ? [range.min, range.median, range.max].map(readable) : ['', '', ''];
  return [name, kind, missing === 0 ? '' : `${missing}`, `${distinct}`, ...numbers];
}

function distributionText(look: ColumnLook): string {
  return look.bins ? sparkline(look.bins) : categoriesText(look);
}

/** Bars of a line's height. @example sparkline([1, 4, 2]) // '▂█▄' */
function sparkline(counts: readonly number[]): string {
  const largest = Math.max(...counts);
  return counts.map((count) => (count === 0 ? ' ' : '▁▂▃▄▅▆▇█'[Math.ceil((count / largest) * 8) - 1])).join('');
}

function categoriesText({ categories = [], distinct }: ColumnLook): string {
  const shown = categories.slice(0, 3).map(({ name, count }) => `${name.slice(0, 24)} ${count}`);
  return [...shown, ...(distinct > 3 ? [`${distinct - 3} more`] : [])].join(', ');
}
