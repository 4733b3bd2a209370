/** Trains a method for some steps in memory: what the methods' tests stand on. */
import { type Opened, openData } from '../../data/index.ts';
import type { Method } from '../../methods/index.ts';
import { nodeBackend, openTeam } from '../../runtime/node/index.ts';
import { type DataSettings, partData } from '../data.ts';
import { Session } from '../session/session.ts';
import { readSettings, resolveSettings } from '../session/settings.ts';

export interface Brief {
  /** The data: opened, or a name. */
  data?: Opened | string;
  /** Values of options, of the method or the training. */
  set?: readonly string[];
  preset?: string;
  steps: number;
  seed?: number;
  workers?: number;
  labels?: Pick<DataSettings, 'labels' | 'labelsFrom' | 'labelFactors'>;
}

/** Trains, and gives the session with the terms of every step. The caller closes it. */
export async function trainBriefly(method: Method, { data = 'shapes', set = [], preset, steps, ...rest }: Brief) {
  const { seed = 1, workers = 1, labels } = rest;
  const opened = typeof data === 'string' ? await openData(data) : data;
  const stored = resolveSettings(method, { set, preset });
  const { options, training } = readSettings(method, stored.options, stored.training);
  const parted = partData(opened, method, { seed, validation: training.validation, ...labels });
  const session = await Session.open(method, parted, options, {
    training,
    seed,
    workers,
    threads: 1,
    backend: await nodeBackend(),
    team: openTeam,
  });
  const history: Record<string, number>[] = [];
  for (let step = 0; step < steps; step++) history.push(await session.step());
  return { session, data: parted, history };
}

/** The mean of a term over a stretch of the history. */
export function meanOf(history: readonly Record<string, number>[], term: string, from: number, to = history.length) {
  const part = history.slice(from, to).map((terms) => terms[term]);
  return part.reduce((sum, value) => sum + value, 0) / part.length;
}
