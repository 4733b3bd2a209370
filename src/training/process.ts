/** The process that trains a run: told the run's folder, it reports to its parent, and stops with a checkpoint when asked. */
import { carryOutOrders } from '../orders.ts';
import { loadNamedPlugins } from '../plugins/index.ts';
import { openRun } from '../runs/index.ts';
import { trainRun } from './loop.ts';
import type { Training } from './start.ts';

const stop = new AbortController();
// A terminal sends Ctrl-C to this process too. Without its parent nobody would hear from it again, so it stops then as well.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stop.abort());
process.on('SIGHUP', () => stop.abort('It stopped when its terminal was closed.'));
process.on('disconnect', () => stop.abort('It stopped when the program that had started it ended.'));

carryOutOrders<Training>(async ({ folder, steps, tensorboard, mlflow }, tell) => {
  await loadNamedPlugins();
  let last = 0;
  return trainRun(await openRun(folder), {
    signal: stop.signal,
    steps,
    tensorboard,
    mlflow,
    onNote: (note) => tell({ note }),
    onProgress: (progress) => {
      const isLast = progress.step === progress.steps;
      if (!isLast && performance.now() - last < 100) return;
      last = performance.now();
      tell({ progress });
    },
  });
});
