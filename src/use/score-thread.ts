/** A thread that measures one metric and tells how far it is. */
import { parentPort, workerData } from 'node:worker_threads';
import { UntangleError } from '../errors.ts';
import { scoreAll } from '../metrics/index.ts';
import type { ScoreMessage, ScoreTask } from './score-threads.ts';

const { inputs, request, seed }: ScoreTask = workerData;
const tell = (message: ScoreMessage) => parentPort!.postMessage(message);
try {
  const scores = scoreAll(inputs, request, {
    seed,
    onProgress: (share, what) => tell({ kind: 'progress', share, what }),
  });
  tell({ kind: 'done', scores });
} catch (error) {
  const known =
    error instanceof UntangleError ? error : new UntangleError(error instanceof Error ? error.message : String(error));
  tell({ kind: 'failed', message: known.message, hint: known.hint, errorKind: known.kind });
}
