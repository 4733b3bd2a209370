/** The contrast report as a page for people, in the order in which they ask. */
import { escaped, htmlFigure, htmlPage, htmlParagraph } from '../drawing/index.ts';
import { callOf } from '../shell.ts';
import { clustersChapter } from './clusters.ts';
import { columnsChapter } from './columns.ts';
import { swapAbout, synthesisAbout, transferAbout } from './decoded.ts';
import { factorsChapter } from './factors.ts';
import { leakageChapter } from './leakage.ts';
import { placesChapter } from './places.ts';
import type { ContrastReport, Figure } from './report.ts';
import { salienceChapter } from './salience.ts';

export function contrastPage(report: ContrastReport, figures: readonly Figure[]): string {
  const { target, background } = report.data;
  const { verdict, kind } = report;
  const shown = (part: Figure['part'], about?: string) => {
    const own = figures.filter((one) => one.part === part).map(({ drawing }) => htmlFigure(drawing));
    return about === undefined || own.length === 0 ? own : [htmlParagraph(about), ...own];
  };
  const chapters: [string, string[]][] = [
    ['How many factors does the target add?', factorsChapter(report.factors, report.directions)],
    ['Where do the items lie?', placesChapter(verdict, shown('codes'))],
    [
      'Are there kinds among the target’s items?',
      report.clusters ? [...clustersChapter(report.clusters, kind), ...shown('clusters')] : [],
    ],
    ['Which columns does each factor move?', report.columns ? columnsChapter(report.columns, shown('columns')) : []],
    ['What does each factor do to a background item?', shown('traversal')],
    ['What is left without it, and what is it alone?', shown('swap', swapAbout)],
    ['Can it be given to background items?', shown('transfer', transferAbout)],
    ['What else could it look like?', shown('synthesis', synthesisAbout)],
    [
      'Which items are the most salient?',
      report.salience ? [...salienceChapter(report.salience, kind), ...shown('salience')] : [],
    ],
    ['Do the blocks keep to their own?', leakageChapter(report.leakage)],
  ];
  const body = [
    `<h1>What is different in ${escaped(target.name)}?</h1>`,
    htmlParagraph(
      `${report.title}, step ${report.step}. Target: ${target.items} items. Background ${background.name}: ${background.items} items. Of them ${target.heldOut} and ${background.heldOut} were held out, and all that follows is about those unless it says otherwise.`,
      'about',
    ),
    ...report.notes.map((note) => htmlParagraph(note, 'about')),
    `<div class="answer ${verdict.found}">${verdict.sentences.map((text) => htmlParagraph(text)).join('')}</div>`,
    ...chapters
      .filter(([, content]) => content.length > 0)
      .map(([title, content]) => `<section><h2>${escaped(title)}</h2>${content.join('\n')}</section>`),
    `<footer>Made by <code>${escaped(callOf('contrast', report.run))}</code>. The numbers are in <code>contrast.json</code>, every item in <code>salience.csv</code>.</footer>`,
  ];
  return htmlPage(`What is different in ${target.name}?`, body.join('\n'));
}
