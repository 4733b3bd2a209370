/**
 * Which β? A small sweep over it, what each dimension then carries and how much of the data the codes explain, and the value that
 * speaks for: the highest that keeps four fifths of what the best explains. A higher β presses dimensions apart (Burgess et al.,
 * 2018), and closes one after the other.
 */
import { columnVariances, mean, variance } from '../analysis/index.ts';
import { heldOut } from '../data/index.ts';
import { UntangleError } from '../errors.ts';
import { methodNamed, methods } from '../methods/index.ts';
import { openRun, type Run, readEvaluation } from '../runs/index.ts';
import { openRunData, settler, type TrainRequest } from '../training/index.ts';
import type { Configuration, Plan } from './plan.ts';
import type { Sweep } from './sweep.ts';
import { folderIn, type Trial, trialFolder, trialOf } from './trial.ts';

export interface AdviceRequest {
  betas: readonly number[];
  seeds: readonly number[];
  steps: number;
}

/** What came out at one β. Numbers of several seeds are means. */
export interface AdviceRow {
  beta: number;
  /** KL of each dimension in nats, the largest first in every seed. */
  nats: number[];
  /** Dimensions whose mean varies over the data. */
  active: number;
  /** The mean squared error of a pixel or column on held-out items. */
  reconstruction: number;
  /** The share of the held-out items' variance that the reconstructions explain: 0 knows the mean item alone. */
  explained: number;
  /** Over seeds, with n − 1; undefined with one seed. */
  deviation?: { active: number; explained: number };
}

export interface Advice {
  /** In the order of β. */
  rows: AdviceRow[];
  /** Undefined where nothing speaks for one. */
  beta?: number;
  why: string;
  /** What these trainings can't tell. */
  limits: string[];
}

/** Items that are measured, at most. */
const items = 1_000;
/** Items that the variance is taken of, at most. */
const mostSpread = 4_000;
/** The share of the best explanation that an advised β keeps. */
const kept = 0.8;
/** Below this share of the variance nothing was learned that β could be judged by. */
const leastExplained = 0.02;

/** The sweep that advice is drawn from: the request's training at each β with each seed, so many steps long. */
export async function planAdvice(
  request: TrainRequest & { method: string },
  { betas, seeds, steps }: AdviceRequest,
): Promise<{ plan: Plan; notes: string[] }> {
  const { method, set = [] } = request;
  if (!('beta' in methodNamed(method).options))
    throw new UntangleError(`${method} has no β.`, {
      kind: 'call',
      hint: `These have one: ${Object.keys(methods)
        .filter((name) => 'beta' in methods[name].options)
        .join(', ')}.`,
    });
  const settle = settler();
  const configurations: Configuration[] = [];
  const notes = new Set<string>();
  for (const beta of [...new Set(betas)].sort((a, b) => a - b)) {
    const trials: Trial[] = [];
    for (const seed of seeds) {
      const own = [...set, `steps=${steps}`, `beta=${beta}`];
      const settled = await settle({ ...request, seed, set: own, workers: 1, threads: 1, command: '' });
      trials.push(await trialOf(settled.settings));
      for (const note of settled.notes) notes.add(note);
    }
    configurations.push({ point: { beta }, trials });
  }
  return {
    plan: {
      name: `advice-${method}`,
      rungs: { steps: [steps], keep: 1 },
      objectives: [{ name: 'reconstruction', better: 'lower' }],
      measure: { names: ['kl', 'reconstruction'], part: 'held-out', items },
      configurations,
    },
    notes: [...notes],
  };
}

/**
 * Reads what the trials of such a sweep came to. Values of β whose trials are not all done are left out.
 *
 * @example (await adviceOf(sweep)).beta // 4
 */
