/**
 * A program: compiled graphs with the state that they share. `step` runs one training step and keeps the new state; `run`
 * is inference with the state as it is.
 */
import { UntangleError } from '../errors.ts';
import type { Tensor } from '../tensor/index.ts';
import { type Backend, copyValues, type OpenGraphOptions, type Provider, type Values } from './backend.ts';
import { checkFeed, checkNames, type Feed, type Feeds } from './feeds.ts';
import { type InferenceFunction, openFunction } from './inference.ts';
import { Replica } from './replica.ts';
import { planStep, type Step, type StepPlan } from './step.ts';
import { fill, type Layout, layOutParameters, type ParameterSpec } from './store.ts';

export interface ProgramSpec {
  parameters: readonly ParameterSpec[];
  steps?: Record<string, Step>;
  /** Inference: named outputs over inputs whose batch dimension may be free. */
  functions?: Record<string, Record<string, Tensor>>;
}

export interface ProgramOptions {
  backend: Backend;
  /** How many workers share a batch; the steps must be built for as many. */
  workers?: number;
  /** Starts a team of workers; given by the native runtime. */
  team?: TeamOpener;
  provider?: Provider;
  /** Threads inside the runtime, for inference and for a lone worker. */
  threads?: number;
}

/** What carries out steps: a lone replica, or a team of them. */
export interface Engine {
  workers: number;
  feed(step: string, name: string, values: Values): void;
  step(name: string, count: number): Promise<Float32Array>;
  parameters(): Float32Array;
  slots(): Promise<{ step: string; slots: { group: string; slot: string; values: Float32Array }[] }[]>;
  load(parameters: Float32Array, slots: readonly SlotState[]): Promise<void>;
  close(): Promise<void>;
}

export type TeamOpener = (
  layout: Layout,
  size: number,
  plans: readonly StepPlan[],
  workers: number,
  opening: OpenGraphOptions,
) => Promise<Engine>;

interface SlotState {
  step: string;
  group: string;
  slot: string;
  values: Float32Array;
}

/** Everything that a program needs to go on exactly where it was. */
export interface ProgramState {
  parameters: Map<string, Float32Array>;
  /** Optimisers' memory, as `step/group/slot`. */
  slots: Map<string, Float32Array>;
  /** How often each step has run. */
  counts: Record<string, number>;
}

/** A loss or term that is not a number any more. The state is that of before the step. */
export class NonFiniteError extends UntangleError {
  readonly terms: Record<string, number>;
  constructor(step: string, count: number, terms: Record<string, number>) {
    const bad = Object.entries(terms).filter(([, value]) => !Number.isFinite(value));
    const list = bad.map(([name, value]) => `${name} = ${value}`).join(', ');
    super(`Step ${count} of “${step}” is not finite: ${list}.`, {
      hint: 'Lower the learning rate, or clip the gradient.',
    });
    this.terms = terms;
  }
}

/** Compiles steps and functions over one set of parameters. */
export async function compile(spec: ProgramSpec, options: ProgramOptions): Promise<Program> {
  const workers = options.workers ?? 1;
  const { layout, size } = layOutParameters(spec.parameters);
  const plans = Object.entries(spec.steps ?? {}).map(([name, step]) => planStep(name, step, workers));
  const opening = { provider: options.provider, threads: workers > 1 ? 1 : options.threads };
  if (workers > 1 && options.team === undefined) throw new UntangleError('This runtime has one worker only.');
  const engine =
    workers > 1
      ? await options.team!(layout, size, plans, workers, opening)
      : await loneEngine(options.backend, layout, size, plans, opening);
  const program = new Program(layout, size, plans, engine, options, spec);
  await program.begin(new Map(spec.parameters.map(({ name, initial }) => [name, initial])));
  return program;
}

export class Program {
  readonly parameterNames: readonly string[];
  private readonly layout: Layout;
  private readonly plans: ReadonlyMap<string, StepPlan>;
  private readonly engine: Engine;
  private readonly options: ProgramOptions;
  private readonly spec: ProgramSpec;
  private readonly counts = new Map<string, number>();
  private readonly functions = new Map<string, Promise<InferenceFunction>>();
  /** Parameters as functions see them, copied from the engine when a function runs after a step. */
  private readonly current: Float32Array;
  private stale = true;

  constructor(
    layout: Layout,
    size: number,
    plans: readonly StepPlan[],
    engine: Engine,
    options: ProgramOptions,
    spec: ProgramSpec,
  ) {
    this.layout = layout;
    this.plans = new Map(plans.map((plan) => [plan.name, plan]));
    this.engine = engine;
    this.options = options;
    this.spec = spec;
    this.current = new Float32Array(size);
    this.parameterNames = [...layout.keys()];
  }

  /** What a step has to be fed. */
  feedsOf(step: string): readonly Feed[] {
    return this.plan(step).feeds;
  }

  /** What a function has to be fed. */
  async inputsOf(name: string): Promise<readonly Feed[]> {
    return (await this.openFunction(name)).feeds;
  }

  /** How many workers share a batch. */
  get workers(): number {
    return this.engine.workers;
  }

  /** Runs one training step and keeps the new state; gives its terms by name, with `loss` among them. */
  async step(name: string, feeds: Feeds): Promise<Record<string, number>> {
    const plan = this.plan(name);
    checkNames(
      name,
      feeds,
      plan.feeds.map((feed) => feed.name),
    );
    for (const feed of plan.feeds) this.engine.feed(name, feed.name, checkFeed(name, feed, feeds[feed.name]));
    const count = (this.counts.get(name) ?? 0) + 1;
    const values = await this.engine.step(name, count);
    const terms = Object.fromEntries(plan.terms.map((term, i) => [term, values[i]]));
    if (!Object.values(terms).every(Number.isFinite)) throw new NonFiniteError(name, count, terms);
    this.counts.set(name, count);
    this.stale = true;
    return terms;
  }

