// @ts-check
/**
 * What a sweep itself costs: how much of their time workers spend in trials, with 1, 2 and 4 of them on trials that only sleep; the
 * time of a trial that does nothing; and how long a sweep of 10,000 trials takes to open, and how much memory.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { checkSweepFile, openSweep, openSweepAt, planSweep, runHere, storeAt } from '../dist/sweep/index.js';

/** @param {number} seeds */
const planOf = (seeds) =>
  planSweep(
    checkSweepFile(
      { method: 'beta-vae', data: 'shapes', seeds, objectives: { score: 'max' }, budget: { steps: 9 } },
      'bench',
    ),
    'bench',
  );

/** @param {number} milliseconds @returns {import('../src/sweep/index.ts').Carrier} */
const sleeping =
  (milliseconds) =>
  async ({ until }) => {
    if (milliseconds > 0) await sleep(milliseconds);
    return { state: 'done', step: until, seconds: 0, values: { score: 1 } };
  };

/** @param {{ json: boolean }} how */
export async function run({ json }) {
  const root = await mkdtemp(join(tmpdir(), 'untangle-bench-'));
  try {
    const rows = [];
    const trial = 1000;
    for (const workers of [1, 2, 4]) {
      const plan = await planOf(8 * workers);
      const sweeps = await Promise.all(
        Array.from({ length: workers }, () => openSweep(storeAt(join(root, `sleep-${workers}`)), plan)),
      );
      const begun = performance.now();
      await Promise.all(sweeps.map((sweep) => runHere(sweep, { jobs: 1, carrier: sleeping(trial) })));
      const took = performance.now() - begun;
      rows.push({ what: `${workers} workers, efficiency in %`, measured: (100 * 8 * trial) / took });
    }
    const plan = await planOf(200);
    const sweep = await openSweep(storeAt(join(root, 'nothing')), plan);
    const begun = performance.now();
    await runHere(sweep, { jobs: 1, carrier: sleeping(0) });
    rows.push({ what: 'a trial that does nothing, ms', measured: (performance.now() - begun) / 200 });

    const large = await planOf(10_000);
    const place = join(root, 'large');
    const { store } = await openSweep(storeAt(place), large);
    for (const { name } of large.configurations[0].trials.slice(0, 5_000))
      await store.write(`trials/${name}/result-9.json`, Buffer.from('{"step":9,"seconds":1,"values":{"score":1}}'));
    const opening = performance.now();
    const opened = await openSweepAt(place);
    await opened.index.refresh();
    rows.push({ what: '10,000 trials, half of them done: opens in s', measured: (performance.now() - opening) / 1000 });
    rows.push({ what: 'memory with it, MB', measured: process.memoryUsage().rss / 2 ** 20 });
    if (json) console.log(JSON.stringify(rows));
    else console.table(rows);
  } finally {
    await rm(root, { recursive: true, force: true });
  }
}
