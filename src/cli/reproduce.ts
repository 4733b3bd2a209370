/** `untangle reproduce`: runs a paper's table or figure again, and sets ours beside theirs in a report. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { toPng } from '../drawing/index.ts';
import { kinds, subjectOf } from '../pictures/index.ts';
import { openRun, toJson } from '../runs/index.ts';
import {
  type Budget,
  drawTradeOff,
  groundsOf,
  hasTheirs,
  htmlReport,
  markdownReport,
  meanOf,
  recordOf,
  runStudy,
  type Study,
  type StudyReport,
  type StudyResults,
  studies,
  studyNamed,
  writeRecord,
} from '../studies/index.ts';
import { TrainedModel } from '../use/index.ts';
import { seedNumbers, wholeNumber } from './numbers.ts';
import { print, printJson, progress, say, styled, table } from './terminal.ts';

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
    listStudies(flags.json);
    return;
  }
  const study = studyNamed(name);
  const stop = new AbortController();
  const interrupt = () => {
    if (stop.signal.aborted) process.exit(130);
    say('\nStopping; what is done is kept. Ctrl-C again ends at once.');
    stop.abort();
  };
  process.on('SIGINT', interrupt);
  process.on('SIGTERM', interrupt);
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
    signal: stop.signal,
    onNote: say,
    onProgress: line.at,
  });
  line.end();
  process.off('SIGINT', interrupt);
  process.off('SIGTERM', interrupt);
  const folder = flags.out ?? join(flags.runs, `${study.name}-${flags.budget}`);
  const report = { study, results, figures: await figuresOf(study, results) };
  await writeReport(folder, report, results);
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

function listStudies(json?: boolean): void {
  const list = Object.values(studies);
  if (json) {
    printJson(list.map(({ name, title, paper, question }) => ({ name, title, paper, question })));
    return;
  }
  print(table([['study', 'what it runs again'], ...list.map((one) => [styled('bold', one.name), one.title])]));
  print('\n“untangle reproduce STUDY” proves the way in minutes; --budget standard is a night on two cores.');
}

async function writeReport(folder: string, report: StudyReport, results: StudyResults): Promise<void> {
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'report.html'), htmlReport(report));
  await writeFile(join(folder, 'report.md'), markdownReport(report));
  await writeFile(join(folder, 'results.json'), `${toJson(results, 2)}\n`);
  for (const { file, png } of report.figures) await writeFile(join(folder, file), png);
}

/** The study's charts and the pictures of its runs; a picture that can't be drawn is told and left out. */
async function figuresOf(study: Study, results: StudyResults): Promise<StudyReport['figures']> {
  const figures: { title: string; file: string; png: Uint8Array }[] = [];
  const add = (title: string, png: Uint8Array) =>
    figures.push({ title, file: `figure-${figures.length + 1}.png`, png });
  for (const tradeOff of study.tradeOffs ?? []) {
    const drawing = drawTradeOff(tradeOff, study.columns, results.arms);
    if (drawing) add(tradeOff.title, toPng(drawing));
  }
  for (const { title, arm, kind } of study.figures ?? []) {
    const folder = results.arms.find(({ name }) => name === arm)?.runs[0]?.folder;
    if (folder === undefined) continue;
    const model = await TrainedModel.open(folder);
    try {
      const subject = subjectOf(await openRun(folder), model);
      for (const { name, drawing } of await kinds[kind].draw(subject, { seed: 1 }))
        add(name === '' ? title : `${title}, ${name}`, toPng(drawing));
    } catch (error) {
      say(`${title}: ${error instanceof Error ? error.message : String(error)}`);
    } finally {
      await model.close();
    }
  }
  return figures;
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
