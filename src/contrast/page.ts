/** The contrast report as a page for people, in the order in which they ask. */
import { escaped, readable } from '../drawing/index.ts';
import { figure, page, paragraph, table } from './html.ts';
import type { ContrastReport, Figure } from './report.ts';
import { activeKl, activeVariance, chance } from './verdict.ts';

export function contrastPage(report: ContrastReport, figures: readonly Figure[]): string {
  const { target, background } = report.data;
  const shown = (part: Figure['part']) =>
    figures.filter((one) => one.part === part).map(({ drawing }) => figure(drawing));
  const parts: [string, string[]][] = [
    ['How many factors does the target add?', factorsPart(report)],
    ['Where do the items lie?', codesPart(report, shown('codes'))],
    ['Are there kinds among the target’s items?', [...clustersPart(report), ...shown('clusters')]],
    ['Which columns does each factor move?', shown('columns').length > 0 ? [columnsAbout, ...shown('columns')] : []],
    ['What does each factor do to a background item?', shown('traversal')],
    ['What is left without it, and what is it alone?', withAbout(swapAbout, shown('swap'))],
    ['Can it be given to background items?', withAbout(transferAbout, shown('transfer'))],
    ['What else could it look like?', withAbout(synthesisAbout, shown('synthesis'))],
    ['Which items are the most salient?', [...saliencePart(report), ...shown('salience')]],
    ['Do the blocks keep to their own?', leakagePart(report)],
  ];
  const body = [
    `<h1>What is different in ${escaped(target.name)}?</h1>`,
    paragraph(
      `${report.title}, step ${report.step}. Target: ${target.items} items. Background ${background.name}: ${background.items} items. Of them ${target.heldOut} and ${background.heldOut} were held out, and all that follows is about those unless it says otherwise.`,
      'about',
    ),
    ...report.notes.map((note) => paragraph(note, 'about')),
    `<div class="answer ${report.verdict.found}">${report.verdict.sentences.map((text) => paragraph(text)).join('')}</div>`,
    ...parts
      .filter(([, content]) => content.length > 0)
      .map(([title, content]) => `<section><h2>${escaped(title)}</h2>${content.join('\n')}</section>`),
    `<footer>Made by <code>untangle contrast ${escaped(report.run)}</code>. The numbers are in <code>contrast.json</code>, every item in <code>salience.csv</code>.</footer>`,
  ];
  return page(`What is different in ${target.name}?`, body.join('\n'));
}

const columnsAbout = paragraph(
  'Real background rows are decoded with a factor at a low and at a high value of the target’s; all else of them is held. Bars are in standard deviations, so that columns can be compared; the numbers beside the names are means in the column’s own units.',
);
const swapAbout = paragraph(
  'Each target item x is decoded whole, without its salient code, and from its salient code alone. What only the target has should vanish from the second and stand alone in the third.',
);
const transferAbout = paragraph(
  'Background items at the left keep their common code and take the salient code of the target items above.',
);
const synthesisAbout = paragraph(
  'Salient codes drawn from the prior, on real background items. Each column has one salient code; dimensions that do not count stay neutral.',
);

const withAbout = (about: string, pictures: string[]) => (pictures.length > 0 ? [about, ...pictures] : []);

function factorsPart({ factors }: ContrastReport): string[] {
  const active = factors.filter((factor) => factor.active).length;
  return [
    paragraph(
      `${active === 0 ? 'None' : active} of ${counted(factors.length, 'salient dimension')} ${active === 1 ? 'counts' : 'count'}: a KL above ${activeKl} nats, and a mean whose variance over the target’s items is above ${activeVariance}.`,
    ),
    table(
      ['dimension', 'KL in nats', 'variance', 'spread in the target', 'in the background', ''],
      factors.map(({ block, index, kl, variance, active: counts, targetSpread, backgroundSpread }) => [
        `${block} ${index}`,
        kl.toFixed(2),
        variance.toFixed(2),
        targetSpread.toFixed(2),
        backgroundSpread.toFixed(2),
        counts ? 'counts' : '',
      ]),
    ),
    paragraph(
      'The spread is the root mean square distance from the neutral code. In the background it should be near zero.',
      'muted',
    ),
  ];
}

