/**
 * Where the rows of a batch meet. With one worker these ops are nothing at all; with several they are the places at which
 * workers exchange values, and where a step's graph is cut into phases.
 */
import { UntangleError } from '../../errors.ts';
import { type DataType, type Shape, sameShape } from '../shape.ts';
import { show, whole } from '../spread.ts';
import { type Op, Tensor } from '../tensor.ts';
import { concat, cut, joined } from './layout.ts';
import { type InputKind, input } from './leaf.ts';

/** A batch of a step: how many items, over how many workers. */
export interface Batch {
  size: number;
  workers: number;
}

/**
 * A fed value with one row for each item of the batch.
 *
 * @example rowsInput('x', [1, 28, 28], { size: 64, workers: 2 }) // 32 rows on each of two workers
 */
export function rowsInput(
  name: string,
  item: Shape,
  batch: Batch,
  type: DataType = 'float32',
  is: InputKind = { kind: 'data' },
): Tensor {
  if (batch.size % batch.workers !== 0) {
    throw new UntangleError(`A batch of ${batch.size} does not divide among ${batch.workers} workers.`);
  }
  const spread = { kind: 'rows', total: batch.size, workers: batch.workers } as const;
  return input(name, [batch.size / batch.workers, ...item], { type, spread, is });
}

/**
 * All rows of the batch, on every worker: the word for formulas in which rows meet, such as a covariance.
 *
 * @example covariance(wholeBatch(mu))
 */
export function wholeBatch(x: Tensor): Tensor {
  if (x.spread.kind !== 'rows') return x;
  const { total, workers } = x.spread;
  return new Tensor(wholeBatchOp, [x], [Number(x.shape[0]) * workers, ...x.shape.slice(1)], x.type, whole).named(
    x.label === undefined ? `all rows ${total}` : `${x.label} of the batch`,
  );
}
const wholeBatchOp: Op = {
  name: 'wholeBatch',
  between: 'wholeBatch',
  gradient: ({ inputs: [x] }, dy) => [ownRows(dy, x)],
  write: exchanged,
};

/** The sum of all workers' summands, on every worker. */
export function allSum(x: Tensor): Tensor {
  if (x.spread.kind !== 'part') return x;
  const result = new Tensor(allSumOp, [x], x.shape, x.type, whole);
  return x.label === undefined ? result : result.named(`${x.label} of the batch`);
}
const allSumOp: Op = { name: 'allSum', between: 'allSum', gradient: (_, dy) => [dy], write: exchanged };

/** A worker's own rows of a tensor that has all rows of the batch. */
export function ownRows(x: Tensor, like: Tensor): Tensor {
  if (like.spread.kind !== 'rows' || x.spread.kind !== 'whole') {
    throw new UntangleError(`ownRows: ${show(x)} must hold the whole batch, and ${show(like)} a worker's rows.`);
  }
  const { workers } = like.spread;
  const rows = Number(like.shape[0]);
  if (x.shape[0] !== rows * workers) {
    throw new UntangleError(
      `ownRows: ${show(x)} does not hold ${rows * workers} rows, as many as the batch of ${show(like)}.`,
    );
  }
  const op: Op = {
    name: 'ownRows',
    gradient: (_, dy) => [placeRows(dy, x)],
    write: (node, [name], graph) => {
      if (workers === 1) return name;
      const start = graph.worker * rows;
      return graph.node(
        'Slice',
        [name, graph.integers([start]), graph.integers([start + rows]), graph.integers([0])],
        node,
      );
    },
  };
  return new Tensor(op, [x], [rows, ...x.shape.slice(1)], x.type, like.spread);
}

/** A worker's rows at their place in the batch, zeros elsewhere: its summand of the batch. */
function placeRows(x: Tensor, like: Tensor): Tensor {
  const workers = x.spread.kind === 'rows' ? x.spread.workers : 1;
  const rows = Number(x.shape[0]);
  const op: Op = {
    name: 'placeRows',
    gradient: (_, dy) => [ownRows(dy, x)],
    write: (node, [name], graph) => {
      if (workers === 1) return name;
      const amounts = new Array(2 * node.rank).fill(0);
      amounts[0] = graph.worker * rows;
      amounts[node.rank] = (workers - 1 - graph.worker) * rows;
      return graph.node('Pad', [name, graph.integers(amounts)], node, { mode: 'constant' });
    },
  };
  return new Tensor(op, [x], like.shape, x.type, { kind: 'part', workers });
}

/** Two or more batches under one another, to be run through a network in one go; `unstackRows` takes them apart. */
export function stackRows(batches: readonly Tensor[]): Tensor {
  const [first] = batches;
  if (first?.spread.kind !== 'rows') return concat(batches, 0);
  let total = 0;
  for (const batch of batches) {
    if (
      batch.spread.kind !== 'rows' ||
      !sameShape(batch.shape.slice(1), first.shape.slice(1)) ||
      batch.type !== first.type
    )
      throw new UntangleError(`stackRows: ${show(batch)} does not hold rows like those of ${show(first)}.`);
    total += batch.spread.total;
  }
  return batches.length === 1 ? first : joined(batches, 0, { ...first.spread, total });
}

/** The batches that `stackRows` put under one another, by their shares of rows. */
export function unstackRows(x: Tensor, like: readonly Tensor[]): Tensor[] {
  const rows = like.reduce((sum, batch) => sum + Number(batch.shape[0]), 0);
  if (rows !== x.shape[0] || like.some((batch) => batch.spread.kind !== x.spread.kind)) {
    throw new UntangleError(`unstackRows: ${show(x)} is not made of the rows of ${like.map(show).join(' and ')}.`);
  }
  let start = 0;
  return like.map((batch) => cut(x, 0, start, (start += Number(batch.shape[0])), 1, batch.spread));
}

function exchanged(node: Tensor, [name]: string[], graph: { workers: number }): string {
  if (graph.workers > 1)
    throw new UntangleError(`${show(node)} is exchanged between workers and can't be part of one graph.`);
  return name;
}

/** A value as each worker's summand of it: a whole one in equal parts, a summand as it is. */
export function asPart(x: Tensor, workers: number): Tensor {
  const equal = x.spread.kind === 'whole' && workers > 1;
  const op: Op = {
    name: 'share',
    gradient: (_, dy) => [dy],
    write: (node, [name], graph) => (equal ? graph.node('Mul', [name, graph.scalar(1 / workers)], node) : name),
  };
  return new Tensor(op, [x], x.shape, x.type, { kind: 'part', workers });
}
