/**
 * Clusters that are more than pieces of one cloud: k-means, with as many clusters as the silhouette favours. k-means cuts a single cloud into
 * pieces too, and gives them a fair silhouette, so that of the points must beat those of normal clouds with the same covariance
 * (as in SigClust, Liu et al. 2008); otherwise all are one cluster.
 */

import { stream } from '../random/index.ts';
import { kmeans } from './kmeans.ts';
import { pca } from './pca.ts';
import type { Points } from './points.ts';
import { silhouette } from './silhouette.ts';
import { columnMeans } from './statistics.ts';

export interface Cluster {
  size: number;
  centre: number[];
  /** The points nearest to the centre, the nearest first. */
  exemplars: number[];
}

export interface DistinctClusters {
  /** The largest first. */
  clusters: Cluster[];
  /** The mean silhouette of the best division, and the largest among single clouds; undefined where nothing was divided. */
  silhouette: number | undefined;
  ofOneCloud: number | undefined;
}

const mostClusters = 8;
/** A cluster is not made of fewer points than this on average. */
const fewestEach = 8;
const clouds = 19;
/** Silhouettes take all distances, so no more points than this are measured. */
const mostMeasured = 400;
const shownExemplars = 8;

export function distinctClusters(points: Points, seed: number): DistinctClusters {
  const sample = sampled(points, seed);
  const most = Math.min(mostClusters, Math.floor(points.n / fewestEach));
  const counts = Array.from({ length: Math.max(0, most - 1) }, (_, i) => i + 2);
  if (counts.length === 0 || !varies(sample)) return described(points, new Int32Array(points.n), 1, {});
  const own = counts.map((k) => divided(sample, k, seed));
  const ofClouds = Array.from({ length: clouds }, (_, draw) => {
    const cloud = normalCloud(sample, seed, draw);
    return counts.map((k) => divided(cloud, k, seed));
  });
  const means = counts.map((_, i) => ofClouds.reduce((sum, cloud) => sum + cloud[i], 0) / clouds);
  const best = counts.reduce(
    (favoured, _, i) => (own[i] - means[i] > own[favoured] - means[favoured] ? i : favoured),
    0,
  );
  const measures = { silhouette: own[best], ofOneCloud: Math.max(...ofClouds.map((cloud) => cloud[best])) };
  if (own[best] <= measures.ofOneCloud) return described(points, new Int32Array(points.n), 1, measures);
  const { labels } = kmeans({ ...points, k: counts[best], seed, restarts: 5 });
  return described(points, labels, counts[best], measures);
}

/** The cluster that each point lies nearest to. */
export function nearestClusters(clusters: readonly Cluster[], { x, n, d }: Points): Int32Array {
  return Int32Array.from({ length: n }, (_, i) => {
    const distances = clusters.map(({ centre }) =>
      centre.reduce((sum, value, j) => sum + (x[i * d + j] - value) ** 2, 0),
    );
    return distances.indexOf(Math.min(...distances));
  });
}

function divided(points: Points, k: number, seed: number): number {
  const { labels } = kmeans({ ...points, k, seed, restarts: 3 });
  return new Set(labels).size < 2 ? -1 : silhouette({ ...points, labels });
}

function described(
  points: Points,
  labels: Int32Array,
  k: number,
  measures: { silhouette?: number; ofOneCloud?: number },
): DistinctClusters {
  const { x, n, d } = points;
  const found = Array.from({ length: k }, (_, cluster) => {
    const members = Array.from({ length: n }, (_, i) => i).filter((i) => labels[i] === cluster);
    const own = Float64Array.from(members.flatMap((i) => Array.from({ length: d }, (_, j) => x[i * d + j])));
    const centre = members.length > 0 ? columnMeans(own, members.length, d) : new Float64Array(d);
    const distance = (i: number) => centre.reduce((sum, value, j) => sum + (x[i * d + j] - value) ** 2, 0);
    const exemplars = members.sort((a, b) => distance(a) - distance(b)).slice(0, shownExemplars);
    return { cluster, size: members.length, centre: Array.from(centre), exemplars };
  })
    .filter(({ size }) => size > 0)
    .sort((a, b) => b.size - a.size);
  return {
    clusters: found.map(({ cluster: _, ...rest }) => rest),
    silhouette: measures.silhouette,
    ofOneCloud: measures.ofOneCloud,
  };
}

function sampled({ x, n, d }: Points, seed: number): Points {
  if (n <= mostMeasured) return { x, n, d };
  const chosen = stream(seed, 'codes to cluster').permutation(n).subarray(0, mostMeasured);
  const kept = new Float64Array(mostMeasured * d);
  chosen.forEach((item, i) => {
    for (let j = 0; j < d; j++) kept[i * d + j] = x[item * d + j];
  });
  return { x: kept, n: mostMeasured, d };
}

function varies({ x, d }: Points): boolean {
  for (let e = d; e < x.length; e++) if (Math.abs(x[e] - x[e % d]) > 1e-6) return true;
  return false;
}

/** As many draws of a normal distribution with the points' covariance, in their principal axes. */
function normalCloud(points: Points, seed: number, draw: number): Points {
  const { n } = points;
  const { variances } = pca({ ...points, components: Math.min(points.d, n - 1) });
  const d = variances.length;
  const noise = stream(seed, 'one cloud', draw);
  return { x: Float64Array.from({ length: n * d }, (_, e) => Math.sqrt(variances[e % d]) * noise.normal()), n, d };
}
