/**
 * One worker's copy of a program: its sessions, its parameters, and its share of the optimisers' memory. It runs the phases
 * of a step one after the other and exchanges values with the other workers in between.
 */
import type { DataType } from '../tensor/index.ts';
import type { Backend, Bound, Session, SessionOptions, Values } from './backend.ts';
import type { Exchange, GroupPlan, PhasePlan, Source, StepPlan } from './step.ts';
import { cutSegments, type Layout, type Segment, segmentsOf } from './store.ts';

/** How workers reach each other. A lone worker needs none of it. */
export interface Exchanger {
  readonly worker: number;
  readonly workers: number;
  /** The memory of one worker for values it gives in a phase; all workers see it after `meet`. */
  given(worker: number, step: number, phase: number): Float32Array;
  /** Parameters as all workers agreed on them last. */
  readonly parameters: Float32Array;
  /** Waits until every worker is here. */
  meet(): void;
}

interface OpenPhase {
  plan: PhasePlan;
  session: Session;
  feeds: Record<string, Bound>;
  fetches: Record<string, Bound>;
}

interface OpenGroup {
  plan: GroupPlan;
  /** The group's runs in the flat parameters: all of them, and those of this worker. */
  all: Segment[];
  own: Segment[];
  /** This worker's parameters, as the update takes them. */
  share: Float32Array;
  slots: Map<string, Float32Array>;
}

interface OpenStep {
  plan: StepPlan;
  index: number;
  phases: OpenPhase[];
  groups: OpenGroup[];
  values: Map<number, Values>;
  feeds: Map<string, Values>;
  count: Float32Array;
}

export class Replica {
  readonly parameters: Float32Array;
  private readonly layout: Layout;
  private readonly exchanger: Exchanger | undefined;
  private readonly steps = new Map<string, OpenStep>();

  private constructor(layout: Layout, size: number, exchanger: Exchanger | undefined) {
    this.layout = layout;
    this.parameters = new Float32Array(size);
    this.exchanger = exchanger;
  }

  static async open(
    backend: Backend,
    layout: Layout,
    size: number,
    plans: readonly StepPlan[],
    options: SessionOptions,
    exchanger?: Exchanger,
  ): Promise<Replica> {
    const replica = new Replica(layout, size, exchanger);
    for (const [index, plan] of plans.entries())
      replica.steps.set(plan.name, await replica.openStep(backend, plan, index, options));
    return replica;
  }

  /** The memory into which a step's feed is written. */
  feed(step: string, name: string): Values {
    return this.steps.get(step)!.feeds.get(name)!;
  }

  /** This worker's share of what a group's optimiser remembers. */
  slot(step: string, group: string, slot: string): Float32Array {
    return this.steps
      .get(step)!
      .groups.find(({ plan }) => plan.name === group)!
      .slots.get(slot)!;
  }

  /** Runs a step on what was fed and gives its terms. State stays as it was if one of them is not finite. */
  async step(name: string, count: number): Promise<Float32Array> {
    const step = this.steps.get(name)!;
    step.count[0] = count;
    for (const group of step.groups) this.readShare(group);
    for (const [index, phase] of step.phases.entries()) {
      await phase.session.run(phase.feeds, phase.fetches);
      if (phase.plan.exchanges.length > 0) this.exchange(step, phase.plan.exchanges, index);
    }
    const terms = step.values.get(step.plan.termsId);
    if (!(terms instanceof Float32Array)) throw new Error('terms are numbers');
    if (terms.every(Number.isFinite)) this.keep(step);
    return terms;
  }

  async close(): Promise<void> {
    for (const step of this.steps.values()) for (const phase of step.phases) await phase.session.close();
  }

  private async openStep(backend: Backend, plan: StepPlan, index: number, options: SessionOptions): Promise<OpenStep> {
    const worker = this.exchanger?.worker ?? 0;
    const values = new Map<number, Values>();
    const feeds = new Map<string, Values>();
    for (const { outputs, received } of plan.phases) {
      for (const { id, shape, type } of [...outputs, ...received]) values.set(id, allocate(shape, type));
    }
    for (const { name, shape, type, rows } of plan.feeds) {
      feeds.set(name, allocate(rows ? [shape[0] / plan.workers, ...shape.slice(1)] : shape, type));
    }
    const groups = plan.groups.map((group) => this.openGroup(group, worker));
    const count = new Float32Array(1);
    const numbersOf = (source: Source): Values => {
      if (source.kind === 'feed') return feeds.get(source.name)!;
      if (source.kind === 'value') return values.get(source.id)!;
      if (source.kind === 'count') return count;
      if (source.kind === 'share') {
        const group = groups[source.group];
        return source.slot === undefined ? group.share : group.slots.get(source.slot)!;
      }
      const place = this.layout.get(source.name)!;
      return this.parameters.subarray(place.offset, place.offset + place.size);
    };
    const phases: OpenPhase[] = [];
    for (const phase of plan.phases) {
      const feedsOfPhase: Record<string, Bound> = {};
      for (const { name, shape, type, source } of phase.inputs)
        feedsOfPhase[name] = backend.bind(numbersOf(source), shape, type);
      const fetches: Record<string, Bound> = {};
      for (const { name, shape, type, id } of phase.outputs) fetches[name] = backend.bind(values.get(id)!, shape, type);
      const session = await backend.open(phase.models[worker], options);
      phases.push({ plan: phase, session, feeds: feedsOfPhase, fetches });
    }
    return { plan, index, phases, groups, values, feeds, count };
  }

