/**
 * Jobs on this machine: a process for each slot, which carries out one trial after the other, so that a short trial does not pay
 * for the start of the runtime.
 */
import { type Carrier, carryOut } from '../carry-out.ts';
import type { Sweep } from '../sweep.ts';
import { startTrialHand } from '../trial-hand.ts';
import type { Executor } from './executor.ts';

type Hand = ReturnType<typeof startTrialHand>;

/**
 * Carries out the jobs of a sweep in so many processes.
 *
 * @param carrier who trains, in place of processes
 */
export function childrenExecutor(
  { store, watch, plan }: Pick<Sweep, 'store' | 'watch' | 'plan'>,
  slots: number,
  carrier?: Carrier,
): Executor {
  const idle: Hand[] = [];
  const all = new Set<Hand>();

  const byProcess: Carrier = async (order, onNews, signal) => {
    const hand = idle.pop() ?? startTrialHand();
    all.add(hand);
    // A process that was asked to stop ends after this trial, so another takes its place.
    const stop = () => hand.process.kill('SIGTERM');
    signal.addEventListener('abort', stop);
    if (signal.aborted) stop();
    try {
      return await hand.order(order, onNews);
    } finally {
      signal.removeEventListener('abort', stop);
      const isUsable = hand.process.connected && hand.process.exitCode === null && !signal.aborted;
      if (isUsable) idle.push(hand);
      else release(hand);
    }
  };
  const release = (hand: Hand) => {
    all.delete(hand);
    if (hand.process.connected) hand.process.disconnect();
  };
  return {
    slots,
    carryOut: (job, { signal, onStep, onNote }) =>
      carryOut(job, {
        store,
        watch,
        measure: plan.measure,
        carrier: carrier ?? byProcess,
        signal,
        onNews: (news) => ('note' in news ? onNote?.(news.note) : onStep?.(news.step, news.rate)),
      }),
    async close() {
      for (const hand of all) release(hand);
    },
  };
}
