/** Where the inputs of a step's graphs come from: what a caller feeds, and what the program keeps itself. */
import { UntangleError } from '../errors.ts';
import { type DataType, isInput, isParameter, type Tensor, type WrittenGraph } from '../tensor/index.ts';
import type { Step } from './step.ts';

/** Where a phase's input comes from. */
export type Source =
  | { kind: 'feed'; name: string }
  | { kind: 'parameter'; name: string }
  | { kind: 'vector'; group: number; vector: string }
  | { kind: 'count' }
  | { kind: 'scale' }
  | { kind: 'value'; id: number };

export interface PhaseInput {
  name: string;
  shape: number[];
  type: DataType;
  source: Source;
}

export interface FeedPlan {
  name: string;
  type: DataType;
  /** The shape of the whole feed, all rows of the batch. */
  shape: number[];
  /** Whether workers get their own rows of it, or all of it. */
  rows: boolean;
}

/** A graph's inputs with their sources; `received` are values that earlier phases have given. */
export function describeInputs(graph: WrittenGraph, received: ReadonlyMap<Tensor, string>, step: Step): PhaseInput[] {
  return [...graph.sources].map(([name, tensor]) => ({
    name,
    shape: tensor.shape.map(Number),
    type: tensor.type,
    source: sourceOf(tensor, received, step),
  }));
}

/** What a caller has to feed: all inputs but those that the program keeps itself. */
export function feedsOf(outputs: readonly Tensor[], step: Step, workers: number): FeedPlan[] {
  const feeds = new Map<string, FeedPlan>();
  const seen = new Set<Tensor>();
  const stack = [...outputs];
  while (stack.length > 0) {
    const tensor = stack.pop()!;
    if (seen.has(tensor)) continue;
    seen.add(tensor);
    stack.push(...tensor.inputs);
    if (!isInput(tensor.op)) continue;
    const source = sourceOf(tensor, new Map(), step);
    if (source.kind !== 'feed') continue;
    const rows = tensor.spread.kind === 'rows';
    const [first, ...rest] = tensor.shape.map(Number);
    const shape = rows ? [first * workers, ...rest] : tensor.shape.map(Number);
    feeds.set(source.name, { name: source.name, type: tensor.type, shape, rows });
  }
  return [...feeds.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}

function sourceOf(tensor: Tensor, received: ReadonlyMap<Tensor, string>, step: Step): Source {
  if (received.has(tensor)) return { kind: 'value', id: tensor.id };
  if (isParameter(tensor.op)) return { kind: 'parameter', name: tensor.op.parameter };
  if (!isInput(tensor.op)) throw new UntangleError(`“${tensor.label}” has no source.`);
  const { input: name } = tensor.op;
  if (name === 'step count') return { kind: 'count' };
  if (name === 'gradient scale') return { kind: 'scale' };
  for (const [group, { name: groupName, optimiser }] of step.groups.entries()) {
    const vector = ['parameters', 'gradient', ...optimiser.slots].find((one) => name === `${groupName} ${one}`);
    if (vector !== undefined) return { kind: 'vector', group, vector };
  }
  return { kind: 'feed', name };
}

export function parameterName(tensor: Tensor): string {
  if (!isParameter(tensor.op)) throw new UntangleError(`“${tensor.label ?? tensor.op.name}” is not a parameter.`);
  return tensor.op.parameter;
}
