/**
 * A choice of settings that needs to know no factor: how far the models of a setting's seeds take the data apart in the same way
 * (UDR, Duan and others, 2020), each compared with those of the other seeds.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { evaluate } from '../../use/index.ts';
import type { Sweep } from '../sweep.ts';
import { folderIn } from '../trial.ts';
import type { Summary } from './summary.ts';

export interface Agreement {
  /** The row of the summary. */
  row: number;
  /** The mean over seeds. */
  udr: number;
  /** Each seed's own: the median of how far its model agrees with the others. */
  seeds: { seed: number; udr: number }[];
}

/** So many items tell dimensions apart well enough. */
const items = 1_000;

/** For the settings that came furthest, the ones whose models agree most first. Empty where there is only one seed. */
export async function agreements(
  { store, plan }: Pick<Sweep, 'store' | 'plan'>,
  { rows }: Summary,
  onProgress: (share: number, what: string) => void = () => {},
): Promise<Agreement[]> {
  const furthest = Math.max(0, ...rows.map(({ step }) => step));
  const able = [...rows.entries()].filter(([, { step, seeds }]) => step > 0 && step === furthest && seeds.length > 1);
  const found: Agreement[] = [];
  const scratch = await mkdtemp(join(tmpdir(), 'untangle-udr-'));
  try {
    for (const [at, [row, { seeds }]] of able.entries()) {
      const runs: string[] = [];
      for (const { trial, folder } of seeds) {
        const run = folderIn(trial, await store.list(folder));
        if (run !== undefined) runs.push(await store.checkOut(run));
      }
      if (runs.length < seeds.length) continue;
      const { scores } = await evaluate(runs[0], {
        names: ['udr'],
        others: runs.slice(1),
        part: plan.measure.part,
        items,
        // What a trial was measured with stays as it is.
        out: join(scratch, 'udr.json'),
        onProgress: (share, what) => onProgress((at + share) / able.length, what),
      });
      const [result] = scores.results;
      const perModel = result?.parts.perModel;
      if (result === undefined || !Array.isArray(perModel)) continue;
      found.push({
        row,
        udr: result.score,
        seeds: seeds.map(({ seed }, i) => ({ seed, udr: Number(perModel[i]) })),
      });
    }
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
  return found.sort((a, b) => b.udr - a.udr);
}
