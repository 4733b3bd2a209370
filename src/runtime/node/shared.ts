/**
 * The memory that a team's workers and their leader share: feeds and state, what workers exchange, and the counters by
 * which they wait for each other. A plain description of it is sent to each thread.
 */
import type { DataType } from '../../tensor/index.ts';
import type { Values } from '../backend.ts';
import type { Exchanger } from '../replica.ts';
import { isSolved } from '../solve.ts';
import type { StepPlan } from '../step.ts';

export const commands = { step: 1, save: 2, load: 3, stop: 4 } as const;

/** Places in the control words. */
export const control = {
  order: 0,
  command: 1,
  step: 2,
  count: 3,
  finished: 4,
  arrived: 5,
  round: 6,
  broken: 7,
} as const;

export interface SharedMemory {
  control: SharedArrayBuffer;
  parameters: SharedArrayBuffer;
  terms: SharedArrayBuffer;
  /** By step, then feed. */
  feeds: { name: string; buffer: SharedArrayBuffer }[][];
  /** By step, then group and slot: the whole of it, all workers' shares. */
  slots: { group: string; slot: string; buffer: SharedArrayBuffer }[][];
  /** By step, then phase, then worker. */
  exchanged: SharedArrayBuffer[][][];
  /** By step, then group, then worker. */
  gradients: SharedArrayBuffer[][][];
  /** Each worker's sum of its squared gradients. */
  squares: SharedArrayBuffer;
}

const bytes: Record<DataType, number> = { float32: 4, int64: 8, bool: 1 };

export function shareMemory(plans: readonly StepPlan[], parameters: number, workers: number): SharedMemory {
  return {
    control: new SharedArrayBuffer(4 * 16),
    parameters: new SharedArrayBuffer(4 * parameters),
    terms: new SharedArrayBuffer(4 * Math.max(1, ...plans.map((plan) => plan.terms.length))),
    feeds: plans.map((plan) =>
      plan.feeds.map(({ name, shape, type }) => ({
        name,
        buffer: new SharedArrayBuffer(bytes[type] * shape.reduce((product, dimension) => product * dimension, 1)),
      })),
    ),
    slots: plans.map((plan) =>
      plan.groups.flatMap((group) =>
        group.slots.map((slot) => ({
          group: group.name,
          slot,
          buffer: new SharedArrayBuffer(4 * group.share * workers),
        })),
      ),
    ),
    exchanged: plans.map((plan) =>
      plan.phases.map((phase) => {
        const size = phase.exchanges.reduce((sum, { kind, size: own }) => sum + (isSolved(kind) ? 0 : own), 0);
        return Array.from({ length: workers }, () => new SharedArrayBuffer(4 * size));
      }),
    ),
    gradients: plans.map((plan) =>
      plan.groups.map(({ share }) => Array.from({ length: workers }, () => new SharedArrayBuffer(4 * share * workers))),
    ),
    squares: new SharedArrayBuffer(8 * workers),
  };
}

/** A view of shared memory as values of a type. */
export function viewOf(buffer: SharedArrayBuffer, type: DataType): Values {
  if (type === 'float32') return new Float32Array(buffer);
  return type === 'int64' ? new BigInt64Array(buffer) : new Uint8Array(buffer);
}

/** The exchange between threads over shared memory. */
export function threadExchanger(memory: SharedMemory, worker: number, workers: number): Exchanger {
  const words = new Int32Array(memory.control);
  const views = (memories: SharedArrayBuffer[][][]) =>
    memories.map((step) => step.map((one) => one.map((buffer) => new Float32Array(buffer))));
  const given = views(memory.exchanged);
  const gradients = views(memory.gradients);
  return {
    worker,
    workers,
    parameters: new Float32Array(memory.parameters),
    given: (step, phase) => given[step][phase],
    gradients: (step, group) => gradients[step][group],
    squares: new Float64Array(memory.squares),
    meet: () => meet(words, workers),
  };
}

/** A barrier: the last to arrive wakes the others. */
function meet(words: Int32Array, workers: number): void {
  const round = Atomics.load(words, control.round);
  if (Atomics.add(words, control.arrived, 1) === workers - 1) {
    Atomics.store(words, control.arrived, 0);
    Atomics.add(words, control.round, 1);
    Atomics.notify(words, control.round);
    return;
  }
  while (Atomics.load(words, control.round) === round) {
    if (Atomics.load(words, control.broken) !== 0) throw new Error('another worker failed');
    Atomics.wait(words, control.round, round, 1000);
  }
}
