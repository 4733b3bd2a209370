/** `untangle advise`: which β, by a few short trainings over it. */
import { join } from 'node:path';
import { defined } from '../defined.ts';
import { callOf, flagsOf } from '../shell.ts';
import { type AdviceRow, adviceOf, openSweep, planAdvice, runHere, storeAt } from '../sweep/index.ts';
import { requestOf } from '../training/index.ts';
import { seedNumbers } from './reproduce.ts';
import { interruptible, print, printJson, progress, say, spreadText, table } from './terminal.ts';
import type { AdviseFlags } from './training-verbs.ts';

/** Dimensions whose KL is shown, at most. */
const mostShown = 10;

export async function adviseBeta(method: string, flags: AdviseFlags): Promise<void> {
  const { betas, steps, seeds, set, out = join('sweeps', `advice-${method}`), jobs, json, ...said } = flags;
  const request = { ...requestOf({ ...said, method }), ...defined({ set }) };
  const { plan, notes } = await planAdvice(request, { betas, steps, seeds: seedNumbers(seeds) });
  for (const note of notes) say(note);
  const sweep = await openSweep(storeAt(out), plan);
  const trials = plan.configurations.reduce((sum, one) => sum + one.trials.length, 0);
  say(`${trials} trainings of ${steps} steps each, in ${out}. Ctrl-C leaves; the same command goes on.`);
  const { signal, release } = interruptible('Stopping with checkpoints.');
  const line = progress();
  const isDone = await runHere(sweep, {
    ...defined({ jobs }),
    signal,
    onNote: say,
    onProgress: ({ done, running, share }) => line.at(share, `${done} of ${trials} done, ${running} running`),
  }).finally(release);
  line.end();
  if (!isDone) say('It was left before its end: what follows is of the trainings that are done.');
  const advice = await adviceOf(sweep);
  const own = [...(set ?? []), ...(advice.beta === undefined ? [] : [`beta=${advice.beta}`])];
  const next = callOf('train', method, ...flagsOf(said), ...(own.length === 0 ? [] : ['--set', ...own]));
  if (json) {
    printJson({ ...advice, folder: sweep.address, command: advice.beta === undefined ? undefined : next });
    return;
  }
  if (advice.rows.length > 0) print(`${table(tableRows(advice.rows))}\n`);
  print(advice.why);
  for (const limit of advice.limits) print(`- ${limit}`);
  if (advice.beta !== undefined) say(`Train:  ${next}`);
}

/** A line for each β: the KL of each dimension from the largest on, how many are active, and what the codes explain. */
function tableRows(rows: readonly AdviceRow[]): string[][] {
  const shown = Math.min(mostShown, rows[0].nats.length);
  const rest = rows[0].nats.length > shown ? [`${rows[0].nats.length - shown} more`] : [];
  const sum = (values: readonly number[]) => values.reduce((all, one) => all + one, 0);
  return [
    [
      'β',
      ...Array.from({ length: shown }, (_, j) => (j === 0 ? 'KL' : '')),
      ...rest,
      'in all',
      'active',
      'explained',
      'error',
    ],
    ...rows.map(({ beta, nats, active, explained, reconstruction, deviation }) => [
      `${beta}`,
      ...nats.slice(0, shown).map((one) => one.toFixed(2)),
      ...(rest.length > 0 ? [sum(nats.slice(shown)).toFixed(2)] : []),
      sum(nats).toFixed(1),
      deviation ? spreadText({ mean: active, deviation: deviation.active }) : `${active}`,
      deviation
        ? `${(100 * explained).toFixed(0)} ± ${(100 * deviation.explained).toFixed(0)} %`
        : `${(100 * explained).toFixed(0)} %`,
      `${Number(reconstruction.toPrecision(3))}`,
    ]),
  ];
}
