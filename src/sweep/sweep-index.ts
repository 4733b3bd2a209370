/**
 * What is known of a sweep's trials, read from their folders. It may be thrown away at any time; what it holds of a trial is read
 * again only while something may still change there.
 */

import { UntangleError } from '../errors.ts';
import { type LeaseWatch, newestEpoch } from './lease.ts';
import type { Plan } from './plan.ts';
import type { Move, Standing } from './search/halving.ts';
import { ranked, type SweepObjective } from './search/ranking.ts';
import type { Point } from './search/space.ts';
import type { Store } from './store/store.ts';
import {
  readTrial,
  stepAt,
  type Trial,
  type TrialFailure,
  type TrialResult,
  type TrialState,
  trialFolder,
} from './trial.ts';

export interface Best {
  point: Point;
  values: readonly number[];
}

export class SweepIndex {
  private readonly states = new Map<string, TrialState>();
  /** Trials on which somebody else works. */
  private readonly held = new Set<string>();
  /** The rung to which this process has sent a configuration. */
  private readonly sent = new Map<number, number>();
  private readonly known: Standing[] = [];
  private readonly changed: Set<number>;
  private readonly configurationOf: ReadonlyMap<string, number>;
  private leader: { results: number; best?: Best } = { results: -1 };

  private readonly store: Store;
  private readonly plan: Plan;
  private readonly watch: LeaseWatch;

  constructor(store: Store, plan: Plan, watch: LeaseWatch) {
    this.store = store;
    this.plan = plan;
    this.watch = watch;
    this.changed = new Set(plan.configurations.keys());
    this.configurationOf = new Map(
      plan.configurations.flatMap(({ trials }, i) => trials.map((trial) => [trial.name, i] as const)),
    );
  }

  /** Reads the folders of all trials that are not at their end. */
  async refresh(): Promise<void> {
    const there = new Set(await this.store.list('trials'));
    const open = this.plan.configurations.flatMap(({ trials }) =>
      trials.filter((trial) => there.has(trial.name) && !this.isOver(trial)),
    );
    for (let at = 0; at < open.length; at += atOnce)
      await Promise.all(open.slice(at, at + atOnce).map((trial) => this.look(trial)));
  }

  /** Reads one trial's folder again. */
  async look(trial: Trial): Promise<void> {
    const { name } = trial;
    const folder = trialFolder(name);
    const names = await this.store.list(folder);
    // Results don't change, but a folder may be removed as a whole.
    const known = names.length === 0 ? undefined : this.states.get(name)?.results;
    this.states.set(name, await readTrial(this.store, name, names, known));
    const isHeld =
      newestEpoch(names) > 0 && !this.isOver(trial) && (await this.watch.holding(folder, names)) !== undefined;
    if (isHeld) this.held.add(name);
    else this.held.delete(name);
    const configuration = this.configurationOf.get(name);
    if (configuration !== undefined) this.changed.add(configuration);
  }

  resultAt(trial: Trial, rung: number): TrialResult | undefined {
    return this.states.get(trial.name)?.results.get(stepAt(trial, rung));
  }

  failureOf({ name }: Trial): TrialFailure | undefined {
    return this.states.get(name)?.failure;
  }

  isHeld({ name }: Trial): boolean {
    return this.held.has(name);
  }

  isAnyHeld(): boolean {
    return this.held.size > 0;
  }

  /** Trials that are not at their end, and results of all rungs together. */
  counts(): { open: number; results: number } {
    const trials = this.plan.configurations.flatMap((one) => one.trials);
    return {
      open: trials.filter((trial) => !this.isOver(trial)).length,
      results: [...this.states.values()].reduce((sum, state) => sum + state.results.size, 0),
    };
  }

  /** How each configuration stands. */
  standings(): readonly Standing[] {
    for (const configuration of this.changed) this.known[configuration] = this.standingOf(configuration);
    this.changed.clear();
    return this.known;
  }

  /** Notes that this process sends a configuration to a rung, or, without one, that it has done so. */
  send(configuration: number, rung?: number): void {
    if (rung === undefined) this.sent.delete(configuration);
    else this.sent.set(configuration, rung);
    this.changed.add(configuration);
  }

  private standingOf(configuration: number): Standing {
    const { configurations, rungs, objectives } = this.plan;
    const { trials } = configurations[configuration];
    const results = rungs.steps.map((step) => {
      const found = trials.map((trial) => this.resultAt(trial, step));
      return found.every((one) => one !== undefined) ? meansOf(objectives, found) : undefined;
    });
    const next = results.indexOf(undefined);
    const isHeld = next >= 0 && trials.some((trial) => this.isHeld(trial));
    return {
      results,
      underWay: this.sent.get(configuration) ?? (isHeld ? next : undefined),
      failed: trials.some((trial) => this.failureOf(trial) !== undefined),
    };
  }

  /** The trials of a move that have not come to its rung, and on which nobody else works. */
  openTrials({ configuration, rung }: Move): Trial[] {
    const step = this.plan.rungs.steps[rung];
    return this.plan.configurations[configuration].trials.filter(
      (trial) => !this.resultAt(trial, step) && !this.isHeld(trial),
    );
  }

  /** A move that others are at, and some of whose seeds nobody has taken yet. */
  moveToHelp(): Move | undefined {
    const standings = this.standings();
    for (const [configuration, { underWay, failed }] of standings.entries()) {
      if (failed || underWay === undefined || this.sent.has(configuration)) continue;
      const move = { configuration, rung: underWay };
      if (this.openTrials(move).length > 0) return move;
    }
    return undefined;
  }

  /** The best configuration of the highest rung that any has come to. */
  best(): Best | undefined {
    const { results } = this.counts();
    if (results !== this.leader.results) this.leader = { results, best: this.leading() };
    return this.leader.best;
  }

  private leading(): Best | undefined {
    const { rungs, objectives, configurations } = this.plan;
    const standings = this.standings();
    for (let rung = rungs.steps.length - 1; rung >= 0; rung--) {
      const there = [...standings.entries()].flatMap(([i, { results }]) => {
        const values = results[rung];
        return values ? [{ point: configurations[i].point, values }] : [];
      });
      if (there.length === 0) continue;
      const numbers = there.map(({ values }) => values);
      // Fronts of thousands take longer than they are worth in a line of progress.
      return there[ranked(numbers.length > 500 ? objectives.slice(0, 1) : objectives, numbers)[0]];
    }
    return undefined;
  }

  private isOver(trial: Trial): boolean {
    const { steps } = this.plan.rungs;
    return this.failureOf(trial) !== undefined || this.resultAt(trial, steps[steps.length - 1]) !== undefined;
  }
}

const atOnce = 64;

/** The mean of each objective over seeds. */
function meansOf(objectives: readonly SweepObjective[], results: readonly TrialResult[]): number[] {
  return objectives.map(({ name }) => {
    let sum = 0;
    for (const { values } of results) {
      if (values[name] === undefined)
        throw new UntangleError(`No trial gives “${name}”.`, {
          kind: 'call',
          hint: `There are: ${Object.keys(values).sort().join(', ')}.`,
        });
      sum += values[name];
    }
    return sum / results.length;
  });
}
