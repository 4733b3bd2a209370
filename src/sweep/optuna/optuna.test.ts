import { execFile, execFileSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Carrier } from '../carry-out.ts';
import { runHere } from '../here.ts';
import type { Space } from '../search/space.ts';
import { openSweep, storeAt } from '../sweep.ts';
import { checkSweepFile, planSweep } from '../sweep-file.ts';
import { pretend } from '../testing/pretend.ts';
import { followOptuna, journalOf } from './follow.ts';
import { appendToJournal, readStudies, studyLines } from './journal.ts';

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'untangle-optuna-'));
});
afterEach(() => rm(root, { recursive: true }));

const space: Space = { beta: { log: [1, 16] }, latents: { integers: [4, 10] }, batchSize: [16, 64] };

const file = (extra: object = {}) =>
  checkSweepFile(
    {
      method: 'beta-vae',
      data: 'shapes',
      seeds: 2,
      space,
      search: { kind: 'sobol', trials: 8 },
      objectives: { score: 'max', cost: 'min' },
      budget: { steps: 9 },
      ...extra,
    },
    'optuna.yaml',
  );

/** The score is β, the cost its square: every setting is on the front. */
const known: Carrier = async (order, ...rest) => {
  const done = await pretend()(order, ...rest);
  if (done.state !== 'done') return done;
  const beta = done.values.score / order.until;
  return { ...done, values: { score: beta, cost: beta ** 2 } };
};

/** Debian's python, for which its packages are installed. */
const python = '/usr/bin/python3';
const hasOptuna = () => {
  try {
    execFileSync(python, ['-c', 'import optuna'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
};
const ask = async (...words: string[]) => (await promisify(execFile)(python, words)).stdout;

// Optuna is Debian's; a machine without it can't try this.
describe.skipIf(!hasOptuna() && !process.env.CI)('Optuna', () => {
  test('opens a sweep’s journal, shows the front, and goes on by ask and tell', async () => {
    const plan = await planSweep(file(), 'front');
    const sweep = await openSweep(storeAt(join(root, 'sweep')), plan);
    await runHere(sweep, { jobs: 2, carrier: known });
    const journal = join(root, 'front.log');
    await writeFile(journal, journalOf(sweep));
    const program = `
import json, optuna
optuna.logging.set_verbosity(optuna.logging.ERROR)
storage = optuna.storages.JournalStorage(optuna.storages.JournalFileStorage(${JSON.stringify(journal)}))
study = optuna.load_study(study_name="front", storage=storage, sampler=optuna.samplers.TPESampler(seed=1))
front = [[trial.params, trial.values, trial.user_attrs["runs"]] for trial in study.best_trials]
space = {k: optuna.distributions.json_to_distribution(v) for k, v in study.user_attrs["distributions"].items()}
trial = study.ask(space)
study.tell(trial, [trial.params["beta"], trial.params["beta"] ** 2])
print(json.dumps([front, len(study.trials), trial.params]))`;
    const [front, count, next] = JSON.parse(await ask('-c', program));
    expect(count).toBe(9);
    expect(Object.keys(next)).toEqual(['beta', 'latents', 'batchSize']);
    expect(front).toHaveLength(8);
    for (const [i, [params, values, runs]] of front.entries()) {
      const { point, trials } = plan.configurations[i];
      expect(params).toEqual(point);
      expect(values[0]).toBeCloseTo(Number(point.beta), 12);
      expect(runs).toEqual(trials.map(({ name }) => `trials/${name}`));
    }
  });

  test('drives a sweep: what its sampler asks for is trained with all seeds, and told', async () => {
    const journal = join(root, 'driven.log');
    await appendToJournal(journal, studyLines('driven', [{ name: 'score', better: 'higher' }], space));
    const asking = ask(join(import.meta.dirname, '../../../examples/optuna_ask.py'), journal, 'driven', '6', '2');
    const sweep = await followOptuna(
      journal,
      file({ objectives: { score: 'max' } }),
      'driven',
      storeAt(join(root, 'driven')),
      { jobs: 2, carrier: known, trials: 6 },
    );
    const best = await asking;
    expect(sweep.index.counts().results).toBe(12);
    const betas = sweep.plan.configurations.map(({ point }) => Number(point.beta));
    expect(betas).toHaveLength(6);
    const bestOf = /'beta': ([\d.]+)/.exec(best)?.[1];
    expect(Number(bestOf)).toBe(Math.max(...betas));
  }, 60_000);
});

describe('a journal', () => {
  test('is read while others write: a last line that is not whole is left for later', () => {
    const text = studyLines('a', [{ name: 'mig', better: 'higher' }], space);
    const trial = '{"worker_id":"w","op_code":4,"study_id":0,"datetime_start":null}\n';
    const setting =
      '{"op_code":5,"trial_id":0,"param_name":"batchSize","param_value_internal":1,"distribution":"{\\"name\\":\\"CategoricalDistribution\\",\\"attributes\\":{\\"choices\\":[16,64]}}"}\n';
    const told = '{"op_code":6,"trial_id":0,"state":1,"values":[0.5],"datetime_complete":null}\n';
    const at = (so: string) => readStudies(so).get('a')?.trials;
    expect(at(text + trial.slice(0, 20))).toEqual([]);
    expect(at(text + trial + setting)).toEqual([{ id: 0, state: 'running', point: { batchSize: 64 } }]);
    expect(at(text + trial + setting + told)).toEqual([
      { id: 0, state: 'complete', point: { batchSize: 64 }, values: [0.5] },
    ]);
    expect(() => readStudies(`${text}{"op":1}\n`)).toThrow('Line 3 of the journal is none of Optuna’s.');
  });

  test('is appended to by many at once without a torn line', async () => {
    const path = join(root, 'many.log');
    await Promise.all(Array.from({ length: 8 }, (_, i) => appendToJournal(path, `{"op_code":2,"i":${i}}\n`)));
    expect((await readFile(path, 'utf8')).trim().split('\n')).toHaveLength(8);
  });
});
