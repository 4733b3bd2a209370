/** Where the inputs of a step's graphs come from: what a caller feeds, and what the program keeps itself. */
import { UntangleError } from '../errors.ts';
import {
  type DataType,
  inOrder,
  isInput,
  isKept,
  isParameter,
  type KeptKind,
  type Tensor,
  type WrittenGraph,
} from '../tensor/index.ts';
import type { Feed } from './feeds.ts';

/** Where a phase's input comes from. */
export type Source =
  | { kind: 'feed'; name: string }
  | { kind: 'parameter'; name: string }
  | { kind: 'value'; id: number }
  | KeptKind;

export interface PhaseInput {
  name: string;
  shape: number[];
  type: DataType;
  source: Source;
}

export interface StepFeed extends Feed {
  /** The shape of the whole feed, all rows of the batch. */
  shape: number[];
  /** Whether workers get their own rows of it, or all of it. */
  rows: boolean;
}

/** A graph's inputs with their sources; `received` are values that earlier phases have given. */
export function describeInputs(graph: WrittenGraph, received: ReadonlyMap<Tensor, string>): PhaseInput[] {
  return [...graph.sources].map(([name, tensor]) => ({
    name,
    shape: tensor.shape.map(Number),
    type: tensor.type,
    source: received.has(tensor) ? { kind: 'value', id: tensor.id } : sourceOf(tensor),
  }));
}

/** What a caller has to feed: all inputs but those that the program keeps itself. */
export function feedsOf(outputs: readonly Tensor[], workers: number): StepFeed[] {
  const feeds = new Map<string, StepFeed>();
  for (const { op, type, shape: own, spread } of inOrder(outputs)) {
    if (!isInput(op) || isKept(op.is)) continue;
    const rows = spread.kind === 'rows';
    const [first, ...rest] = own.map(Number);
    const shape = rows ? [first * workers, ...rest] : own.map(Number);
    feeds.set(op.input, { name: op.input, type, shape, rows, is: op.is });
  }
  return [...feeds.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}

function sourceOf({ op, label }: Tensor): Source {
  if (isParameter(op)) return { kind: 'parameter', name: op.parameter };
  if (!isInput(op)) throw new UntangleError(`“${label}” has no source.`);
  return isKept(op.is) ? op.is : { kind: 'feed', name: op.input };
}

export function parameterName(tensor: Tensor): string {
  if (!isParameter(tensor.op)) throw new UntangleError(`“${tensor.label ?? tensor.op.name}” is not a parameter.`);
  return tensor.op.parameter;
}
