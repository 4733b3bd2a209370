/**
 * Clustering accuracy: the share of points that are right when every cluster is named after a label, each label used
 * once, in the best way. Clusters beyond the number of labels are wrong throughout.
 */
import { UntangleError } from '../errors.ts';
import { assign } from './assignment.ts';
import { requireMatrix } from './input.ts';

export interface ClusteringAccuracy {
  accuracy: number;
  /** The label that each cluster was named after; clusters that got none are not in it. */
  labelOfCluster: Map<number, number>;
}

/** @example clusteringAccuracy([0, 0, 1, 1], [7, 7, 3, 7]).accuracy // 0.75 */
export function clusteringAccuracy(clusters: ArrayLike<number>, labels: ArrayLike<number>): ClusteringAccuracy {
  const n = labels.length;
  requireMatrix(clusters, n, 1);
  requireMatrix(labels, n, 1);
  const [clusterNames, clusterOf] = distinct(clusters);
  const [labelNames, labelOf] = distinct(labels);
  const [k, l] = [clusterNames.length, labelNames.length];
  const rows = Math.min(k, l);
  const columns = Math.max(k, l);
  if (rows * columns > largestTable)
    throw new UntangleError(`${k} clusters against ${l} labels are too many to match.`, { kind: 'call' });
  // Assignment wants no more rows than columns, so the smaller side is the rows.
  const shared = new Float64Array(rows * columns);
  for (let i = 0; i < n; i++) {
    const [row, column] = k <= l ? [clusterOf[i], labelOf[i]] : [labelOf[i], clusterOf[i]];
    shared[row * columns + column] -= 1;
  }
  const { columnOfRow, cost } = assign(shared, rows, columns);
  const labelOfCluster = new Map<number, number>();
  columnOfRow.forEach((column, row) => {
    const [cluster, label] = k <= l ? [row, column] : [column, row];
    labelOfCluster.set(clusterNames[cluster], labelNames[label]);
  });
  return { accuracy: -cost / n, labelOfCluster };
}

const largestTable = 2 ** 26;

/** The distinct values, ascending, and each entry's place among them. */
function distinct(values: ArrayLike<number>): [names: number[], places: Int32Array] {
  const names = [...new Set(Float64Array.from(values))].sort((a, b) => a - b);
  const place = new Map(names.map((name, index) => [name, index]));
  return [names, Int32Array.from(values, (value) => place.get(value) ?? 0)];
}
