/**
 * One worker's copy of a program: its open graphs, its parameters, and its share of the optimisers' memory. It runs the phases
 * of a step one after the other and exchanges values with the other workers in between.
 */
import type { DataType } from '../tensor/index.ts';
import type { Backend, Bound, OpenGraph, OpenGraphOptions, Values } from './backend.ts';
import { GroupShare, PiecewiseUpdate } from './group.ts';
import { isSolved, solve } from './solve.ts';
import type { PhaseInput, Source } from './sources.ts';
import type { Exchange, PhasePlan, StepPlan } from './step.ts';
import type { Layout } from './store.ts';
import { clipEpsilon } from './updates.ts';

/** How workers reach each other. A lone worker needs none of it. */
export interface Exchanger {
  readonly worker: number;
  readonly workers: number;
  /** What each worker gives in a phase; all workers see it after `meet`. */
  given(step: number, phase: number): readonly Float32Array[];
  /** What each worker gives of a group's gradient. */
  gradients(step: number, group: number): readonly Float32Array[];
  /** Each worker's sum of the squared gradients of its share. */
  readonly squares: Float64Array;
  /** Parameters as all workers agreed on them last. */
  readonly parameters: Float32Array;
  /** Waits until every worker is here. */
  meet(): void;
}

interface OpenPhase {
  plan: PhasePlan;
  graph: OpenGraph;
  feeds: Record<string, Bound>;
  fetches: Record<string, Bound>;
}

interface OpenGroup {
  share: GroupShare;
  /** The gradients as the phases give them, one after the other. */
  gradient: Float32Array;
  update: PiecewiseUpdate | undefined;
}

interface OpenStep {
  plan: StepPlan;
  index: number;
  phases: OpenPhase[];
  groups: OpenGroup[];
  values: Map<number, Values>;
  feeds: Map<string, Values>;
  count: Float32Array;
  /** What gradients are scaled by to clip their norm. */
  scale: Float32Array;
}

export class Replica {
  readonly parameters: Float32Array;
  /** The parameters, with room behind them for a share that runs past the end. */
  private readonly flat: Float32Array;
  private readonly layout: Layout;
  private readonly exchanger: Exchanger | undefined;
  private readonly steps = new Map<string, OpenStep>();

  private constructor(layout: Layout, size: number, plans: readonly StepPlan[], exchanger: Exchanger | undefined) {
    const shares = plans.flatMap((plan) => plan.groups.map(({ share }) => share));
    this.layout = layout;
    this.flat = new Float32Array(size + Math.max(0, ...shares));
    this.parameters = this.flat.subarray(0, size);
    this.exchanger = exchanger;
  }

  static async open(
    backend: Backend,
    layout: Layout,
    size: number,
    plans: readonly StepPlan[],
    options: OpenGraphOptions,
    exchanger?: Exchanger,
  ): Promise<Replica> {
    const replica = new Replica(layout, size, plans, exchanger);
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
      .groups.find(({ share }) => share.plan.name === group)!
      .share.vectors.get(slot)!;
  }

  /** Runs a step on what was fed and gives its terms. State stays as it was if one of them is not finite. */
  async step(name: string, count: number): Promise<Float32Array> {
    const step = this.steps.get(name)!;
    step.count[0] = count;
    for (const { share } of step.groups) share.read();
    for (const [index, phase] of step.phases.entries()) {
      await phase.graph.run(phase.feeds, phase.fetches);
      const exchanged = phase.plan.exchanges.filter(({ kind }) => !isSolved(kind));
      if (exchanged.length > 0) this.exchange(step, exchanged, index);
      for (const one of phase.plan.exchanges)
        if (isSolved(one.kind)) solve(one.kind, step.values.get(one.from)!, step.values.get(one.to)!);
    }
    const terms = floats(step.values.get(step.plan.termsId)!);
    if (!terms.every(Number.isFinite)) return terms;
    if (this.exchanger === undefined) this.keep(step);
    else await this.update(step, this.exchanger);
    for (const { parameter, id } of step.plan.assigns) {
      const { offset } = this.layout.get(parameter)!;
      const value = floats(step.values.get(id)!);
      this.parameters.set(value, offset);
      if (this.exchanger?.worker === 0) this.exchanger.parameters.set(value, offset);
    }
    return terms;
  }

  async close(): Promise<void> {
    for (const { phases, groups } of this.steps.values()) {
      for (const { graph } of phases) await graph.close();
      for (const { update } of groups) await update?.close();
    }
  }

