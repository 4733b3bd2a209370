/** Trains a run in a process of its own, so that whoever starts it stays alive to a user while graphs run. */
import { UntangleError } from '../errors.ts';
import { startProcess } from '../orders.ts';
import type { Run } from '../runs/index.ts';
import type { Outcome, Progress, TrainHooks } from './loop.ts';

export interface Training {
  order: { folder: string; tensorboard?: boolean; mlflow?: string };
  news: { progress: Progress } | { note: string };
  result: Outcome;
}

/** Trains a run in a child process; the hooks are those of `trainRun`. */
export async function trainInChild(run: Run, hooks: TrainHooks = {}): Promise<Outcome> {
  const { signal, tensorboard, mlflow } = hooks;
  const trainer = startTrainer();
  const stop = () => trainer.process.kill('SIGTERM');
  signal?.addEventListener('abort', stop);
  if (signal?.aborted) stop();
  try {
    return await trainer.order({ folder: run.folder, tensorboard, mlflow }, (news) => {
      if ('note' in news) hooks.onNote?.(news.note);
      else hooks.onProgress?.(news.progress);
    });
  } finally {
    signal?.removeEventListener('abort', stop);
    if (trainer.process.connected) trainer.process.disconnect();
  }
}

export function startTrainer() {
  return startProcess<Training>('training/process.js', ({ how, said }) => {
    const hint = `Go on from its last checkpoint with --resume.${said ? ` It said: ${said.trim().split('\n')[0]}` : ''}`;
    return new UntangleError(`The training process ended ${how}.`, { hint });
  });
}
