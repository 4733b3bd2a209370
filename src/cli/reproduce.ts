/** `untangle reproduce`: runs a paper's table or figure again, and sets ours beside theirs in a report. */
import { join } from 'node:path';
import {
  type Budget,
  groundsOf,
  hasTheirs,
  meanOf,
  recordOf,
  runStudy,
  type StudyFiles,
  type StudyReport,
  studies,
  studyFiles,
  studyNamed,
  writeRecord,
  writeStudyReport,
} from '../studies/index.ts';
import { seedNumbers, wholeNumber } from './numbers.ts';
import { interruptible, print, printJson, progress, say, styled, table } from './terminal.ts';

interface Flags {
  list?: boolean;
  budget: Budget;
  jobs?: string;
  executor?: string;
  arms?: string;
  seeds?: string;
  set?: string[];
  runs: string;
  out?: string;
  results: string;
  dataDir?: string;
  json?: boolean;
}

export async function reproduce(name: string | undefined, flags: Flags): Promise<void> {
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
    ...(flags.jobs !== undefined && { jobs: wholeNumber('--jobs', flags.jobs, 1, 64) }),
    executor: flags.executor,
    ...(flags.arms !== undefined && { arms: flags.arms.split(',').map((one) => one.trim()) }),
    ...(flags.seeds !== undefined && { seeds: seedNumbers(flags.seeds) }),
    ...(flags.set && { set: flags.set }),
    ...(flags.dataDir !== undefined && { dataDir: flags.dataDir }),
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
    printJson({ ...results, folder, ...(record.kept === undefined && { record: record.path }) });
    return;
  }
  print(resultsTable(report));
  for (const claim of results.claims)
    print(`${claim.verdict[0].toUpperCase()}${claim.verdict.slice(1)}: ${claim.text} (${groundsOf(claim)})`);
  print(
    `The report is ${join(folder, 'report.html')}${record.kept === undefined ? `, the record ${record.path}` : ''}.`,
  );
  if (record.kept !== undefined) say(record.kept);
  if (!results.complete) say('The same command goes on from what is there.');
}

function listStudies({ json, budget, dataDir }: Pick<Flags, 'json' | 'budget' | 'dataDir'>): void {
  const list = Object.values(studies).map((study) => ({
    ...study,
    ...studyFiles(study, { budget, ...(dataDir !== undefined && { dataDir }) }),
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
      `${column.name} ${column.better === 'higher' ? '↑' : '↓'}`,
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
