/** Many runs: what is searched, where it is carried out, where its truth lives, and what came out. */
export { type Advice, type AdviceRequest, type AdviceRow, adviceOf, advise, planAdvice } from './advise.ts';
export { type Carrier, type CarryOutOptions, carryOut, type TrialJob, type TrialOutcome } from './carry-out.ts';
export { childrenExecutor } from './executors/children.ts';
export type { Executor, JobHooks } from './executors/executor.ts';
export { type JobRequest, jobManifest } from './executors/kubernetes.ts';
export { isQueue, type QueueWorkerOptions, queueExecutor, workFromQueue } from './executors/queue.ts';
export { isSlurm, releaseHeld, type Submission, slurmExecutor, submitToSlurm } from './executors/slurm.ts';
export { type Estimate, estimate, type HereOptions, runHere } from './here.ts';
export { type Lease, type LeaseWatch, watchLeases } from './lease.ts';
export { type FollowOptions, followOptuna, journalOf } from './optuna/follow.ts';
export type { Configuration, Measure, Plan } from './plan.ts';
export { type Agreement, agreements } from './report/agreement.ts';
export { type Importance, importances } from './report/importance.ts';
export { agreementSentence, bestText, sweepPage, tableOf } from './report/page.ts';
export { type Summary, type SummaryRow, summarise } from './report/summary.ts';
export { trialColumns, trialsParquet } from './report/trials-table.ts';
export { type RunSweepOptions, runSweep, type SweepProgress } from './run-sweep.ts';
export { paretoFront, ranked, type SweepObjective } from './search/ranking.ts';
export type { Point, SearchDimension, Space, Value } from './search/space.ts';
export { folderStore } from './store/folder.ts';
export { isS3 } from './store/s3.ts';
export type { Store } from './store/store.ts';
export {
  forgetFailures,
  openSweep,
  openSweepAt,
  parseSweepFile,
  readSweepFile,
  type Sweep,
  type SweepOptions,
  storeAt,
  sweepNameOf,
} from './sweep.ts';
export { checkSweepFile, planSweep, type SweepFile } from './sweep-file.ts';
export { SweepIndex } from './sweep-index.ts';
export { folderIn, type Trial, type TrialResult, trialFolder, trialOf } from './trial.ts';