export async function adviceOf({ store, plan, index }: Sweep): Promise<Advice> {
  const rows: AdviceRow[] = [];
  // What is held out depends on the seed.
  const spreads = new Map<number, number>();
  for (const { point, trials } of plan.configurations) {
    const seeds: Pick<AdviceRow, 'nats' | 'active' | 'reconstruction' | 'explained'>[] = [];
    for (const trial of trials) {
      const folder = folderIn(trial.name, await store.list(trialFolder(trial.name)));
      if (folder === undefined || index.resultAt(trial, plan.rungs.steps[0]) === undefined) continue;
      const run = await openRun(await store.checkOut(folder));
      const measured = await readEvaluation(run.folder);
      const named = (name: string) => measured?.results.find((one) => one.name === name);
      const [kl, reconstruction] = [named('kl'), named('reconstruction')];
      const perDimension = kl?.parts.perDimension;
      if (!Array.isArray(perDimension) || reconstruction === undefined) continue;
      const whole = spreads.get(trial.seed) ?? (await heldOutSpread(run));
      spreads.set(trial.seed, whole);
      seeds.push({
        nats: perDimension.map(Number).sort((a, b) => b - a),
        active: Number(kl?.parts.activeCount),
        reconstruction: reconstruction.score,
        explained: 1 - reconstruction.score / whole,
      });
    }
    if (seeds.length < trials.length) continue;
    const over = (name: 'active' | 'reconstruction' | 'explained') => seeds.map((one) => one[name]);
    const deviation = (name: 'active' | 'explained') => Math.sqrt(variance(over(name), 1));
    rows.push({
      beta: Number(point.beta),
      nats: seeds[0].nats.map((_, j) => mean(seeds.map(({ nats }) => nats[j]))),
      active: mean(over('active')),
      reconstruction: mean(over('reconstruction')),
      explained: mean(over('explained')),
      ...(seeds.length > 1 && { deviation: { active: deviation('active'), explained: deviation('explained') } }),
    });
  }
  return advise(rows, plan.rungs.steps[0], plan.configurations[0].trials.length);
}

/** The β that rows speak for, why, and what they can't tell. */
export function advise(rows: readonly AdviceRow[], steps: number, seeds: number): Advice {
  const best = rows.reduce<AdviceRow | undefined>(
    (most, row) => (most === undefined || row.explained > most.explained ? row : most),
    undefined,
  );
  const unlearned = rows.filter(({ explained }) => explained < 0).map(({ beta }) => beta);
  const limits = [
    ...(unlearned.length > 0
      ? [
          `At β = ${unlearned.join(', ')} not even the mean item is known yet, so these may be judged too early: --steps ${4 * steps} tells more.`,
        ]
      : []),
    `${steps} steps are few: dimensions that a high β keeps closed may open later.`,
    seeds === 1
      ? 'With one seed nothing tells how much is chance: --seeds 1..3 gives deviations.'
      : `The deviations are over ${seeds} seeds; what lies within them is no difference.`,
    'Whether a dimension is something that you care for is not seen in these numbers: look at traversals, or measure MIG and DCI where factors are known.',
  ];
  if (best === undefined || !(best.explained > leastExplained))
    return {
      rows: [...rows],
      why:
        best === undefined
          ? 'No training came to its end.'
          : `After ${steps} steps the codes explain next to nothing at any β, so nothing speaks for one. Try --steps ${4 * steps}.`,
      limits,
    };
  const good = rows.filter(({ explained, active }) => explained >= kept * best.explained && active > 0);
  const chosen = good.reduce((most, row) => (row.beta > most.beta ? row : most), best);
  const [lowest, highest] = [rows[0], rows[rows.length - 1]];
  if (chosen === highest && rows.length > 1)
    limits.unshift(`It is the highest that was tried: a higher one may do as well (--betas ${4 * chosen.beta},…).`);
  if (chosen === lowest && rows.length > 1)
    limits.unshift(`It is the lowest that was tried: a lower one may do better (--betas ${chosen.beta / 4},…).`);
  return {
    rows: [...rows],
    beta: chosen.beta,
    why: `β = ${chosen.beta} is the highest that keeps four fifths of what the codes explain at best (${share(chosen.explained)} of ${share(best.explained)}), with ${Number(chosen.active.toFixed(1))} of ${chosen.nats.length} dimensions active.`,
    limits,
  };
}

/** The mean squared distance of a value of held-out items from its mean over them. */
async function heldOutSpread(run: Run): Promise<number> {
  const { target } = await openRunData(run.file, { onNote: () => {} });
  const all = heldOut(target.split);
  // Items may lie in the order of their classes.
  const every = Math.ceil(all.length / mostSpread);
  const which = all.filter((_, i) => i % every === 0);
  const values = target.data.gather(which);
  const size = values.length / which.length;
  return mean(columnVariances(values, which.length, size));
}

const share = (of: number) => `${Math.round(100 * of)} %`;
