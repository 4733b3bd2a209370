/**
 * A sweep's folder or address, opened: the plan in `sweep.json`, trials under `trials/`, and what is known of them. The plan is
 * written by whoever has the sweep file; workers elsewhere read it.
 */
import { readFile } from 'node:fs/promises';
import { basename, extname } from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';
import { UntangleError } from '../errors.ts';
import type { RunSettings } from '../runs/index.ts';
import { type LeaseWatch, watchLeases } from './lease.ts';
import type { Plan } from './plan.ts';
import { dimensionSchema } from './search/space.ts';
import { folderStore } from './store/folder.ts';
import { isS3, s3Store } from './store/s3.ts';
import type { Store } from './store/store.ts';
import { checkSweepFile, planSweep, type SweepFile } from './sweep-file.ts';
import { SweepIndex } from './sweep-index.ts';
import { failurePath, jsonBytes, readChecked } from './trial.ts';

export interface Sweep {
  /** By which it is opened elsewhere. */
  address: string;
  store: Store;
  plan: Plan;
  watch: LeaseWatch;
  index: SweepIndex;
}

export interface SweepOptions {
  /** A lease that was silent for so long is dead. */
  leaseSeconds?: number;
  /** Its name, where several sweeps share the trials of one place. */
  as?: string;
}

/** Seconds. */
const silence = 30;

/**
 * Reads a sweep file and settles what it asks for.
 *
 * @example await readSweepFile('beta.yaml')
 */
export async function readSweepFile(path: string): Promise<Plan> {
  return await planSweep(await parseSweepFile(path), sweepNameOf(path));
}

/** The name of the sweep that a file describes. */
export const sweepNameOf = (path: string) => basename(path, extname(path));

/** What stands in a sweep file, checked. */
export async function parseSweepFile(path: string): Promise<SweepFile> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new UntangleError(`“${path}” can't be read: ${error.code ?? error.message}.`, { kind: 'call' });
  });
  let value: unknown;
  try {
    value = parse(text);
  } catch (error) {
    const [line] = (error instanceof Error ? error.message : String(error)).split('\n');
    throw new UntangleError(`“${path}” is no YAML: ${line}`, { kind: 'call' });
  }
  return checkSweepFile(value, path);
}

/** Opens a sweep where it lives, with a plan that becomes its own, or with the one that it has. */
export async function openSweep(store: Store, plan?: Plan, options: SweepOptions = {}): Promise<Sweep> {
  const { as, leaseSeconds = silence } = options;
  const path = as === undefined ? 'sweep.json' : `sweeps/${as}.json`;
  if (plan) await store.write(path, jsonBytes(plan));
  const opened = plan ?? (await readPlan(store, path));
  const watch = watchLeases(store, leaseSeconds);
  const address = as === undefined ? store.url : `${store.url}#${as}`;
  return { address, store, plan: opened, watch, index: new SweepIndex(store, opened, watch) };
}

/**
 * Opens the sweep at an address: a place, with the sweep's name behind it where several share the place.
 *
 * @example await openSweepAt('runs/studies#dip-vae-table-1-standard')
 */
export async function openSweepAt(address: string): Promise<Sweep> {
  const { place, as } = /^(?<place>.+)#(?<as>[a-z0-9-]+)$/.exec(address)?.groups ?? {};
  const isNamed = as !== undefined && (await storeAt(place).read(`sweeps/${as}.json`)) !== undefined;
  return isNamed ? await openSweep(storeAt(place), undefined, { as }) : await openSweep(storeAt(address));
}

/** Has what failed be tried again, as after its cause was put right. */
export async function forgetFailures({ store, plan, index }: Sweep): Promise<void> {
  await index.refresh();
  for (const { trials } of plan.configurations)
    for (const trial of trials) {
      if (index.failureOf(trial) === undefined) continue;
      await store.remove(failurePath(trial.name));
      await index.look(trial);
    }
}

/**
 * The store at an address.
 *
 * @example storeAt('s3://bucket/sweeps/beta')
 */
export function storeAt(url: string): Store {
  return isS3(url) ? s3Store(url) : folderStore(url);
}

const planSchema = z.object({
  name: z.string(),
  rungs: z.object({ steps: z.array(z.int().min(1)).min(1), keep: z.number() }),
  objectives: z.array(z.object({ name: z.string(), better: z.enum(['higher', 'lower']) })),
  measure: z.object({
    names: z.array(z.string()).optional(),
    options: z.record(z.string(), z.record(z.string(), z.unknown())).optional(),
    protocol: z.string().optional(),
    part: z.enum(['train', 'validation', 'test', 'held-out', 'all']),
    items: z.int().min(1),
  }),
  space: z.record(z.string(), dimensionSchema).optional(),
  configurations: z.array(
    z.object({
      point: z.record(z.string(), z.union([z.number(), z.string(), z.boolean()])),
      // Settings are checked when a run is made of them.
      trials: z.array(
        z.object({ name: z.string().regex(/^[a-z0-9-]+$/), seed: z.int().min(0), settings: z.custom<RunSettings>() }),
      ),
    }),
  ),
});

async function readPlan(store: Store, path: string): Promise<Plan> {
  if ((await store.read(path)) === undefined)
    throw new UntangleError(`There is no sweep in “${store.url}”.`, {
      kind: 'call',
      hint: 'Start one with “untangle sweep FILE --out FOLDER”.',
    });
  return await readChecked(store, path, planSchema);
}
