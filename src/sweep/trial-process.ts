/** The process in which trials are trained to a rung and measured, one after the other. */
import { carryOutOrders } from '../orders.ts';
import { loadNamedPlugins } from '../plugins/index.ts';
import { openRun } from '../runs/index.ts';
import { trainRun } from '../training/index.ts';
import { measureTrial } from './measure.ts';
import type { TrialWork } from './trial-hand.ts';

const stop = new AbortController();
// Who asked it to stop, or is gone, wants no further trial of it; the one under way ends with a checkpoint.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stop.abort());
process.on('disconnect', () => stop.abort());

carryOutOrders<TrialWork>(async ({ folder, until, measure }, tell) => {
  await loadNamedPlugins();
  const run = await openRun(folder);
  let seconds = 0;
  let last = 0;
  const outcome = await trainRun(run, {
    signal: stop.signal,
    until,
    onNote: (note) => tell({ note }),
    onProgress: (progress) => {
      seconds = progress.seconds;
      if (performance.now() - last < 500 && progress.step !== until) return;
      last = performance.now();
      tell({ step: progress.step, rate: progress.rate });
    },
  });
  if (outcome.state === 'stopped' && outcome.step < until) return { state: 'stopped', step: outcome.step };
  const values = await measureTrial(run, measure, () => {});
  return { state: 'done', step: outcome.step, seconds, values };
});
