/**
 * What a sweep is to do, settled: its configurations, each with a trial for every seed, the rungs at which they are compared, and
 * the numbers that compare them. It follows from what a person wrote, so it may be lost and made again.
 */
import type { ScoreRequest } from '../metrics/index.ts';
import type { DataPart } from '../use/index.ts';
import type { Rungs } from './search/halving.ts';
import type { SweepObjective } from './search/ranking.ts';
import type { Point, Space } from './search/space.ts';
import { stepAt, type Trial } from './trial.ts';

/** How a trial is measured when it has come to a rung. */
export interface Measure extends Pick<ScoreRequest, 'names' | 'options' | 'protocol'> {
  part: DataPart;
  items: number;
}

/** Settings that are tried, with all seeds. */
export interface Configuration {
  point: Point;
  trials: readonly Trial[];
}

export interface Plan {
  name: string;
  rungs: Rungs;
  objectives: readonly SweepObjective[];
  measure: Measure;
  /** What was searched, where it was one space. */
  space?: Space;
  configurations: readonly Configuration[];
}

/** The steps of a plan: all configurations to the first rung, and from each rung the share that goes on. */
export function expectedSteps({ configurations, rungs: { steps, keep } }: Plan): number {
  let sum = 0;
  for (const { trials } of configurations)
    for (const trial of trials)
      for (const [rung, step] of steps.entries())
        sum += (stepAt(trial, step) - stepAt(trial, steps[rung - 1] ?? 0)) * keep ** rung;
  return sum;
}