  private async openStep(
    backend: Backend,
    plan: StepPlan,
    index: number,
    options: OpenGraphOptions,
  ): Promise<OpenStep> {
    const worker = this.exchanger?.worker ?? 0;
    const values = new Map<number, Values>();
    const feeds = new Map<string, Values>();
    const shares = plan.groups.map(
      (group) => new GroupShare(group, this.layout, this.flat, this.parameters.length, worker),
    );
    const gradients = shares.map((share) => this.layGradients(share, values));
    for (const { outputs, received } of plan.phases) {
      for (const { id, shape, type } of [...outputs, ...received])
        if (!values.has(id)) values.set(id, allocate(shape, type));
    }
    for (const { name, shape, type, rows } of plan.feeds) {
      feeds.set(name, allocate(rows ? [shape[0] / plan.workers, ...shape.slice(1)] : shape, type));
    }
    const count = new Float32Array(1);
    const scale = new Float32Array(1);
    const numbersOf = (source: Source): Values => {
      if (source.kind === 'feed') return feeds.get(source.name)!;
      if (source.kind === 'value') return values.get(source.id)!;
      if (source.kind === 'step count') return count;
      if (source.kind === 'gradient scale') return scale;
      if (source.kind === 'vector') return shares[source.group].vectors.get(source.vector)!;
      const place = this.layout.get(source.name)!;
      return this.parameters.subarray(place.offset, place.offset + place.size);
    };
    const bind = ({ source, shape, type }: PhaseInput) => backend.bind(numbersOf(source), shape, type);
    const phases: OpenPhase[] = [];
    for (const phase of plan.phases) {
      const fetches: Record<string, Bound> = {};
      for (const { name, shape, type, id } of phase.outputs) fetches[name] = backend.bind(values.get(id)!, shape, type);
      const graph = await backend.open(phase.models[worker], options);
      const bound = Object.fromEntries(phase.inputs.map((input) => [input.name, bind(input)]));
      phases.push({ plan: phase, graph, feeds: bound, fetches });
    }
    const groups: OpenGroup[] = [];
    for (const [i, share] of shares.entries()) {
      const { update } = share.plan;
      const opened =
        update.kind === 'apart' ? await PiecewiseUpdate.open(backend, share, update, options, bind) : undefined;
      groups.push({ share, gradient: gradients[i], update: opened });
    }
    return { plan, index, phases, groups, values, feeds, count, scale };
  }

  /** Lays a group's gradients end to end, so that phases write them where they are exchanged from. */
  private layGradients({ plan }: GroupShare, values: Map<number, Values>): Float32Array {
    if (plan.update.kind === 'inside') return new Float32Array(0);
    const gradient = new Float32Array(plan.share * this.exchanger!.workers);
    let place = 0;
    for (const [i, id] of plan.update.gradientIds.entries()) {
      const { size } = this.layout.get(plan.parameters[i])!;
      values.set(id, gradient.subarray(place, place + size));
      place += size;
    }
    return gradient;
  }

  /** Gives this worker's values of a phase to the others, and takes theirs. */
  private exchange(step: OpenStep, list: readonly Exchange[], phase: number): void {
    const { worker, meet, given: givenIn } = this.exchanger!;
    const given = givenIn(step.index, phase);
    let place = 0;
    for (const { from, size } of list) {
      given[worker].set(floats(step.values.get(from)!), place);
      place += size;
    }
    meet();
    place = 0;
    for (const { kind, to, size } of list) {
      const result = floats(step.values.get(to)!);
      const parts = given.map((all) => all.subarray(place, place + size));
      if (kind === 'allSum') addUp(result, parts);
      else for (const [other, part] of parts.entries()) result.set(part, other * size);
      place += size;
    }
  }

  /** A lone worker takes over the new parameters and slots that the step's graph has given. */
  private keep(step: OpenStep): void {
    for (const { share } of step.groups) {
      const { plan, vectors } = share;
      if (plan.update.kind !== 'inside') continue;
      share.write(this.parameters, floats(step.values.get(plan.update.parameterId)!));
      for (const [i, slot] of plan.slots.entries())
        vectors.get(slot)!.set(floats(step.values.get(plan.update.slotIds[i])!));
    }
  }

  /** Adds up all workers' gradients of this worker's shares, updates those, and takes the others' new parameters. */
  private async update(step: OpenStep, { worker, workers, ...shared }: Exchanger): Promise<void> {
    for (const [i, { share, gradient }] of step.groups.entries()) {
      const own = shared.gradients(step.index, i)[worker];
      const start = worker * share.plan.share;
      const end = start + share.plan.share;
      own.set(gradient.subarray(0, start));
      own.set(gradient.subarray(end), end);
    }
    shared.meet();
    for (const [i, { share, gradient }] of step.groups.entries()) {
      const start = worker * share.plan.share;
      const summands = shared
        .gradients(step.index, i)
        .map((given, other) => (other === worker ? gradient : given).subarray(start, start + share.plan.share));
      addUp(share.vectors.get('gradient')!, summands);
    }
    if (step.plan.clipNorm !== undefined) {
      const total = step.groups.map(({ share }) => sumOfSquares(share.vectors.get('gradient')!));
      shared.squares[worker] = total.reduce((sum, squares) => sum + squares, 0);
      shared.meet();
      const norm = Math.sqrt(shared.squares.reduce((sum, squares) => sum + squares, 0));
      step.scale[0] = Math.min(1, step.plan.clipNorm / (norm + clipEpsilon));
    }
    for (const { share, update } of step.groups) {
      await update!.run();
      share.write(shared.parameters, share.vectors.get('parameters')!);
    }
    shared.meet();
    for (const { share } of step.groups) share.take(shared.parameters);
  }
}

/** Sums what workers gave, always in their order, so that the result does not depend on who came first. */
function addUp(result: Float32Array, [first, second, ...others]: readonly Float32Array[]): void {
  for (let i = 0; i < result.length; i++) result[i] = first[i] + second[i];
  for (const other of others) for (let i = 0; i < result.length; i++) result[i] += other[i];
}

function sumOfSquares(values: Float32Array): number {
  let sum = 0;
  for (let i = 0; i < values.length; i++) sum += values[i] * values[i];
  return sum;
}

function allocate(shape: readonly number[], type: DataType): Values {
  const size = shape.reduce((product, dimension) => product * dimension, 1);
  if (type === 'float32') return new Float32Array(size);
  return type === 'int64' ? new BigInt64Array(size) : new Uint8Array(size);
}

function floats(values: Values): Float32Array {
  if (values instanceof Float32Array) return values;
  throw new TypeError('only float32 values are exchanged or kept');
}
