/** Trains a run in a process of its own, so that whoever starts it stays alive to a user while graphs run. */
import { UntangleError } from '../errors.ts';
import { isBuiltIn } from '../methods/index.ts';
import { startProcess } from '../orders.ts';
import { loadedPlugins, methodOf } from '../plugins/index.ts';
import type { Run } from '../runs/index.ts';
import type { Outcome, Progress, TrainHooks } from './loop.ts';

export interface Training {
  order: { folder: string; steps?: number; tensorboard?: boolean; mlflow?: string };
  news: { progress: Progress } | { note: string };
  result: Outcome;
}

/** Trains a run in a child process; the hooks are those of `trainRun`. */
export async function trainInChild(run: Run, hooks: TrainHooks = {}): Promise<Outcome> {
  const { signal, steps, tensorboard, mlflow } = hooks;
  checkShared(run);
  const trainer = startTrainer();
  const stop = () => trainer.process.kill('SIGTERM');
  signal?.addEventListener('abort', stop);
  if (signal?.aborted) stop();
  try {
    return await trainer.order({ folder: run.folder, steps, tensorboard, mlflow }, (news) => {
      if ('note' in news) hooks.onNote?.(news.note);
      else hooks.onProgress?.(news.progress);
    });
  } finally {
    signal?.removeEventListener('abort', stop);
    if (trainer.process.connected) trainer.process.disconnect();
  }
}

/** A process of its own knows methods by their names: those that came with untangle, and those of plugins. */
function checkShared({ file }: Run): void {
  const { name } = methodOf(file);
  if (isBuiltIn(name) || loadedPlugins().some(({ adds }) => adds.methods.includes(name))) return;
  throw new UntangleError(`A process of its own can't know the method “${name}”, which is an object of this one.`, {
    kind: 'call',
    hint: 'Train it here with “trainRun”, or put it in a plugin: docs/plugins.md.',
  });
}

export function startTrainer() {
  return startProcess<Training>('training/process.js', ({ how, said }) => {
    // What V8 and ONNX Runtime do when the system gives them no memory.
    const isShort = /SIG(TRAP|ABRT|ILL|SEGV|KILL)/.test(how);
    const short = isShort
      ? 'It may have had no memory left: “ulimit -v unlimited” lifts a limit, smaller batches need less. '
      : '';
    const hint = `${short}Go on from its last checkpoint with --resume.${said ? ` It said: ${said.trim().split('\n')[0]}` : ''}`;
    return new UntangleError(`The training process ended ${how}.`, { hint });
  });
}
