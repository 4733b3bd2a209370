/**
 * A trial: one run of a sweep, named by the hash of everything that decides it. Its folder holds who works on it (`lease-N.json`),
 * the run of each lease (`run-N/`), and what came out at each rung (`result-STEP.json`), which is written once.
 */
import { z } from 'zod';
import { UntangleError } from '../errors.ts';
import { type RunSettings, sha256, toJson } from '../runs/index.ts';
import type { Store } from './store/store.ts';

export interface Trial {
  name: string;
  seed: number;
  settings: RunSettings;
}

/** What a trial gives at a step: a number for each part of each metric, and for each term of the last log line. */
const resultSchema = z.object({
  step: z.int().min(0),
  /** Seconds of training. */
  seconds: z.number().min(0),
  values: z.record(z.string(), z.number()),
});
export type TrialResult = z.infer<typeof resultSchema>;

const failureSchema = z.object({ step: z.int().min(0), message: z.string() });
export type TrialFailure = z.infer<typeof failureSchema>;

/** What is known of a trial from the names in its folder. */
export interface TrialState {
  results: Map<number, TrialResult>;
  failure?: TrialFailure;
}

/** The trial with these settings. How its work is shared out, the call that made it, and where a plugin lies do not tell trials apart. */
export async function trialOf(settings: RunSettings): Promise<Trial> {
  const { command: _, training, plugins, ...rest } = settings;
  const { workers: _workers, threads: _threads, ...trained } = training;
  const hash = await sha256(
    new TextEncoder().encode(
      toJson({ ...rest, ...(plugins && { plugins: plugins.map(({ sha256: of }) => of) }), training: trained }),
    ),
  );
  return { name: `${settings.method}-${hash.slice(0, 16)}`, seed: training.seed, settings };
}

/** The step of a trial at a rung: no further than its own training goes. */
export const stepAt = ({ settings }: Trial, rung: number) => Math.min(rung, settings.training.steps);

export const trialFolder = (name: string) => `trials/${name}`;

export const resultPath = (name: string, step: number) => `${trialFolder(name)}/result-${step}.json`;

export const failurePath = (name: string) => `${trialFolder(name)}/failure.json`;

/** Reads results and failure that are not known yet; `names` are those of the trial's folder. */
export async function readTrial(
  store: Store,
  name: string,
  names: readonly string[],
  known: ReadonlyMap<number, TrialResult> = new Map(),
): Promise<TrialState> {
  const results = new Map(known);
  for (const file of names) {
    const step = Number(/^result-(\d+)\.json$/.exec(file)?.[1] ?? Number.NaN);
    if (Number.isNaN(step) || results.has(step)) continue;
    results.set(step, await readChecked(store, resultPath(name, step), resultSchema));
  }
  const failure = names.includes('failure.json')
    ? await readChecked(store, failurePath(name), failureSchema)
    : undefined;
  return { results, failure };
}

/** A small JSON file of the store, checked. */
export async function readChecked<T>(store: Store, path: string, schema: z.ZodType<T>): Promise<T> {
  const bytes = await store.read(path);
  if (bytes === undefined) throw new UntangleError(`There is no “${path}” in “${store.url}”.`);
  try {
    return schema.parse(JSON.parse(new TextDecoder().decode(bytes)));
  } catch (error) {
    throw new UntangleError(`“${path}” in “${store.url}” is damaged.`, {
      hint: 'Remove it: what it says is made again.',
      cause: error,
    });
  }
}

export const isRunName = (name: string) => /^run-\d+$/.test(name);

/** The folder of a trial's run: that of its newest lease. Undefined if there is none yet. */
export function folderIn(trial: string, names: readonly string[]): string | undefined {
  const epochs = names.filter(isRunName).map((name) => Number(name.slice('run-'.length)));
  return epochs.length === 0 ? undefined : `${trialFolder(trial)}/run-${Math.max(...epochs)}`;
}

export const jsonBytes = (value: unknown): Uint8Array => new TextEncoder().encode(`${JSON.stringify(value)}\n`);
