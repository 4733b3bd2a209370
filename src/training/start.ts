/** Trains a run in a process of its own, so that whoever starts it stays alive to a user while graphs run. */
import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { builtFile } from '../built.ts';
import { UntangleError } from '../errors.ts';
import type { Run } from '../runs/index.ts';
import type { Outcome, Progress, TrainHooks } from './loop.ts';

/** What the process is told. */
export interface Order {
  folder: string;
  tensorboard: boolean;
  mlflow?: string;
}

/** What it tells. */
export type FromTrainer =
  | { kind: 'progress'; progress: Progress }
  | { kind: 'note'; sentence: string }
  | { kind: 'outcome'; outcome: Outcome }
  | { kind: 'failed'; message: string; hint?: string; call?: boolean; stack?: string };

/** Trains a run in a child process; the hooks are those of `trainRun`. */
export function trainInChild(run: Run, hooks: TrainHooks = {}): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    const child = fork(fileURLToPath(builtFile('training/process.js')), { stdio: ['ignore', 'ignore', 'pipe', 'ipc'] });
    let stderr = '';
    let isSettled = false;
    const settle = (act: () => void) => {
      if (isSettled) return;
      isSettled = true;
      hooks.signal?.removeEventListener('abort', stop);
      act();
    };
    const stop = () => child.kill('SIGTERM');
    hooks.signal?.addEventListener('abort', stop);
    if (hooks.signal?.aborted) stop();
    child.stderr?.on('data', (chunk: Buffer) => {
      stderr = (stderr + chunk.toString('utf8')).slice(-10_000);
    });
    child.on('message', (message: FromTrainer) => {
      switch (message.kind) {
        case 'progress':
          return hooks.onProgress?.(message.progress);
        case 'note':
          return hooks.onNote?.(message.sentence);
        case 'outcome':
          return settle(() => resolve(message.outcome));
        case 'failed': {
          const error = new UntangleError(message.message, {
            kind: message.call ? 'call' : 'work',
            ...(message.hint !== undefined && { hint: message.hint }),
          });
          if (message.stack !== undefined) error.stack = message.stack;
          return settle(() => reject(error));
        }
      }
    });
    child.on('error', (error) => settle(() => reject(error)));
    child.on('exit', (code, signal) =>
      settle(() =>
        reject(
          new UntangleError(`The training process ended ${signal ? `by ${signal}` : `with code ${code}`}.`, {
            hint: `Go on from its last checkpoint with --resume.${stderr ? ` It said: ${stderr.trim().split('\n')[0]}` : ''}`,
          }),
        ),
      ),
    );
    const order: Order = {
      folder: run.folder,
      tensorboard: hooks.tensorboard ?? false,
      ...(hooks.mlflow !== undefined && { mlflow: hooks.mlflow }),
    };
    child.send(order);
  });
}
