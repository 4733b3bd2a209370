/** The report on contrastive PCA as a page for people. */
import { escaped, readable } from '../drawing/index.ts';
import { figure, page, paragraph, table } from './html.ts';
import type { LinearFigures, LinearReport } from './linear.ts';

export function linearPage({ data, models }: LinearReport, figures: readonly LinearFigures[]): string {
  const { target, background } = data;
  const title = `Contrastive PCA of ${target.name}`;
  const list = (values: number[]) => values.map(readable).join(', ');
  const known = models.some(({ labels }) => labels !== undefined);
  const rows = models.map(({ alpha, target: ours, background: theirs, labels }) => [
    readable(alpha),
    list(ours),
    list(theirs),
    ...(known ? [labels?.toFixed(2) ?? ''] : []),
  ]);
  const body = [
    `<h1>${escaped(title)}</h1>`,
    paragraph(
      `Target: ${target.items} items. Background ${background.name}: ${background.items} items. Two directions for each α: those in which the target varies most beyond α times the background’s variance. α = 0 is plain PCA of the target.`,
      'about',
    ),
    table(
      ['α', 'variance in the target', 'variance in the background', ...(known ? ['silhouette of the labels'] : [])],
      rows,
    ),
    `<section><h2>The target’s items</h2><div class="pair">${figures.map(({ scatter }) => figure(scatter)).join('')}</div></section>`,
    ...(figures.some(({ chart }) => chart)
      ? [
          `<section><h2>The columns that make the directions</h2><div class="pair">${figures.flatMap(({ chart }) => (chart ? [figure(chart)] : [])).join('')}</div></section>`,
        ]
      : []),
    '<footer>Made by <code>untangle cpca</code>. The numbers are in <code>cpca.json</code>, every item in <code>cpca.csv</code>.</footer>',
  ];
  return page(title, body.join('\n'));
}
