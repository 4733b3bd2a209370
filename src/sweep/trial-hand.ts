/** What a process that carries out trials is told, and what it answers. */
import { UntangleError } from '../errors.ts';
import { startProcess } from '../orders.ts';
import type { Measure } from './plan.ts';

export interface TrialWork {
  order: { folder: string; until: number; measure: Measure };
  news: { step: number; rate: number } | { note: string };
  result:
    | { state: 'done'; step: number; seconds: number; values: Record<string, number> }
    | { state: 'stopped'; step: number };
}

/** The process ended before it had answered; what it was at goes on from its last checkpoint. */
export class LostProcess extends UntangleError {}

export function startTrialHand() {
  return startProcess<TrialWork>('sweep/trial-process.js', ({ how, said }) => {
    const hint = said === '' ? undefined : `It said: ${said.trim().split('\n')[0]}`;
    return new LostProcess(`The process of a trial ended ${how}.`, { hint });
  });
}