  /** Runs an inference function; inputs with a free batch dimension may have any number of rows. */
  async run(name: string, feeds: Feeds): Promise<Record<string, Float32Array>> {
    const open = await this.openFunction(name);
    if (this.stale) {
      this.current.set(this.engine.parameters());
      this.stale = false;
    }
    return await open.run(feeds);
  }

  /** All state, as copies. */
  async state(): Promise<ProgramState> {
    const flat = this.engine.parameters();
    const parameters = new Map<string, Float32Array>();
    for (const [name, { offset, size }] of this.layout)
      parameters.set(name, Float32Array.from(flat.subarray(offset, offset + size)));
    const slots = new Map<string, Float32Array>();
    for (const { step, slots: list } of await this.engine.slots()) {
      for (const { group, slot, values } of list) {
        const size = this.groupSize(step, group);
        slots.set(`${step}/${group}/${slot}`, Float32Array.from(values.subarray(0, size)));
      }
    }
    return { parameters, slots, counts: Object.fromEntries(this.counts) };
  }

  /** Starts anew from the first values of the parameters: nothing is remembered of any step. */
  async begin(parameters: ProgramState['parameters']): Promise<void> {
    const slots = this.slotSizes().map(([slot, size]): [string, Float32Array] => [slot, new Float32Array(size)]);
    await this.load({ parameters, slots: new Map(slots), counts: {} });
  }

  /** Takes over a state. */
  async load(state: ProgramState): Promise<void> {
    const flat = new Float32Array(this.current.length);
    fill(flat, this.layout, state.parameters, 'The saved weights');
    const lacking = this.slotSizes().filter(([slot]) => !state.slots.has(slot));
    if (lacking.length > 0)
      throw new UntangleError(`The saved optimiser lacks ${lacking.map(([slot]) => `“${slot}”`).join(', ')}.`, {
        hint: 'Go on with the optimiser and the method that it was saved with, or train from the start.',
      });
    const slots: SlotState[] = [];
    for (const [name, plan] of this.plans) {
      for (const group of plan.groups) {
        for (const slot of group.slots) {
          const size = this.groupSize(name, group.name);
          const values = state.slots.get(`${name}/${group.name}/${slot}`)!;
          if (values.length !== size) {
            throw new UntangleError(
              `The saved “${name}/${group.name}/${slot}” holds ${values.length} values in place of ${size}.`,
            );
          }
          const padded = new Float32Array(group.share * plan.workers);
          padded.set(values);
          slots.push({ step: name, group: group.name, slot, values: padded });
        }
      }
    }
    await this.engine.load(flat, slots);
    this.counts.clear();
    for (const [name, count] of Object.entries(state.counts)) this.counts.set(name, count);
    this.stale = true;
  }

  async close(): Promise<void> {
    await this.engine.close();
    for (const open of this.functions.values()) await (await open).close();
  }

  private plan(step: string): StepPlan {
    const plan = this.plans.get(step);
    if (plan === undefined)
      throw new UntangleError(`This program has no step “${step}”, only ${[...this.plans.keys()].join(', ')}.`);
    return plan;
  }

  /** Every slot as a state names it, with its size. */
  private slotSizes(): [string, number][] {
    return [...this.plans].flatMap(([step, { groups }]) =>
      groups.flatMap(({ name, slots }) =>
        slots.map((slot): [string, number] => [`${step}/${name}/${slot}`, this.groupSize(step, name)]),
      ),
    );
  }

  private groupSize(step: string, group: string): number {
    const { parameters } = this.plan(step).groups.find(({ name }) => name === group)!;
    return parameters.reduce((size, name) => size + this.layout.get(name)!.size, 0);
  }

  private openFunction(name: string): Promise<InferenceFunction> {
    const known = this.functions.get(name);
    if (known !== undefined) return known;
    const outputs = this.spec.functions?.[name];
    if (outputs === undefined) {
      throw new UntangleError(
        `This program has no function “${name}”, only ${Object.keys(this.spec.functions ?? {}).join(', ')}.`,
      );
    }
    const opened = openFunction(name, outputs, this.options, (parameter) => {
      const { offset, size, shape } = this.layout.get(parameter)!;
      return this.options.backend.bind(this.current.subarray(offset, offset + size), shape, 'float32');
    });
    this.functions.set(name, opened);
    return opened;
  }
}

/** A single replica, in this thread. */
async function loneEngine(
  backend: Backend,
  layout: Layout,
  size: number,
  plans: readonly StepPlan[],
  opening: OpenGraphOptions,
): Promise<Engine> {
  const replica = await Replica.open(backend, layout, size, plans, opening);
  return {
    workers: 1,
    feed: (step, name, values) => copyValues(replica.feed(step, name), values),
    step: (name, count) => replica.step(name, count),
    parameters: () => replica.parameters,
    slots: async () =>
      plans.map((plan) => ({
        step: plan.name,
        slots: plan.groups.flatMap((group) =>
          group.slots.map((slot) => ({ group: group.name, slot, values: replica.slot(plan.name, group.name, slot) })),
        ),
      })),
    async load(parameters, slots) {
      replica.parameters.set(parameters);
      for (const { step, group, slot, values } of slots) replica.slot(step, group, slot).set(values);
    },
    close: () => replica.close(),
  };
}