function codesPart({ verdict }: ContrastReport, pictures: string[]): string[] {
  return [
    paragraph(
      `Held-out codes in their two leading directions. Salient codes should set the target apart (${chance(verdict.salient.pValue)})${verdict.shared ? `, and common codes should not (${chance(verdict.shared.pValue)})` : ''}.`,
    ),
    `<div class="pair">${pictures.join('')}</div>`,
  ];
}

function clustersPart({ clusters: report, kind }: ContrastReport): string[] {
  const { clusters, silhouette, ofOneCloud, labels } = report;
  const measured =
    silhouette === undefined || ofOneCloud === undefined
      ? ''
      : ` The silhouette of the best division is ${silhouette.toFixed(2)}; divisions of a single cloud reach ${ofOneCloud.toFixed(2)}.`;
  const sentence =
    clusters.length === 1
      ? `No: the salient codes are one cloud.${measured}`
      : `The salient codes fall into ${clusters.length} clusters.${measured}`;
  const head = ['cluster', 'items', ...(labels?.names ?? []), ...(kind === 'table' ? ['nearest to the centre'] : [])];
  const rows = clusters.map(({ size, exemplars }, i) => [
    String(i + 1),
    String(size),
    ...(labels?.counts[i].map(String) ?? []),
    ...(kind === 'table' ? [`items ${exemplars.slice(0, 5).join(', ')}`] : []),
  ]);
  return [paragraph(sentence), ...(clusters.length > 1 || labels ? [table(head, rows)] : [])];
}

function saliencePart({ salience, kind }: ContrastReport): string[] {
  const { most, least, backgroundBelow } = salience;
  const rows = most.map((item, i) => [
    String(i + 1),
    `${item.name} (item ${item.item})`,
    item.score.toFixed(2),
    least[i] ? `${least[i].name} (item ${least[i].item})` : '',
    least[i]?.score.toFixed(2) ?? '',
  ]);
  return [
    paragraph(
      `The salience of an item is the distance of its salient code from the neutral one: 0 if it lacks all that the target adds, 1 if it is as far as the root mean square of target items. ${(100 * backgroundBelow).toFixed(0)} % of the background lie below the middle target item. The scores of all items of both sets are in salience.csv.`,
    ),
    ...(kind === 'table' ? [table(['', 'most salient', 'score', 'least salient', 'score'], rows)] : []),
  ];
}

function leakagePart({ leakage }: ContrastReport): string[] {
  const { probes, sharedFromSalient, salientFromShared, w2, allItems, notes } = leakage;
  const share = (value: number) => `${(100 * value).toFixed(0)} %`;
  return [
    paragraph(
      `A linear map finds ${share(salientFromShared)} of the salient codes’ variance in the common codes, and ${share(sharedFromSalient)} of the common codes’ in the salient ones. Less is better.`,
    ),
    ...(probes.length > 0
      ? [
          paragraph(
            `What a linear probe finds of labels and factors in each block, from 0 (chance) to 1 (all of it). What only the target varies in belongs to the salient block, the rest to the common one.${allItems ? ' So few items are held out that probes learn and are tested on all of the target’s, each on its own half.' : ''}`,
          ),
          table(
            ['', 'salient block', 'common block'],
            probes.map(({ target, salient, shared }) => [target, salient.toFixed(2), shared.toFixed(2)]),
          ),
        ]
      : [paragraph('Nothing is known of the items, such as labels, that could be looked for in the blocks.')]),
    ...notes.map((note) => paragraph(note, 'muted')),
    ...(w2
      ? [
          paragraph(
            `W2² between the common codes of both sets is ${readable(w2.score)}, over batches of ${w2.n} and ${w2.m}. ${w2.withinTarget === undefined ? '' : `Two halves of the target itself are ${readable(w2.withinTarget)} apart, which is the floor here. `}Standard-normal codes of that size would be ${readable(w2.normalFloor)} apart.`,
          ),
        ]
      : []),
  ];
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`;
}
