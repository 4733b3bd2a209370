/** What several workers compute together, one after the other: each its rows, with their exchanges done in between. */
import { expect } from 'vitest';
import { isInput } from '../ops/leaf.ts';
import { inOrder } from '../passes/order.ts';
import type { Tensor } from '../tensor.ts';
import { evaluate, expectClose, type Feed, type Feeds } from './evaluate.ts';

/**
 * The values of tensors for a whole batch: workers' rows put together, summands added, and what all of them hold checked to
 * be the same.
 */
export async function evaluateOverWorkers(
  tensors: readonly Tensor[],
  feeds: Feeds,
  workers: number,
): Promise<Float32Array[]> {
  const order = inOrder(tensors);
  const given = new Map<Tensor, string>();
  const fed = Array.from({ length: workers }, (_, worker) => ownFeeds(order, feeds, worker, workers));
  const onEach = (wanted: readonly Tensor[]) =>
    Promise.all(fed.map((own, worker) => evaluate(wanted, own, { given, worker, workers })));
  for (const node of order) {
    if (workers === 1 || node.op.between === undefined) continue;
    const values = (await onEach([node.inputs[0]])).map(([value]) => value);
    const name = `exchange ${node.id}`;
    fed.forEach((own) => {
      own[name] = typed(exchanged(node.op.name, values), node);
    });
    given.set(node, name);
  }
  const results = await onEach(tensors);
  return tensors.map((tensor, i) => {
    const values = results.map((one) => one[i]);
    if (tensor.spread.kind === 'rows') return joined(values);
    if (tensor.spread.kind === 'part') return added(values);
    for (const value of values) expectClose(value, values[0], 1e-6, `${tensor.label ?? tensor.op.name} on each worker`);
    return values[0];
  });
}

function exchanged(kind: string, values: Float32Array[]): Float32Array {
  if (kind === 'wholeBatch') return joined(values);
  expect(kind).toBe('allSum');
  return added(values);
}

function ownFeeds(order: readonly Tensor[], feeds: Feeds, worker: number, workers: number): Feeds {
  const own: Feeds = { ...feeds };
  for (const { op, spread } of order) {
    if (!isInput(op) || spread.kind !== 'rows') continue;
    const share = feeds[op.input].length / workers;
    own[op.input] = feeds[op.input].slice(worker * share, (worker + 1) * share);
  }
  return own;
}

function typed(values: Float32Array, { type }: Tensor): Feed {
  return type === 'int64' ? BigInt64Array.from(values, BigInt) : values;
}

function joined(values: readonly Float32Array[]): Float32Array {
  return Float32Array.from(values.flatMap((value) => [...value]));
}

function added(values: readonly Float32Array[]): Float32Array {
  return values[0].map((_, i) => values.reduce((sum, value) => sum + value[i], 0));
}
