/**
 * Optuna's journal: JSON lines, each an operation on studies and their trials (op codes 0 to 9). A sweep written so opens in Optuna
 * and its dashboard; trials that Optuna's samplers ask for are read from it, and told what came out.
 */
import { appendFile, readFile, rename, symlink, unlink } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { codeOf } from '../../errno.ts';
import { UntangleError } from '../../errors.ts';
import type { SweepObjective } from '../search/ranking.ts';
import type { Point, SearchDimension, Space, Value } from '../search/space.ts';

const trialStates = ['running', 'complete', 'pruned', 'failed', 'waiting'] as const;
type TrialState = (typeof trialStates)[number];

export interface OptunaTrial {
  /** Its number among all trials of the file. */
  id: number;
  state: TrialState;
  point: Point;
  values?: readonly number[];
  /** By step. */
  intermediate?: Readonly<Record<string, number>>;
  /** What else is known of it. */
  attributes?: Readonly<Record<string, unknown>>;
}

export interface OptunaStudy {
  id: number;
  name: string;
  trials: OptunaTrial[];
}

const by = 'untangle';

/** The line that makes a study, and one that tells samplers of its space. */
export function studyLines(name: string, objectives: readonly SweepObjective[], space: Space): string {
  const directions = objectives.map(({ better }) => (better === 'higher' ? 2 : 1));
  const distributions = Object.fromEntries(Object.entries(space).map(([key, one]) => [key, distributionOf(one)]));
  return lines([
    { op_code: 0, study_name: name, directions },
    { op_code: 2, study_id: 0, user_attr: { distributions } },
  ]);
}

/** A trial as a line of the study that a file begins with. Settings that the space does not have are told as attributes. */
export function trialLine({ state, point, values, intermediate, attributes }: Omit<OptunaTrial, 'id'>, space: Space) {
  const searched = Object.entries(point).filter(([name]) => Object.hasOwn(space, name));
  const others = Object.entries(point).filter(([name]) => !Object.hasOwn(space, name));
  const at = new Date().toISOString().replace('Z', '');
  return lines([
    {
      op_code: 4,
      study_id: 0,
      datetime_start: at,
      ...(state !== 'running' && { datetime_complete: at }),
      state: trialStates.indexOf(state),
      value: values?.length === 1 ? values[0] : null,
      values: values !== undefined && values.length > 1 ? values : null,
      params: Object.fromEntries(searched.map(([name, value]) => [name, internal(space[name], value)])),
      distributions: Object.fromEntries(searched.map(([name]) => [name, distributionOf(space[name])])),
      user_attrs: { ...Object.fromEntries(others), ...attributes },
      system_attrs: {},
      intermediate_values: intermediate ?? {},
    },
  ]);
}

/** What came out of a trial that Optuna asked for: its values, or, without, that it failed; and where its runs are. */
export function outcomeLines(id: number, values: readonly number[] | undefined, runs: readonly string[]): string {
  return lines([
    { op_code: 8, trial_id: id, user_attr: { runs } },
    {
      op_code: 6,
      trial_id: id,
      state: trialStates.indexOf(values ? 'complete' : 'failed'),
      values: values ?? null,
      datetime_complete: new Date().toISOString().replace('Z', ''),
    },
  ]);
}

const lineSchema = z.looseObject({
  op_code: z.int(),
  study_id: z.int().optional(),
  study_name: z.string().optional(),
  trial_id: z.int().optional(),
  state: z.int().min(0).max(4).optional(),
  param_name: z.string().optional(),
  param_value_internal: z.number().optional(),
  distribution: z.string().optional(),
  params: z.record(z.string(), z.number()).optional(),
  distributions: z.record(z.string(), z.string()).optional(),
  value: z.number().nullish(),
  values: z.array(z.number()).nullish(),
});

/** The studies of a journal, by name. A last line that is not whole yet is left for later. */
export function readStudies(text: string): Map<string, OptunaStudy> {
  const studies: OptunaStudy[] = [];
  const trials: OptunaTrial[] = [];
  for (const [at, line] of text
    .slice(0, text.lastIndexOf('\n') + 1)
    .split('\n')
    .entries()) {
    if (line === '') continue;
    const entry = parsed(line, at + 1);
    const trial = entry.trial_id === undefined ? undefined : trials[entry.trial_id];
    if (entry.op_code === 0) studies.push({ id: studies.length, name: entry.study_name ?? '', trials: [] });
    else if (entry.op_code === 4) {
      const { params = {}, distributions = {} } = entry;
      const named = Object.entries(params).map(([name, value]) => [name, external(distributions[name], value)]);
      trials.push({
        id: trials.length,
        state: trialStates[entry.state ?? 0],
        point: Object.fromEntries(named),
        values: entry.values ?? (typeof entry.value === 'number' ? [entry.value] : undefined),
      });
      studies[entry.study_id ?? 0]?.trials.push(trials[trials.length - 1]);
    } else if (entry.op_code === 5 && trial && entry.param_name !== undefined)
      trial.point = {
        ...trial.point,
        [entry.param_name]: external(entry.distribution, entry.param_value_internal ?? 0),
      };
    else if (entry.op_code === 6 && trial && (trial.state === 'running' || trial.state === 'waiting')) {
      trial.state = trialStates[entry.state ?? 0];
      trial.values = entry.values ?? trial.values;
    }
  }
  return new Map(studies.map((study) => [study.name, study]));
}

/** Reads a journal; empty if there is none. */
export async function readJournal(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return '';
    throw error;
  }
}

/** Puts lines at a journal's end, under the lock by which Optuna's processes keep out of each other's way. */
export async function appendToJournal(path: string, text: string): Promise<void> {
  const lock = `${path}.lock`;
  for (let wait = 1; ; wait = Math.min(2 * wait, 50)) {
    try {
      await symlink(path, lock);
      break;
    } catch (error) {
      if (codeOf(error) !== 'EEXIST') throw error;
      await sleep(wait);
    }
  }
  try {
    await appendFile(path, text);
  } finally {
    const mine = `${lock}-${process.pid}`;
    await rename(lock, mine);
    await unlink(mine);
  }
}

const lines = (entries: readonly object[]) =>
  entries.map((entry) => `${JSON.stringify({ worker_id: by, ...entry })}\n`).join('');

function parsed(line: string, number: number): z.infer<typeof lineSchema> {
  try {
    return lineSchema.parse(JSON.parse(line));
  } catch (error) {
    throw new UntangleError(`Line ${number} of the journal is none of Optuna’s.`, { kind: 'call', cause: error });
  }
}

/** A dimension as Optuna writes it; a list is a choice. */
function distributionOf(dimension: SearchDimension): string {
  const of = (name: string, attributes: object) => JSON.stringify({ name, attributes });
  if (Array.isArray(dimension)) return of('CategoricalDistribution', { choices: dimension });
  if ('integers' in dimension) {
    const [low, high] = dimension.integers;
    return of('IntDistribution', { log: false, step: 1, low, high });
  }
  const log = 'log' in dimension;
  const [low, high] = log ? dimension.log : dimension.range;
  return of('FloatDistribution', { step: null, low, high, log });
}

/** A choice is kept as its place. */
const internal = (dimension: SearchDimension, value: Value) =>
  Array.isArray(dimension) ? dimension.indexOf(value) : Number(value);

const choicesSchema = z.object({
  attributes: z.object({ choices: z.array(z.union([z.number(), z.string(), z.boolean()])) }),
});

function external(distribution: string | undefined, value: number): Value {
  const { success, data } = choicesSchema.safeParse(JSON.parse(distribution ?? 'null'));
  return success ? data.attributes.choices[value] : value;
}
