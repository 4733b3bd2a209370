/** The process that trains a run: told the run's folder, it reports to its parent, and stops with a checkpoint when asked. */
import { UntangleError } from '../errors.ts';
import { openRun } from '../runs/index.ts';
import { trainRun } from './loop.ts';
import type { FromTrainer, Order } from './start.ts';

const send = (message: FromTrainer) => {
  if (process.connected) process.send?.(message);
};
const stop = new AbortController();
// A terminal sends Ctrl-C to this process too. Without its parent nobody would hear from it again, so it stops then as well.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stop.abort());
process.on('disconnect', () => stop.abort());

process.once('message', async (order: Order) => {
  try {
    let last = 0;
    const outcome = await trainRun(await openRun(order.folder), {
      signal: stop.signal,
      tensorboard: order.tensorboard,
      ...(order.mlflow !== undefined && { mlflow: order.mlflow }),
      onNote: (sentence) => send({ kind: 'note', sentence }),
      onProgress: (progress) => {
        const isLast = progress.step === progress.steps;
        if (!isLast && performance.now() - last < 100) return;
        last = performance.now();
        send({ kind: 'progress', progress });
      },
    });
    send({ kind: 'outcome', outcome });
  } catch (error) {
    const known = error instanceof UntangleError;
    send({
      kind: 'failed',
      message: error instanceof Error ? error.message : String(error),
      ...(known && error.hint !== undefined && { hint: error.hint }),
      ...(known && { call: error.kind === 'call' }),
      ...(error instanceof Error && error.stack !== undefined && { stack: error.stack }),
    });
  }
  // The channel holds the process; nothing else is left to do.
  process.disconnect?.();
  process.removeAllListeners('disconnect');
});
