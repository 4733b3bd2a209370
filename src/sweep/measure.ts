/** The numbers of a trial that has come to a rung: metrics of its model, and the terms that it logged last. */
import { join } from 'node:path';
import { lastLine, type Run } from '../runs/index.ts';
import { evaluate } from '../use/index.ts';
import type { Measure } from './plan.ts';

/** `mig` is a metric's score, `mig.gaps` one of its parts, and `loss` a term of the training. A metric has its name first. */
export async function measureTrial(
  run: Run,
  { names, options, protocol, part, items }: Measure,
  onProgress: (share: number, what: string) => void,
): Promise<Record<string, number>> {
  const values: Record<string, number> = {};
  for (const [term, value] of Object.entries(lastLine(join(run.folder, 'log.jsonl'))?.terms ?? {}))
    if (Number.isFinite(value)) values[term] = value;
  if (names?.length === 0) return values;
  const { scores } = await evaluate(run, { names, options, protocol, part, items, onProgress });
  for (const { name, score, parts } of scores.results) {
    if (Number.isFinite(score)) values[name] = score;
    for (const [of, value] of Object.entries(parts))
      if (typeof value === 'number' && Number.isFinite(value)) values[`${name}.${of}`] = value;
  }
  return values;
}
