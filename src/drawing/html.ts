/** Pieces of a page that stands alone: no script, no network, pictures inside as SVG that follows light and dark. */
import type { Drawing } from './drawing.ts';
import { categories, faint, ink, muted, white } from './palette.ts';
import { base64, escaped, toSvg } from './svg.ts';

/** A whole page. `body` is HTML already. */
export function htmlPage(title: string, body: string, style = usualStyle): string {
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark"><title>${escaped(title)}</title><style>${style}</style></head>
<body><main>
${body}
</main></body></html>
`;
}

/** A drawing in the page, in its own size or as wide as there is room. */
export function htmlFigure(drawing: Drawing): string {
  const data = base64(new TextEncoder().encode(themed(toSvg(drawing))));
  return `<figure><img src="data:image/svg+xml;base64,${data}" width="${drawing.width}" height="${drawing.height}" alt="${escaped(drawing.title)}"></figure>`;
}

/** Bars of counts in a line of text. */
export function htmlBars(counts: readonly number[]): string {
  const [width, height] = [8, 28];
  const largest = Math.max(1, ...counts);
  const bars = counts.map((count, k) => {
    const tall = (count / largest) * height;
    return `<rect x="${k * width}" y="${(height - tall).toFixed(1)}" width="${width - 1}" height="${tall.toFixed(1)}"/>`;
  });
  const size = `width="${counts.length * width}" height="${height}"`;
  return `<svg ${size} fill="var(--mark)" role="img" aria-label="${escaped(counts.join(', '))}">${bars.join('')}</svg>`;
}

/** A cell: text, or HTML that is made already. */
export type HtmlCell = string | { html: string };

/** Rows of cells under a head; numbers are set to the right. */
export function htmlTable(head: readonly string[], rows: readonly (readonly HtmlCell[])[]): string {
  const numeric = head.map((_, column) => rows.every((row) => isNumeric(row[column] ?? '')));
  const kind = (column: number) => (numeric[column] ? ' class="number"' : '');
  const inside = (cell: HtmlCell) => (typeof cell === 'string' ? escaped(cell) : cell.html);
  const cells = (row: readonly HtmlCell[]) =>
    row.map((cell, c) => (c === 0 ? `<th scope="row">${inside(cell)}</th>` : `<td${kind(c)}>${inside(cell)}</td>`));
  return `<div class="scroll"><table><thead><tr>${head
    .map((name, c) => `<th scope="col"${kind(c)}>${escaped(name)}</th>`)
    .join(
      '',
    )}</tr></thead><tbody>${rows.map((row) => `<tr>${cells(row).join('')}</tr>`).join('')}</tbody></table></div>`;
}

const isNumeric = (cell: HtmlCell) => typeof cell === 'string' && /^[−-]?[\d.]+( %)?$|^–?$/.test(cell);

export function htmlParagraph(text: string, kind = ''): string {
  return `<p${kind === '' ? '' : ` class="${kind}"`}>${escaped(text)}</p>`;
}

/** The drawing's neutral colours in the dark; those of categories where they would be too dim. */
const inTheDark: Record<string, string> = {
  [white]: '#1b1d20',
  [ink]: '#e7e6e3',
  [muted]: '#a3a29d',
  [faint]: '#3a3d42',
  [categories[0]]: '#3f9fdf',
  [categories[6]]: '#f2f1ee',
};

/** An SVG whose colours turn with the reader's. */
function themed(svg: string): string {
  const rules = Object.entries(inTheDark).map(
    ([light, dark]) => `[fill="${light}"]{fill:${dark}}[stroke="${light}"]{stroke:${dark}}`,
  );
  return svg.replace('<title>', `<style>@media (prefers-color-scheme:dark){${rules.join('')}}</style><title>`);
}

const usualStyle = `
:root{--page:#fff;--ink:#222;--muted:#606060;--line:#dcdcdc;--soft:#f5f5f3;--mark:#0072b2;--yes:#00724f;--no:#8a4b00}
@media (prefers-color-scheme:dark){:root{--page:#1b1d20;--ink:#e7e6e3;--muted:#a3a29d;--line:#3a3d42;--soft:#25282c;--mark:#56b4e9;--yes:#4fc79c;--no:#e6a85c}}
*{box-sizing:border-box}
body{margin:0;background:var(--page);color:var(--ink);font:16px/1.55 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif}
main{max-width:60rem;margin:0 auto;padding:2.5rem 1.25rem 4rem}
h1{font-size:1.7rem;line-height:1.2;margin:0 0 .4rem;text-wrap:balance}
h2{font-size:1.15rem;margin:2.8rem 0 .5rem;padding-top:1rem;border-top:1px solid var(--line)}
p{margin:.5rem 0;max-width:44rem}
.about{color:var(--muted);font-size:.92rem}
.answer{margin:1.4rem 0;padding:1rem 1.2rem;background:var(--soft);border-left:4px solid var(--mark);border-radius:0 6px 6px 0}
.answer.difference{border-color:var(--yes)}.answer.swapped,.answer.nothing{border-color:var(--no)}
.answer p{margin:.35rem 0}.answer p:first-child{font-size:1.12rem;font-weight:600;margin-top:0}
figure{margin:.6rem 0 .6rem -1rem;overflow-x:auto}
figure img{display:block;max-width:max(100%,27rem);height:auto}
.pair{display:flex;flex-wrap:wrap;gap:0 1rem}.pair figure{max-width:calc(100% + 1rem)}.pair figure img{max-width:100%}
.scroll{overflow-x:auto;margin:.8rem 0}
table{border-collapse:collapse;font-size:.92rem;font-variant-numeric:tabular-nums}
th,td{padding:.3rem .9rem .3rem 0;text-align:left;border-bottom:1px solid var(--line);white-space:nowrap}
thead th{color:var(--muted);font-weight:500}tbody th{font-weight:500}
.number{text-align:right}td:last-child{white-space:normal;min-width:9rem}
.muted{color:var(--muted)}
details{margin:.8rem 0}summary{cursor:pointer;color:var(--mark)}
ul{padding-left:1.2rem;max-width:44rem}
code{font-family:ui-monospace,Menlo,Consolas,monospace;font-size:.9em}
footer{margin-top:3rem;color:var(--muted);font-size:.85rem}
@media (max-width:30rem){main{padding-top:1.5rem}h1{font-size:1.4rem}}
@media print{main{max-width:none}figure,table{break-inside:avoid}}
`.replaceAll('\n', '');
