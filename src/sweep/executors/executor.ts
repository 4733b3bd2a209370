/** Where the jobs of a sweep are carried out: on this machine, or through a queue on others. */
import type { TrialJob, TrialOutcome } from '../carry-out.ts';

export interface JobHooks {
  /** Asks that the job stop with a checkpoint. */
  signal: AbortSignal;
  /** The step that its training has come to, and how many it makes a second. */
  onStep?(step: number, rate: number): void;
  onNote?(sentence: string): void;
}

export interface Executor {
  /** How many jobs it takes at once. */
  readonly slots: number;
  /** Carries a job out; its result is in the store when this is done. Fails with the error of the trial. */
  carryOut(job: TrialJob, hooks: JobHooks): Promise<TrialOutcome>;
  close(): Promise<void>;
}
