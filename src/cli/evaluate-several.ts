/** `untangle evaluate` of several runs: each by itself, and those that differ in their seed alone with mean and deviation. */
import { UntangleError } from '../errors.ts';
import { findRun, type Run, seedGroups, spreadOf } from '../runs/index.ts';
import { type EvaluateOptions, evaluate, type Measured } from '../use/index.ts';
import { print, printJson, progress, say, spreadText, styled, table } from './terminal.ts';

export async function evaluateSeveral(meant: readonly string[], options: EvaluateOptions, json = false): Promise<void> {
  if (options.out !== undefined)
    throw new UntangleError('--out names one file, and there are several runs.', {
      kind: 'call',
      hint: 'Each run keeps its own evaluation.json; --json puts all of them on stdout.',
    });
  const runs: Run[] = [];
  for (const one of meant) runs.push(await findRun(one));
  const prints = new Set(runs.map(({ file }) => file.data.target.fingerprint));
  const line = progress();
  const measured: Measured[] = [];
  for (const [at, run] of runs.entries()) {
    // Measures over several models are made once, over all of them.
    const others = at === 0 && prints.size === 1 ? runs.slice(1).map(({ folder }) => folder) : [];
    const found = await evaluate(run, {
      ...options,
      others: options.others?.length ? options.others : others,
      onNote: say,
      onProgress: (share, what) => line.at((at + share) / runs.length, `${run.name}: ${what}`),
    });
    measured.push(found);
    if (found.unkept) say(`The numbers of ${run.name} are not kept in a file. ${found.unkept.message}`);
  }
  line.end();
  const groups = seedGroups(runs.map(({ file }) => file)).map((places) => ({
    places,
    spreads: spreadsOf(measured, places),
  }));
  if (json) {
    printJson({
      runs: measured.map(({ run, step, part, items, scores }) => ({
        run: run.name,
        folder: run.folder,
        step,
        part,
        items,
        ...scores,
      })),
      seeds: groups.map(({ places, spreads }) => ({ runs: places.map((at) => runs[at].name), metrics: spreads })),
    });
    return;
  }
  const results = measured.flatMap(({ scores }) => scores.results);
  const titles = new Map(results.map(({ name, title }) => [name, title]));
  const scoreIn = ({ scores }: Measured, name: string) => scores.results.find((one) => one.name === name)?.score;
  print(
    table([
      ['metric', ...runs.map(({ name }) => name), ...groups.map(({ places }) => `${places.length} seeds`)],
      ...[...titles].map(([name, title]) => [
        styled('bold', title),
        ...measured.map((one) => scoreIn(one, name)?.toFixed(4) ?? '–'),
        ...groups.map(({ spreads }) => (spreads[name] ? spreadText(spreads[name]) : '–')),
      ]),
    ]),
  );
  if (groups.length > 0) print('\nOver seeds: mean ± deviation.');
  if (titles.has('udr')) print('UDR is that of all runs together.');
}

function spreadsOf(measured: readonly Measured[], places: readonly number[]) {
  const names = new Set(places.flatMap((at) => measured[at].scores.results.map(({ name }) => name)));
  const found = [...names].map((name) => {
    const scores = places.map((at) => measured[at].scores.results.find((one) => one.name === name)?.score);
    return [name, spreadOf(scores)] as const;
  });
  return Object.fromEntries(found.flatMap(([name, spread]) => (spread === undefined ? [] : [[name, spread] as const])));
}
