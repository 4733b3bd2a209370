/** Measures metrics in worker threads, one metric at a time in each, so that heavy ones share the machine. */
import { Worker } from 'node:worker_threads';
import { builtFile } from '../built.ts';
import { UntangleError } from '../errors.ts';
import { type Inputs, requestedNames, type ScoreRequest, type Scores, scoreAll } from '../metrics/index.ts';

export interface ScoreTask {
  inputs: Inputs;
  request: ScoreRequest;
  seed: number;
}

export type ScoreMessage =
  | { kind: 'progress'; share: number; what: string }
  | { kind: 'done'; scores: Scores }
  | { kind: 'failed'; message: string; hint?: string; errorKind: 'call' | 'work' };

interface Options {
  seed: number;
  jobs: number;
  onProgress: (share: number, what: string) => void;
}

/** The same as `scoreAll`, with metrics spread over threads. */
export async function scoreInThreads(
  inputs: Inputs,
  request: ScoreRequest,
  { seed, jobs, onProgress }: Options,
): Promise<Scores> {
  const names = requestedNames(request);
  if (jobs === 1 || names.length < 2) return scoreAll(inputs, request, { seed, onProgress });
  const shares = new Array<number>(names.length).fill(0);
  const found = new Array<Scores | undefined>(names.length);
  const workers = new Set<Worker>();
  let next = 0;
  async function lane(): Promise<void> {
    for (let at = next++; at < names.length; at = next++) {
      const index = at;
      found[index] = await inThread(
        { inputs, request: { ...request, names: [names[index]] }, seed },
        workers,
        (share, what) => {
          shares[index] = share;
          onProgress(shares.reduce((sum, one) => sum + one, 0) / names.length, what);
        },
      );
      shares[index] = 1;
    }
  }
  try {
    await Promise.all(Array.from({ length: Math.min(jobs, names.length) }, lane));
  } finally {
    for (const worker of workers) void worker.terminate();
  }
  const all = found.filter((one) => one !== undefined);
  return {
    ...(request.protocol !== undefined && { protocol: request.protocol }),
    results: all.flatMap(({ results }) => results),
    leftOut: all.flatMap(({ leftOut }) => leftOut),
  };
}

function inThread(task: ScoreTask, workers: Set<Worker>, onProgress: Options['onProgress']): Promise<Scores> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(builtFile('use/score-thread.js'), { workerData: task });
    workers.add(worker);
    worker.on('error', reject);
    worker.on('message', (message: ScoreMessage) => {
      if (message.kind === 'progress') onProgress(message.share, message.what);
      if (message.kind === 'failed')
        reject(new UntangleError(message.message, { hint: message.hint, kind: message.errorKind }));
      if (message.kind !== 'done') return;
      workers.delete(worker);
      resolve(message.scores);
    });
  });
}
