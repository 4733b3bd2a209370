/** What a step is fed: items and labels of its batch, noise from the streams that its names address, and scheduled numbers. */

import type { Dataset, Split } from '../../data/index.ts';
import { dataNames } from '../../methods/index.ts';
import { covariateRows, itemSize } from '../../model/index.ts';
import { type Schedule, valueAt } from '../../options/index.ts';
import { stream } from '../../random/index.ts';
import type { Feed, Feeds } from '../../runtime/index.ts';
import type { Distribution } from '../../tensor/index.ts';
import type { LabelVariable, RunData } from '../data.ts';
import { type Batches, batches } from './batches.ts';

/** Items in memory or on disk, and which of them are trained on and watched. */
interface Items {
  data: Pick<Dataset, 'shape' | 'gather' | 'given'>;
  split: Pick<Split, Part>;
}

/** What a session learns from: a run's data, or anything that gives items alike. */
export interface SessionData extends Pick<RunData, 'variables' | 'labelled' | 'context'> {
  target: Items;
  background?: Items;
}

type Part = 'train' | 'validation';

export interface Feeder {
  /** The feeds of one step in an iteration; the first iteration is 0. */
  feeds(plan: readonly Feed[], iteration: number): Feeds;
}

export interface FeederOptions {
  data: SessionData;
  part: Part;
  batchSize: number;
  seed: number;
  schedules: ReadonlyMap<string, Schedule>;
  /** A factor on a group's learning rate, which watches set. */
  rateFactor?: () => number;
}

/** Feeds iterations over one part of the data. */
export function feeder({ data, part, batchSize, seed, schedules, rateFactor }: FeederOptions): Feeder {
  const purpose = part === 'train' ? '' : 'held-out ';
  const walk = (items: Uint32Array, what: string, size = batchSize) =>
    walker(items, batches(items.length, size, seed, `${purpose}order of ${what}`));
  const target = walk(data.target.split[part], 'items');
  // The background's batch has as many rows as the graph asks for.
  let background: ReturnType<typeof walk> | undefined;
  const labelled = data.labelled.length > 0 ? walk(data.labelled, 'labelled items') : undefined;
  const buffers = new Map<string, Float32Array>();

  function gathered(name: string, { data: set }: Items, items: Uint32Array): Float32Array {
    const out = buffers.get(name) ?? new Float32Array(items.length * itemSize(set.shape));
    buffers.set(name, out);
    return set.gather(items, out);
  }

  function fed({ name, shape, is }: Feed, iteration: number) {
    const sizes = shape.map(Number);
    switch (is.kind) {
      case 'noise':
        return drawn(is.distribution, sizes, stream(seed, `${purpose}${name}`, iteration));
      case 'schedule':
        return valueAt(schedules.get(name)!, iteration);
      case 'learning rate':
        return valueAt(schedules.get(name)!, iteration) * (rateFactor?.() ?? 1);
    }
    switch (name) {
      case dataNames.items:
        return gathered(name, data.target, target(iteration));
      case dataNames.classes:
        return classesOf(data.variables, target(iteration));
      case dataNames.background:
        if (data.background === undefined) break;
        background ??= walk(data.background.split[part], 'background items', sizes[0]);
        return gathered(name, data.background, background(iteration));
      case dataNames.given:
        return toldOf(data.target, target(iteration));
      case dataNames.backgroundGiven:
        if (data.background === undefined) break;
        background ??= walk(data.background.split[part], 'background items', sizes[0]);
        return toldOf(data.background, background(iteration));
      case dataNames.labelledItems:
        if (labelled) return gathered(name, data.target, labelled(iteration));
        break;
      case dataNames.labelledClasses:
        if (labelled) return classesOf(data.variables, labelled(iteration));
    }
    throw new Error(`nothing feeds “${name}”`);
  }

  return {
    feeds: (plan, iteration) => Object.fromEntries(plan.map((feed) => [feed.name, fed(feed, iteration)])),
  };
}

/** The items at a batch's places; one call's array is used again by the next. */
function walker(items: Uint32Array, order: Batches): (iteration: number) => Uint32Array {
  let chosen = new Uint32Array(0);
  return (iteration) => {
    const places = order.at(iteration);
    if (chosen.length !== places.length) chosen = new Uint32Array(places.length);
    for (let i = 0; i < places.length; i++) chosen[i] = items[places[i]];
    return chosen;
  };
}

/** The covariates of some items. */
function toldOf({ data: { given } }: Items, items: Uint32Array): Float32Array {
  if (given === undefined) throw new Error('a method asks for covariates that its data has not');
  return covariateRows(given.values, given.covariates, items);
}

/** One row for each item, with its class in each variable. */
function classesOf(variables: readonly LabelVariable[], items: Uint32Array): BigInt64Array {
  const y = new BigInt64Array(items.length * variables.length);
  for (let i = 0; i < items.length; i++)
    for (let v = 0; v < variables.length; v++) y[i * variables.length + v] = BigInt(variables[v].values[items[i]]);
  return y;
}

function drawn(distribution: Distribution, shape: readonly number[], source: ReturnType<typeof stream>) {
  const count = shape.reduce((product, size) => product * size, 1);
  if (typeof distribution === 'object') return source.keepMask(count, 1 - distribution.keep);
  switch (distribution) {
    case 'normal':
      return source.normals(count);
    case 'uniform':
      return source.uniforms(count);
    case 'gumbel':
      return source.gumbels(count);
    case 'permutation':
      return permutations(shape, count, source);
  }
}

/** A random order of the batch's rows in each column. */
function permutations([rows]: readonly number[], count: number, source: ReturnType<typeof stream>): BigInt64Array {
  const columns = count / rows;
  const values = new BigInt64Array(count);
  for (let column = 0; column < columns; column++) {
    const order = source.permutation(rows);
    for (let row = 0; row < rows; row++) values[row * columns + column] = BigInt(order[row]);
  }
  return values;
}
