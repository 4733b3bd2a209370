/** A team's thread: holds a replica, waits for orders in shared memory, and carries them out. */
import { carryOutOrders } from '../../orders.ts';
import { copyValues, type OpenGraphOptions } from '../backend.ts';
import { Replica } from '../replica.ts';
import type { StepPlan } from '../step.ts';
import type { Place } from '../store.ts';
import { nodeBackend } from './backend.ts';
import { commands, control, type SharedMemory, threadExchanger, viewOf } from './shared.ts';

/** A thread's whole life is one order; what it does in it, it reads from the counters in shared memory. */
export interface TeamWork {
  order: {
    worker: number;
    workers: number;
    memory: SharedMemory;
    plans: StepPlan[];
    layout: [string, Place][];
    size: number;
    opening: OpenGraphOptions;
  };
  news: 'ready';
  result: undefined;
}

carryOutOrders<TeamWork>(async (order, tell) => {
  try {
    await work(order, () => tell('ready'));
  } catch (error) {
    // The others would wait for it.
    const words = new Int32Array(order.memory.control);
    Atomics.store(words, control.broken, 1);
    Atomics.notify(words, control.round);
    throw error;
  }
});

async function work(
  { worker, workers, memory, plans, layout, size, opening }: TeamWork['order'],
  tellReady: () => void,
): Promise<void> {
  const words = new Int32Array(memory.control);
  const exchanger = threadExchanger(memory, worker, workers);
  const replica = await Replica.open(await nodeBackend(), new Map(layout), size, plans, opening, exchanger);
  const terms = new Float32Array(memory.terms);
  const feeds = plans.map((plan, step) =>
    plan.feeds.map(({ name, type, rows }, i) => {
      const all = viewOf(memory.feeds[step][i].buffer, type);
      const own = replica.feed(plan.name, name);
      return { own, part: rows ? all.subarray(worker * own.length, (worker + 1) * own.length) : all };
    }),
  );
  tellReady();
  for (let order = 1; ; order++) {
    while (Atomics.load(words, control.order) < order) Atomics.wait(words, control.order, order - 1, 10_000);
    const command = Atomics.load(words, control.command);
    if (command === commands.stop) break;
    if (command === commands.step) {
      const step = Atomics.load(words, control.step);
      for (const { own, part } of feeds[step]) copyValues(own, part);
      const result = await replica.step(plans[step].name, Atomics.load(words, control.count));
      if (worker === 0) terms.set(result);
    } else {
      moveState(replica, memory, plans, worker, command === commands.load);
    }
    Atomics.add(words, control.finished, 1);
    Atomics.notify(words, control.finished);
  }
  await replica.close();
}

/** Copies parameters and slots between the replica and shared memory. */
function moveState(replica: Replica, memory: SharedMemory, plans: StepPlan[], worker: number, load: boolean): void {
  if (load) replica.parameters.set(new Float32Array(memory.parameters));
  for (const [step, plan] of plans.entries()) {
    for (const { group, slot, buffer } of memory.slots[step]) {
      const own = replica.slot(plan.name, group, slot);
      const shared = new Float32Array(buffer, 4 * worker * own.length, own.length);
      if (load) own.set(shared);
      else shared.set(own);
    }
  }
}
