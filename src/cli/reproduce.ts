/** `untangle reproduce`: runs a paper's table or figure again, and sets ours beside theirs in a report. */

import { join } from 'node:path';
import { betterArrow } from '../drawing/index.ts';
import { UntangleError } from '../errors.ts';
import {
  departuresOf,
  groundsOf,
  hasTheirs,
  meanOf,
  recordOf,
  runStudy,
  type StudyFiles,
  type StudyReport,
  seedsText,
  studies,
  studyFiles,
  studyNamed,
  writeRecord,
  writeStudyReport,
} from '../studies/index.ts';
import { interruptible, print, printJson, progress, say, styled, table } from './terminal.ts';
import type { ReproduceFlags } from './training-verbs.ts';

export async function reproduce(name: string | undefined, flags: ReproduceFlags): Promise<void> {
  if (flags.list || name === undefined) {
    listStudies(flags);
    return;
  }
  const study = studyNamed(name);
  const { signal, release } = interruptible('Stopping; what is done is kept.');
  const line = progress();
  const results = await runStudy(study, {
    budget: flags.budget,
    root: flags.runs,
    jobs: flags.jobs,
    executor: flags.executor,
    arms: flags.arms,
    seeds: flags.seeds === undefined ? undefined : seedNumbers(flags.seeds),
    set: flags.set,
    dataDir: flags.dataDir,
    signal,
    onNote: say,
    onProgress: line.at,
  });
  line.end();
  release();
  const folder = flags.out ?? join(flags.runs, `${study.name}-${flags.budget}`);
  const report = await writeStudyReport(folder, study, results, say);
  const record = await writeRecord(flags.results, recordOf(report));
  if (flags.json) {
    printJson({ ...results, folder, record: record.kept === undefined ? record.path : undefined });
    return;
  }
  print(resultsTable(report));
  for (const claim of results.claims)
    print(`${claim.verdict[0].toUpperCase()}${claim.verdict.slice(1)}: ${claim.text} (${groundsOf(claim)})`);
  print(`Budget: ${results.budget}. ${seedsText(report)}`);
  for (const departure of departuresOf(report)) print(`Other than in the paper: ${departure}`);
  print(
    `The report is ${join(folder, 'report.html')}${record.kept === undefined ? `, the record ${record.path}` : ''}.`,
  );
  if (record.kept !== undefined) say(record.kept);
  if (!results.complete) say('The same command goes on from what is there.');
}

function listStudies({ json, budget, dataDir }: ReproduceFlags): void {
  const list = Object.values(studies).map((study) => ({
    ...study,
    ...studyFiles(study, { budget, dataDir }),
  }));
  if (json) {
    printJson(
      list.map(({ name, title, paper, question, lacking, none }) => ({
        name,
        title,
        paper,
        question,
        lacking,
        runs: !none,
      })),
    );
    return;
  }
  print(
    table([
      ['study', 'here?', 'what it runs again'],
      ...list.map((one) => [styled('bold', one.name), hereText(one), one.title]),
    ]),
  );
  print('\n“untangle reproduce STUDY” proves the way in minutes; --budget standard is a night on two cores.');
  if (list.some(({ lacking }) => lacking.length > 0))
    print('“untangle data show SET” says where the files of a set are to be had, and where they belong.');
}

function hereText({ lacking, none }: StudyFiles): string {
  if (lacking.length === 0) return 'runs here';
  return none ? `needs ${lacking.join(', ')}` : `runs here but for ${lacking.join(', ')}`;
}

function resultsTable({ study, results }: StudyReport): string {
  const head = [
    '',
    ...study.columns.flatMap((column) => [
      `${column.name} ${betterArrow(column.better)}`,
      ...(hasTheirs(study, column) ? ['theirs'] : []),
    ]),
  ];
  const rows = results.arms.map((arm) => [
    arm.name,
    ...study.columns.flatMap((column) => {
      const cell = arm.cells[column.name];
      const theirs = cell?.theirs === undefined ? '–' : meanOf(cell.theirs).toFixed(column.digits);
      return [cell?.mean.toFixed(column.digits) ?? '–', ...(hasTheirs(study, column) ? [theirs] : [])];
    }),
  ]);
  return table([head, ...rows]);
}

/**
 * Seeds as typed: numbers and ranges with commas between them, each once.
 *
 * @example seedNumbers('1..3,7') // [1, 2, 3, 7]
 */
export function seedNumbers(text: string): number[] {
  const all = text.split(',').flatMap((part) => {
    const { from, to } = /^\s*(?<from>\d+)\s*\.\.\s*(?<to>\d+)\s*$/.exec(part)?.groups ?? {};
    if (from === undefined) return [seedNumber(part)];
    const [first, last] = [seedNumber(from), seedNumber(to)];
    if (last < first || last - first >= 10_000)
      throw new UntangleError(`--seeds takes ranges such as 1..5, not “${part.trim()}”.`, { kind: 'call' });
    return Array.from({ length: last - first + 1 }, (_, i) => first + i);
  });
  return [...new Set(all)];
}

function seedNumber(text: string): number {
  if (/^\s*\d+\s*$/.test(text) && Number.isSafeInteger(Number(text))) return Number(text);
  throw new UntangleError(`--seeds takes whole numbers and ranges such as 1..5, not “${text.trim()}”.`, {
    kind: 'call',
  });
}
