/** What a step or function is fed, checked against what it takes, so that a wrong feed is a sentence and not a crash of the runtime. */
import { UntangleError } from '../errors.ts';
import { type DataType, type InputKind, type Shape, showShape } from '../tensor/index.ts';
import type { Values } from './backend.ts';

export type Feeds = Record<string, Values | number>;

/** Something that a step or function has to be fed; a free batch dimension is `batch`. */
export interface Feed {
  name: string;
  shape: Shape;
  type: DataType;
  is: InputKind;
}

/** The values for a feed, if they are of its type and size. */
export function checkFeed(where: string, feed: Feed, values: Values | number | undefined): Values {
  const size = feed.shape.reduce<number>((product, dimension) => product * Number(dimension), 1);
  const expected = `${feed.type} of shape ${showShape(feed.shape)}`;
  if (values === undefined) throw new UntangleError(`“${where}” was not fed “${feed.name}”, which is ${expected}.`);
  const list = typeof values === 'number' ? Float32Array.of(values) : values;
  const type = list instanceof Float32Array ? 'float32' : list instanceof BigInt64Array ? 'int64' : 'bool';
  if (type !== feed.type)
    throw new UntangleError(`“${where}” was fed ${type} for “${feed.name}”, which is ${expected}.`);
  if (list.length !== size) {
    throw new UntangleError(`“${where}” was fed ${list.length} numbers for “${feed.name}”, which is ${expected}.`);
  }
  return list;
}

/** Refuses what is not taken. */
export function checkNames(where: string, feeds: Feeds, known: readonly string[]): void {
  const extra = Object.keys(feeds).find((given) => !known.includes(given));
  if (extra === undefined) return;
  throw new UntangleError(`“${where}” takes no “${extra}”; it takes ${known.map((name) => `“${name}”`).join(', ')}.`);
}
