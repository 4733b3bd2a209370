// @ts-check
/**
 * Does a sweep that prunes find what the full sweep finds, and with how many of its steps? Everything is trained once, and measured
 * at every rung; then the pruning sweep is carried out on what was recorded, which is what it would have trained, bit for bit.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { checkSweepFile, openSweep, planSweep, runHere, storeAt, summarise } from '../dist/sweep/index.js';

const file = {
  method: 'beta-vae',
  data: 'shapes',
  seeds: 2,
  space: { beta: { log: [0.5, 16] }, latents: [4, 6, 10], learningRate: { log: [1e-4, 1e-2] } },
  search: { kind: 'sobol', trials: 18 },
  set: { batchSize: 16, checkpointEvery: 1000 },
  budget: { steps: 450, prune: { kind: 'asha', rungs: [50, 150, 450], keep: '1/3' } },
  evaluate: { items: 1000 },
};
/** @type {Record<string, 'max' | 'min'>} */
const goals = { mig: 'max', sap: 'max', reconstruction: 'min' };

/** @param {Record<string, string>} objectives */
const planFor = (objectives) => planSweep(checkSweepFile({ ...file, objectives }, 'bench'), 'bench');

/** @param {{ json: boolean }} how */
export async function run({ json }) {
  const root = await mkdtemp(join(tmpdir(), 'untangle-bench-'));
  try {
    const plan = await planFor(goals);
    const full = await openSweep(storeAt(join(root, 'full')), { ...plan, rungs: { ...plan.rungs, keep: 1 } });
    await runHere(full, { onNote: console.error });
    const all = summarise(full);
    const rows = [];
    for (const [name, goal] of Object.entries(goals)) {
      const pruned = await openSweep(storeAt(join(root, name)), await planFor({ [name]: goal }));
      await runHere(pruned, { jobs: 2, carrier: recorded(full) });
      const found = summarise(pruned);
      const sign = goal === 'max' ? 1 : -1;
      const best = Math.max(...all.rows.map(({ values }) => sign * values[name].mean));
      const ours = sign * found.rows[0].values[name].mean;
      rows.push({
        objective: name,
        'share of the steps': found.steps / all.steps,
        'best of all': sign * best,
        'best found': sign * ours,
        'behind, %': (100 * (best - ours)) / Math.abs(best),
      });
    }
    if (json) console.log(JSON.stringify(rows));
    else console.table(rows);
  } finally {
    await rm(root, { recursive: true, force: true });
  }
}

/** @param {import('../src/sweep/index.ts').Sweep} full @returns {import('../src/sweep/index.ts').Carrier} */
function recorded({ plan, index }) {
  const trials = new Map(plan.configurations.flatMap((one) => one.trials.map((trial) => [trial.name, trial])));
  return async ({ folder, until }) => {
    const trial = trials.get(basename(dirname(folder)));
    const result = trial && index.resultAt(trial, until);
    if (result === undefined) throw new Error(`Nothing was recorded of ${folder} at ${until}.`);
    return { state: 'done', ...result };
  };
}
