/** A study's report as files: the table and claims as HTML, Markdown and JSON, with charts and pictures of its runs. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { toPng } from '../drawing/index.ts';
import { kinds, subjectOf } from '../pictures/index.ts';
import { toJson } from '../runs/index.ts';
import { withModel } from '../use/index.ts';
import { htmlReport, markdownReport } from './report.ts';
import type { StudyReport } from './results.ts';
import type { StudyResults } from './run-study.ts';
import type { Study } from './study.ts';
import { drawTradeOff } from './trade-off.ts';

/** Writes the report into a folder, and gives it. */
export async function writeStudyReport(
  folder: string,
  study: Study,
  results: StudyResults,
  onNote: (sentence: string) => void = () => {},
): Promise<StudyReport> {
  const report = { study, results, figures: await figuresOf(study, results, onNote) };
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'report.html'), htmlReport(report));
  await writeFile(join(folder, 'report.md'), markdownReport(report));
  await writeFile(join(folder, 'results.json'), `${toJson(results, 2)}\n`);
  for (const { file, png } of report.figures) await writeFile(join(folder, file), png);
  return report;
}

/** The study's charts and the pictures of its runs; a picture that can't be drawn is told and left out. */
async function figuresOf(study: Study, results: StudyResults, onNote: (sentence: string) => void) {
  const figures: StudyReport['figures'][number][] = [];
  const add = (title: string, png: Uint8Array) =>
    figures.push({ title, file: `figure-${figures.length + 1}.png`, png });
  for (const tradeOff of study.tradeOffs ?? []) {
    const drawing = drawTradeOff(tradeOff, study.columns, results.arms);
    if (drawing) add(tradeOff.title, toPng(drawing));
  }
  for (const { title, arm, kind, options } of study.figures ?? []) {
    const folder = results.arms.find(({ name }) => name === arm)?.runs[0]?.folder;
    if (folder === undefined) continue;
    try {
      await withModel(folder, async (model, run) => {
        for (const { name, drawing } of await kinds[kind].draw(subjectOf(run, model), { seed: 1, ...options }))
          add(name === '' ? title : `${title}, ${name}`, toPng(drawing));
      });
    } catch (error) {
      onNote(`${title}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  return figures;
}
