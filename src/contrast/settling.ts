/** Whether a training had settled: a report on a model that was still learning says so. */
import { join } from 'node:path';
import { percent } from '../drawing/index.ts';
import { readLog } from '../runs/index.ts';

/** A loss that fell by more than this share of its whole fall in the last quarter of the steps had not settled. */
const unsettled = 0.03;
const fewestLines = 12;

/** A sentence where the loss was still falling. */
export async function settling(folder: string): Promise<string | undefined> {
  const losses: number[] = [];
  try {
    for await (const line of readLog(join(folder, 'log.jsonl'))) {
      const loss = line.terms.loss;
      if (typeof loss === 'number' && Number.isFinite(loss)) losses.push(loss);
    }
  } catch {
    // A run without a log, as an older version or a copy of the model alone has, says nothing of its training.
    return undefined;
  }
  if (losses.length < fewestLines) return undefined;
  const quarter = Math.floor(losses.length / 4);
  const mean = (from: number) => losses.slice(from, from + quarter).reduce((sum, loss) => sum + loss, 0) / quarter;
  const [last, before] = [mean(losses.length - quarter), mean(losses.length - 2 * quarter)];
  const fell = (before - last) / Math.max(1e-12, losses[0] - last);
  if (fell <= unsettled) return undefined;
  return `The loss was still falling when the training ended, by ${percent(fell)} of its whole fall in the last quarter of the steps: more steps would bring factors out more clearly.`;
}
