/**
 * Clusters that are more than pieces of one cloud: k-means, with as many clusters as the silhouette favours. k-means cuts a single
 * cloud into pieces too, and gives them a fair silhouette, so that of the points must beat those of normal clouds with the same
 * covariance (as in SigClust, Liu et al. 2008). Clouds of other shapes beat these as well, so between any two neighbouring clusters
 * there must also be a valley: the dip test along the line between their centres (as in dip-means, Kalogeratos and Likas 2012).
 * Otherwise all are one cluster.
 */

import { stream } from '../random/index.ts';
import { dipTest } from './dip.ts';
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
/** A valley between two clusters counts below this chance that points with a single mode have such a one. */
const valley = 0.01;
/** Silhouettes take all distances, so no more points than this are measured. */
const mostMeasured = 400;
const shownExemplars = 8;

export function distinctClusters(points: Points, seed: number): DistinctClusters {
  const sample = sampled(points, seed);
  const most = Math.min(mostClusters, Math.floor(points.n / fewestEach));
  const counts = Array.from({ length: Math.max(0, most - 1) }, (_, i) => i + 2);
  if (counts.length === 0 || !varies(sample)) return described(points, new Int32Array(points.n), 1, {});
  const one = (silhouetteOf?: number) =>
    described(points, new Int32Array(points.n), 1, silhouetteOf === undefined ? {} : { silhouette: silhouetteOf });
  const own = new Map(counts.map((k) => [k, divided(sample, k, seed)]));
  const apart = counts.filter((k) => areApart(sample, k, seed));
  if (apart.length === 0) return one(Math.max(...own.values()));
  const ofClouds = Array.from({ length: clouds }, (_, draw) => {
    const cloud = normalCloud(sample, seed, draw);
    return apart.map((k) => divided(cloud, k, seed));
  });
  const [best] = apart
    .map((k, at) => {
      const theirs = ofClouds.map((cloud) => cloud[at]);
      const mean = theirs.reduce((sum, value) => sum + value, 0) / clouds;
      const silhouetteOf = own.get(k) ?? -1;
      return { k, silhouette: silhouetteOf, ofOneCloud: Math.max(...theirs), margin: silhouetteOf - mean };
    })
    .sort((a, b) => b.margin - a.margin);
  if (best.silhouette <= best.ofOneCloud) return one(best.silhouette);
  const { labels } = kmeans({ ...points, k: best.k, seed, restarts: 5 });
  return described(points, labels, best.k, best);
}

/** Whether there is a valley between any two of k clusters that no third one lies between. */
function areApart(points: Points, k: number, seed: number): boolean {
  const { x, n, d } = points;
  const { labels, centres } = kmeans({ ...points, k, seed, restarts: 3 });
  const squared = (a: ArrayLike<number>, b: ArrayLike<number>) => {
    let sum = 0;
    for (let j = 0; j < d; j++) sum += (a[j] - b[j]) ** 2;
    return sum;
  };
  const centre = Array.from({ length: k }, (_, c) => centres.subarray(c * d, (c + 1) * d));
  for (let a = 0; a < k; a++)
    for (let b = a + 1; b < k; b++) {
      const middle = centre[a].map((value, j) => (value + centre[b][j]) / 2);
      const half = squared(centre[a], middle);
      if (centre.some((other, c) => c !== a && c !== b && squared(other, middle) < half)) continue;
      const along = Array.from({ length: n }, (_, i) => i)
        .filter((i) => labels[i] === a || labels[i] === b)
        .map((i) => centre[b].reduce((sum, value, j) => sum + (value - centre[a][j]) * x[i * d + j], 0));
      if (dipTest(along, seed) > valley) return false;
    }
  return true;
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
