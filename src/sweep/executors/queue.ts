/**
 * Jobs through a queue on Redis or Valkey (BullMQ): whoever has the sweep puts them in, workers on any machine that reaches the
 * queue and the sweep's store take them out. The queue is only a hint. What is lost from it is put in again, and what it gives out
 * twice is done once, since a trial's lease and result are in the store.
 */
import { availableParallelism } from 'node:os';
import type { Queue, QueueEvents } from 'bullmq';
import { UntangleError } from '../../errors.ts';
import type { Carrier, TrialJob, TrialOutcome } from '../carry-out.ts';
import { openSweepAt, type Sweep } from '../sweep.ts';
import { childrenExecutor } from './children.ts';
import type { Executor, JobHooks } from './executor.ts';

/** What stands in the queue. */
interface Ticket {
  /** The address of the sweep. */
  sweep: string;
  trial: string;
  until: number;
}

const queueName = 'untangle';

/** A sweep of any size is put in at once; the queue holds it, not this process. */
const mostQueued = 100_000;

/** @example isQueue('redis://localhost:6379') // true */
export const isQueue = (address: string) => /^rediss?:\/\//.test(address);

/** @example queueExecutor('redis://localhost:6379', sweep) */
export async function queueExecutor(url: string, { address, plan, index }: Sweep): Promise<Executor> {
  const { Queue, QueueEvents } = await library();
  const connection = connectionOf(url);
  const queue: Queue<Ticket, TrialOutcome> = new Queue(queueName, { connection });
  const events: QueueEvents = new QueueEvents(queueName, { connection });
  // Redis that is away for a while comes back; each waits for it by itself.
  queue.on('error', () => {});
  events.on('error', () => {});
  await events.waitUntilReady();
  const waiting = new Map<
    string,
    { resolve: (outcome: TrialOutcome) => void; reject: (error: unknown) => void; hooks: JobHooks }
  >();
  events.on('completed', ({ jobId, returnvalue }) =>
    waiting.get(jobId)?.resolve(returnvalue as unknown as TrialOutcome),
  );
  events.on('failed', ({ jobId, failedReason }) => waiting.get(jobId)?.reject(new UntangleError(failedReason)));
  events.on('progress', ({ jobId, data }) => {
    const { step, rate } = data as { step: number; rate: number };
    waiting.get(jobId)?.hooks.onStep?.(step, rate);
  });

  const put = async ({ trial, until }: TrialJob) => {
    const ticket: Ticket = { sweep: address, trial: trial.name, until };
    // A promotion goes before what is new, as it would on one machine.
    const rung = plan.rungs.steps.findIndex((step) => step >= until);
    await queue.add('trial', ticket, {
      jobId: idOf({ trial, until }),
      priority: plan.rungs.steps.length - rung,
      removeOnComplete: true,
      removeOnFail: true,
    });
  };
  return {
    slots: mostQueued,
    async carryOut(job, hooks) {
      const id = idOf(job);
      await put(job);
      let timer: NodeJS.Timeout | undefined;
      const onAbort = () => waiting.get(id)?.resolve({ kind: 'stopped' });
      try {
        return await new Promise<TrialOutcome>((resolve, reject) => {
          waiting.set(id, { resolve, reject, hooks });
          hooks.signal.addEventListener('abort', onAbort);
          if (hooks.signal.aborted) onAbort();
          // An event may be lost with the connection, and a job with Redis itself: the store knows, and the job is put in again.
          const check = async () => {
            await index.look(job.trial);
            const result = index.resultAt(job.trial, job.until);
            if (result) return resolve({ kind: 'done', result });
            if (!index.isHeld(job.trial) && !(await queue.getJob(id))) await put(job);
          };
          timer = setInterval(() => void check().catch(() => {}), checkEvery);
        });
      } finally {
        clearInterval(timer);
        hooks.signal.removeEventListener('abort', onAbort);
        waiting.delete(id);
      }
    },
    async close() {
      await Promise.all([queue.close(), events.close()]);
    },
  };
}

