/** A training in memory: a method on its data, one iteration after the other. The run folder, logs and signals are the loop's. */
import type { Method } from '../../methods/index.ts';
import { type Options, type OptionValues, valueAt } from '../../options/index.ts';
import type { ProgramState } from '../../runtime/index.ts';
import { type Assembled, type AssembleOptions, assemble } from './assemble.ts';
import { type Feeder, feeder, type SessionData } from './feeder.ts';
import type { TrainingValues } from './settings.ts';

export interface SessionOptions extends AssembleOptions {
  training: TrainingValues;
}

export class Session {
  readonly assembled: Assembled;
  /** How many iterations are done. */
  iteration = 0;
  /** A factor on all learning rates, for a plateau. */
  rateFactor = 1;
  private readonly training: Feeder;
  private readonly validation: Feeder | undefined;
  private readonly validationBatches: number;

  private constructor(assembled: Assembled, data: SessionData, { training: { batchSize }, seed }: SessionOptions) {
    const shared = { data, batchSize, seed, schedules: assembled.schedules };
    this.assembled = assembled;
    this.training = feeder({ ...shared, part: 'train', rateFactor: () => this.rateFactor });
    const watched = data.target.split.validation.length;
    const canWatch = watched > 0 && data.background?.split.validation.length !== 0;
    this.validation = canWatch ? feeder({ ...shared, part: 'validation' }) : undefined;
    this.validationBatches = Math.min(10, Math.max(1, Math.floor(watched / batchSize)));
  }

  /** Builds and compiles a method for its data. */
  static async open<S extends Options>(
    method: Method<S>,
    data: SessionData,
    values: OptionValues<S>,
    options: SessionOptions,
  ): Promise<Session> {
    return new Session(await assemble(method, data.context, values, options.training, options), data, options);
  }

  /** One iteration: every step of the method in its order. Gives all terms; `loss` is what the last step minimises. */
  async step(): Promise<Record<string, number>> {
    const { program, steps } = this.assembled;
    const all: Record<string, number> = {};
    for (const [i, name] of steps.entries()) {
      const feeds = this.training.feeds(program.feedsOf(name), this.iteration);
      const { loss, ...terms } = await program.step(name, feeds);
      all[i === steps.length - 1 ? 'loss' : `${name} loss`] = loss;
      Object.assign(all, terms);
    }
    this.iteration++;
    return all;
  }

  /** The mean terms over validation batches, always the same ones; undefined if nothing is held out. */
  async validationTerms(): Promise<Record<string, number> | undefined> {
    if (this.validation === undefined) return undefined;
    const { program } = this.assembled;
    const sums: Record<string, number> = {};
    const plan = await program.inputsOf('validation terms');
    for (let batch = 0; batch < this.validationBatches; batch++) {
      const feeds = this.validation.feeds(plan, batch);
      // Noise and items are those of the batch, but weights are those of now.
      for (const [name, schedule] of this.assembled.schedules)
        if (name in feeds) feeds[name] = valueAt(schedule, this.iteration);
      const terms = await program.run('validation terms', feeds);
      for (const [name, [value]] of Object.entries(terms))
        sums[name] = (sums[name] ?? 0) + value / this.validationBatches;
    }
    return sums;
  }

  /** The scheduled numbers at the next iteration, by name. */
  weights(): Record<string, number> {
    const { schedules } = this.assembled;
    return Object.fromEntries([...schedules].map(([name, schedule]) => [name, valueAt(schedule, this.iteration)]));
  }

  /** Holds a scheduled number at a value from now on. */
  hold(name: string, value: number): void {
    this.assembled.schedules.set(name, { kind: 'constant', value });
  }

  state(): Promise<ProgramState> {
    return this.assembled.program.state();
  }

  /** Goes on from a state that was saved after `iteration` iterations. */
  async load(state: ProgramState, iteration: number): Promise<void> {
    await this.assembled.program.load(state);
    this.iteration = iteration;
  }

  close(): Promise<void> {
    return this.assembled.program.close();
  }
}
