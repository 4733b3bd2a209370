/**
 * Rows over workers: threads that each run a step on their own rows of the batch, with one-threaded graphs. Faster than
 * threads inside the runtime, since the products of one image are too small to be shared.
 */
import { UntangleError } from '../../errors.ts';
import { type OtherThread, startThread } from '../../orders.ts';
import { copyValues, type OpenGraphOptions } from '../backend.ts';
import type { Engine } from '../program.ts';
import type { StepPlan } from '../step.ts';
import type { Layout } from '../store.ts';
import { commands, control, shareMemory, viewOf } from './shared.ts';
import type { TeamWork } from './worker.ts';

/** Starts a team's threads and waits until all have opened their graphs. */
export async function openTeam(
  layout: Layout,
  size: number,
  plans: readonly StepPlan[],
  workers: number,
  opening: OpenGraphOptions,
): Promise<Engine> {
  const memory = shareMemory(plans, size, workers);
  const words = new Int32Array(memory.control);
  const parameters = new Float32Array(memory.parameters);
  const terms = new Float32Array(memory.terms);
  let fail: (error: UntangleError) => void = () => {};
  const failed = new Promise<never>((_, reject) => {
    fail = reject;
  });
  failed.catch(() => {});
  const threads: OtherThread[] = [];
  const ended: Promise<void>[] = [];
  const ready = Array.from({ length: workers }, (_, worker) => {
    const order = { worker, workers, memory, plans: [...plans], layout: [...layout], size, opening };
    return new Promise<void>((resolve) => {
      const { thread, result } = startThread<TeamWork>('runtime/node/worker.js', order, () => resolve());
      threads.push(thread);
      ended.push(new Promise((done) => thread.once('exit', () => done())));
      result.catch((cause) => fail(new UntangleError(`A worker failed: ${cause.message}`, { cause })));
    });
  });
  await Promise.race([Promise.all(ready), failed]);
  for (const thread of threads) thread.unref();

  /** Gives all threads an order, and waits until the last has carried it out. */
  async function order(command: number): Promise<void> {
    Atomics.store(words, control.command, command);
    Atomics.store(words, control.finished, 0);
    Atomics.add(words, control.order, 1);
    Atomics.notify(words, control.order);
    if (command === commands.stop) return;
    // A thread keeps the process alive only while an order is under way.
    threads[0].ref();
    await Promise.race([finished(), failed]);
    threads[0].unref();
  }

  async function finished(): Promise<void> {
    for (let done = 0; done < workers; done = Atomics.load(words, control.finished)) {
      const wait = Atomics.waitAsync(words, control.finished, done);
      if (wait.async) await wait.value;
    }
  }

  return {
    workers,
    feed(step, name, values) {
      const index = plans.findIndex((plan) => plan.name === step);
      const feed = plans[index].feeds.findIndex((one) => one.name === name);
      copyValues(viewOf(memory.feeds[index][feed].buffer, plans[index].feeds[feed].type), values);
    },
    async step(name, count) {
      Atomics.store(
        words,
        control.step,
        plans.findIndex((plan) => plan.name === name),
      );
      Atomics.store(words, control.count, count);
      await order(commands.step);
      return terms;
    },
    parameters: () => parameters,
    slots: async () => {
      await order(commands.save);
      return plans.map((plan, i) => ({
        step: plan.name,
        slots: memory.slots[i].map(({ group, slot, buffer }) => ({ group, slot, values: new Float32Array(buffer) })),
      }));
    },
    async load(values, slots) {
      parameters.set(values);
      for (const { step, group, slot, values: given } of slots) {
        const index = plans.findIndex((plan) => plan.name === step);
        const place = memory.slots[index].find((one) => one.group === group && one.slot === slot)!;
        new Float32Array(place.buffer).set(given);
      }
      await order(commands.load);
    },
    async close() {
      // Threads end by themselves: one that is stopped while it closes its graphs takes the process down with it.
      for (const thread of threads) thread.ref();
      await order(commands.stop);
      await Promise.all(ended);
    },
  };
}