const checkEvery = 5_000;

export interface QueueWorkerOptions {
  /** Trials at once; one for each core unless given. */
  jobs?: number;
  signal?: AbortSignal;
  onNote?: (sentence: string) => void;
  onProgress?: (done: number, running: number) => void;
  /** Who trains, in place of processes. */
  carrier?: Carrier;
}

/** Takes jobs from a queue and carries them out in processes of this machine, until it is asked to stop. */
export async function workFromQueue(
  url: string,
  { jobs = availableParallelism(), ...options }: QueueWorkerOptions = {},
): Promise<void> {
  const { Worker } = await library();
  const sweeps = new Map<string, ReturnType<typeof open>>();
  const executors: Executor[] = [];
  /** The sweep that holds a trial; read again if it has grown since. */
  const opened = async (address: string, trial: string) => {
    const known = sweeps.get(address);
    if (known && (await known).trials.has(trial)) return await known;
    const fresh = open(address);
    sweeps.set(address, fresh);
    return await fresh;
  };
  const open = async (address: string) => {
    const sweep = await openSweepAt(address);
    const trials = new Map(sweep.plan.configurations.flatMap((one) => one.trials.map((trial) => [trial.name, trial])));
    const executor = childrenExecutor(sweep, jobs, options.carrier);
    executors.push(executor);
    return { trials, executor };
  };
  const stop = new AbortController();
  let done = 0;
  let running = 0;
  let leave = () => {};
  const left = new Promise<void>((resolve) => {
    leave = resolve;
    if (options.signal?.aborted) resolve();
    options.signal?.addEventListener('abort', () => resolve());
  });
  const worker = new Worker<Ticket, TrialOutcome>(
    queueName,
    async (job) => {
      const { sweep, trial: name, until } = job.data;
      const { trials, executor } = await opened(sweep, name);
      const trial = trials.get(name);
      if (trial === undefined) throw new UntangleError(`The sweep in “${sweep}” has no trial “${name}”.`);
      options.onProgress?.(done, ++running);
      try {
        const outcome = await executor.carryOut(
          { trial, until },
          {
            signal: stop.signal,
            onStep: (step, rate) => void job.updateProgress({ step, rate }).catch(() => {}),
            onNote: options.onNote,
          },
        );
        if (outcome.kind === 'done') done++;
        return outcome;
      } catch (error) {
        // This machine is in trouble: it leaves the work to others.
        options.onNote?.(error instanceof Error ? error.message : String(error));
        leave();
        return { kind: 'stopped' };
      } finally {
        options.onProgress?.(done, --running);
      }
    },
    { connection: { ...connectionOf(url), maxRetriesPerRequest: null }, concurrency: jobs },
  );
  worker.on('error', (error) => {
    if (!/ECONNREFUSED|ECONNRESET|Connection is closed/.test(error.message)) options.onNote?.(error.message);
  });
  await left;
  stop.abort();
  await worker.close();
  for (const executor of executors) await executor.close();
}

/** No colon: BullMQ keeps it for itself. */
const idOf = ({ trial, until }: TrialJob) => `${trial.name}-${until}`;

function connectionOf(url: string) {
  const { hostname, port, username, password, pathname } = new URL(url);
  return {
    host: hostname,
    port: port === '' ? 6379 : Number(port),
    username: username === '' ? undefined : decodeURIComponent(username),
    password: password === '' ? undefined : decodeURIComponent(password),
    db: pathname.length > 1 ? Number(pathname.slice(1)) : 0,
    maxRetriesPerRequest: null,
  };
}

async function library(): Promise<typeof import('bullmq')> {
  try {
    return await import('bullmq');
  } catch (error) {
    throw new UntangleError('A queue needs the packages bullmq and ioredis, which are not installed.', {
      kind: 'call',
      hint: 'Install them with “npm install bullmq ioredis”.',
      cause: error,
    });
  }
}