  private openGroup(plan: GroupPlan, worker: number): OpenGroup {
    const all = segmentsOf(plan.parameters, this.layout);
    const own = cutSegments(all, worker * plan.share, (worker + 1) * plan.share);
    const exact = own.length === 1 && own[0].end - own[0].start === plan.share;
    const share = exact ? this.parameters.subarray(own[0].start, own[0].end) : new Float32Array(plan.share);
    const slots = new Map(plan.slots.map((slot) => [slot, new Float32Array(plan.share)]));
    return { plan, all, own, share, slots };
  }

  private readShare({ share, own }: OpenGroup): void {
    if (share.buffer === this.parameters.buffer) return;
    let place = 0;
    for (const { start, end } of own) {
      share.set(this.parameters.subarray(start, end), place);
      place += end - start;
    }
  }

  /** Gives this worker's values of a phase to the others, and takes theirs. */
  private exchange(step: OpenStep, list: readonly Exchange[], phase: number): void {
    const exchanger = this.exchanger!;
    const { worker, workers } = exchanger;
    const own = exchanger.given(worker, step.index, phase);
    let place = 0;
    for (const { from, size } of list) {
      own.set(floats(step.values.get(from)!), place);
      place += size;
    }
    exchanger.meet();
    const given = Array.from({ length: workers }, (_, other) => exchanger.given(other, step.index, phase));
    place = 0;
    for (const { kind, to, size } of list) {
      const result = floats(step.values.get(to)!);
      if (kind === 'wholeBatch') {
        for (let other = 0; other < workers; other++)
          result.set(given[other].subarray(place, place + size), other * size);
      } else {
        const offset = kind === 'sumShare' ? worker * result.length : 0;
        addUp(result, given, place + offset);
      }
      place += size;
    }
  }

  /** Takes over a step's new parameters and slots. */
  private keep(step: OpenStep): void {
    const target = this.exchanger?.parameters ?? this.parameters;
    for (const group of step.groups) {
      const fresh = floats(step.values.get(group.plan.parameterId)!);
      let place = 0;
      for (const { start, end } of group.own) {
        target.set(fresh.subarray(place, place + end - start), start);
        place += end - start;
      }
      for (const [i, slot] of group.plan.slots.entries()) {
        group.slots.get(slot)!.set(floats(step.values.get(group.plan.slotIds[i])!));
      }
    }
    if (this.exchanger !== undefined) {
      this.exchanger.meet();
      for (const { all } of step.groups) {
        for (const { start, end } of all) this.parameters.set(target.subarray(start, end), start);
      }
    }
    for (const { parameter, id } of step.plan.assigns) {
      const { offset } = this.layout.get(parameter)!;
      this.parameters.set(floats(step.values.get(id)!), offset);
      if (this.exchanger?.worker === 0) target.set(floats(step.values.get(id)!), offset);
    }
  }
}

/** Sums what workers gave, always in their order, so that the result does not depend on who came first. */
function addUp(result: Float32Array, given: readonly Float32Array[], offset: number): void {
  const [first, second, ...others] = given;
  for (let i = 0; i < result.length; i++) result[i] = first[offset + i] + second[offset + i];
  for (const other of others) for (let i = 0; i < result.length; i++) result[i] += other[offset + i];
}

export function allocate(shape: readonly number[], type: DataType): Values {
  const size = shape.reduce((product, dimension) => product * dimension, 1);
  if (type === 'float32') return new Float32Array(size);
  return type === 'int64' ? new BigInt64Array(size) : new Uint8Array(size);
}

function floats(values: Values): Float32Array {
  if (values instanceof Float32Array) return values;
  throw new TypeError('only float32 values are exchanged or kept');
}
