/**
 * Optuna's samplers as a search: whatever they ask for in a journal is trained here, with all seeds, and told. Optuna runs where it
 * likes, in a process of its own; the journal is all that goes between.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { UntangleError } from '../../errors.ts';
import { type HereOptions, runHere } from '../here.ts';
import type { Point } from '../search/space.ts';
import type { Store } from '../store/store.ts';
import { openSweep, type Sweep } from '../sweep.ts';
import { planSweep, type SweepFile } from '../sweep-file.ts';
import { trialFolder } from '../trial.ts';
import { appendToJournal, outcomeLines, readJournal, readStudies, studyLines, trialLine } from './journal.ts';

export interface FollowOptions extends HereOptions {
  /** Ends when so many trials of the study are over; otherwise only when it is stopped. */
  trials?: number;
}

/**
 * Trains what trials of the study in a journal ask for, and tells them. The study is made if it is not there.
 *
 * @example await followOptuna('beta.log', file, 'beta', storeAt('sweeps/beta'), { trials: 60 })
 */
export async function followOptuna(
  path: string,
  file: SweepFile,
  name: string,
  store: Store,
  { trials = Number.POSITIVE_INFINITY, ...hooks }: FollowOptions = {},
): Promise<Sweep> {
  if (file.budget.prune || file.variants)
    throw new UntangleError('With Optuna a sweep has neither rungs nor variants.', {
      kind: 'call',
      hint: 'Leave out “prune” and “variants”.',
    });
  const study = async () => readStudies(await readJournal(path)).get(name);
  if ((await study()) === undefined) {
    const { objectives } = await planSweep(file, name, []);
    await appendToJournal(path, studyLines(name, objectives, file.space));
  }
  for (;;) {
    const { trials: all } = (await study()) ?? { trials: [] };
    // A trial is asked for with one line for each setting, and is whole when it has them all.
    const names = Object.keys(file.space);
    const whole = all
      .filter(({ point }) => names.every((key) => Object.hasOwn(point, key)))
      .map((trial) => ({ ...trial, key: keyOf(names, trial.point) }));
    const points = new Map(whole.map(({ key, point }) => [key, point]));
    const plan = await planSweep(file, name, [...points.values()]);
    const sweep = await openSweep(store, plan);
    await sweep.index.refresh();
    const asked = whole.filter(({ state }) => state === 'running');
    const over = all.filter(({ state }) => state !== 'running' && state !== 'waiting').length;
    if (over >= trials || hooks.signal?.aborted) return sweep;
    if (asked.length === 0) {
      await sleep(500, undefined, { signal: hooks.signal }).catch(() => {});
      continue;
    }
    const told = new Set<number>();
    const tell = async () => {
      for (const { id, key } of asked) {
        if (told.has(id)) continue;
        // Samplers may ask for the same settings again.
        const at = [...points.keys()].indexOf(key);
        const { results, failed } = sweep.index.standings()[at];
        if (results[0] === undefined && !failed) continue;
        told.add(id);
        const runs = plan.configurations[at].trials.map((trial) => trialFolder(trial.name));
        await appendToJournal(path, outcomeLines(id, failed ? undefined : results[0], runs));
      }
    };
    await tell();
    await runHere(sweep, { ...hooks, onDone: tell });
    await tell();
  }
}

const keyOf = (names: readonly string[], point: Point) => JSON.stringify(names.map((name) => point[name]));

/** A sweep as a journal: a trial for each setting with its seeds as one, and what came out at each rung. */
export function journalOf({ plan, index }: Pick<Sweep, 'plan' | 'index'>): string {
  const { rungs, objectives, configurations, name } = plan;
  const space = plan.space ?? {};
  const standings = index.standings();
  const all = configurations.map(({ point, trials }, i) => {
    const { results, failed, underWay } = standings[i];
    const last = results[rungs.steps.length - 1];
    const reached = results.findLast((values) => values !== undefined);
    // Optuna has no word for a trial that waits and may go on.
    const state = failed ? 'failed' : last ? 'complete' : reached && underWay === undefined ? 'pruned' : 'running';
    const intermediate = results.flatMap((values, rung) =>
      values ? [[`${rungs.steps[rung]}`, values[0]] as const] : [],
    );
    return trialLine(
      {
        state,
        point,
        values: state === 'complete' ? last?.slice() : undefined,
        intermediate: Object.fromEntries(intermediate),
        attributes: { runs: trials.map((trial) => trialFolder(trial.name)) },
      },
      space,
    );
  });
  return [studyLines(name, objectives, space), ...all].join('');
}
