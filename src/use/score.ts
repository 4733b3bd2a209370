/** `score`: metrics over anybody's codes, in worker threads with one metric at a time in each, so that heavy ones share the machine. */
import { type Inputs, requestedNames, type ScoreRequest, type Scores, scoreAll } from '../metrics/index.ts';
import { type OtherThread, startThread } from '../orders.ts';

export interface Scoring {
  order: { inputs: Inputs; request: ScoreRequest; seed: number };
  news: { share: number; what: string };
  result: Scores;
}

export interface ScoreOptions {
  seed?: number;
  /** How many threads; with one, this one does the work. */
  jobs?: number;
  onProgress?: (share: number, what: string) => void;
}

/**
 * The same as `scoreAll`, with metrics spread over threads.
 *
 * @example const { results, leftOut } = await score(await readInputs({ codes: 'codes.npz' }), { names: ['mig'] }, { jobs: 4 })
 */
export async function score(
  inputs: Inputs,
  request: ScoreRequest = {},
  { seed = 0, jobs = 1, onProgress = () => {} }: ScoreOptions = {},
): Promise<Scores> {
  const names = requestedNames(request);
  if (jobs === 1 || names.length < 2) return scoreAll(inputs, request, { seed, onProgress });
  const shares = new Array<number>(names.length).fill(0);
  const found = new Array<Scores | undefined>(names.length);
  const threads = new Set<OtherThread>();
  let next = 0;
  async function lane(): Promise<void> {
    for (let at = next++; at < names.length; at = next++) {
      const index = at;
      const order = { inputs, request: { ...request, names: [names[index]] }, seed };
      const { thread, result } = startThread<Scoring>('use/score-thread.js', order, ({ share, what }) => {
        shares[index] = share;
        onProgress(shares.reduce((sum, one) => sum + one, 0) / names.length, what);
      });
      threads.add(thread);
      found[index] = await result;
      threads.delete(thread);
      shares[index] = 1;
    }
  }
  try {
    await Promise.all(Array.from({ length: Math.min(jobs, names.length) }, lane));
  } finally {
    for (const thread of threads) void thread.terminate();
  }
  const all = found.filter((one) => one !== undefined);
  return {
    protocol: request.protocol,
    results: all.flatMap(({ results }) => results),
    leftOut: all.flatMap(({ leftOut }) => leftOut),
  };
}
