/** Sweeps whose trainings are pretended, for tests of all that is around them. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { readCheckpoint } from '../../runs/index.ts';
import type { Carrier } from '../carry-out.ts';
import type { Plan } from '../plan.ts';
import type { Sweep } from '../sweep.ts';
import { checkSweepFile, planSweep } from '../sweep-file.ts';
import { folderIn, trialFolder } from '../trial.ts';

/** β-VAEs on shapes with as many values of β, compared by a number that is pretended to be a metric. */
export function pretendPlan(values: number, seeds = 1, extra: object = {}): Promise<Plan> {
  const file = {
    method: 'beta-vae',
    data: 'shapes',
    seeds,
    space: { beta: Array.from({ length: values }, (_, i) => i + 1) },
    objectives: { score: 'max' },
    budget: { steps: 9 },
    ...extra,
  };
  return planSweep(checkSweepFile(file, 'pretend.yaml'), 'pretend');
}

/** Takes so many milliseconds; the score is β times the steps. */
export function pretend(milliseconds = 0, onCall: (folder: string) => void = () => {}): Carrier {
  return async ({ folder, until }, _onNews, signal) => {
    onCall(folder);
    const { options } = JSON.parse(await readFile(join(folder, 'run.json'), 'utf8'));
    if (milliseconds > 0) await sleep(milliseconds, undefined, { signal }).catch(() => {});
    if (signal.aborted) return { state: 'stopped', step: 0 };
    return { state: 'done', step: until, seconds: until, values: { score: options.beta * until } };
  };
}

/** β-VAEs on shapes that are really trained, to so few steps that they take a second. */
export function tinyPlan(values: number, steps = 20): Promise<Plan> {
  return pretendPlan(values, 1, {
    set: { batchSize: 16, latents: 4, checkpointEvery: 10 },
    objectives: { reconstruction: 'min' },
    budget: { steps },
  });
}

/** The weights of all trials of a sweep in a folder, by their names. */
export async function finalWeights({ store, plan }: Pick<Sweep, 'store' | 'plan'>): Promise<Map<string, unknown>> {
  const weights = new Map<string, unknown>();
  for (const { name } of plan.configurations.flatMap(({ trials }) => trials)) {
    const folder = folderIn(name, await store.list(trialFolder(name)));
    if (folder === undefined) continue;
    weights.set(name, (await readCheckpoint(await store.checkOut(folder)))?.weights);
  }
  return weights;
}
