/**
 * Clustering as the contrastive-objectives paper measures it: a block of the codes is embedded in the plane by t-SNE and
 * cut into as many clusters as there are classes by k-means; clustering accuracy is that of the best naming of clusters,
 * the silhouette is that of the clusters in the plane. High is wanted of the salient block, chance of the shared one.
 */

import { clusteringAccuracy, kmeans, silhouette, tsne } from '../analysis/index.ts';
import { UntangleError } from '../errors.ts';
import { choice, integer, number, text } from '../options/index.ts';
import { majorityShare } from './accuracy.ts';
import { blockOf } from './blocks.ts';
import { count, defineMetric } from './metric.ts';
import { asClasses, codeRows, takeRows } from './rows.ts';

export const clustering = defineMetric({
  name: 'clustering',
  title: 'Clustering accuracy',
  version: '1',
  needs: ['codes', 'labels'],
  describe: 'how well clusters of the codes, after t-SNE to the plane, are the classes; the silhouette is in the parts',
  better: 'higher',
  // A clustering of the salient block says little without that of the shared one: the papers' tables hold both.
  counterpart: { role: 'shared', of: 'salient', better: 'lower' },
  options: {
    block: text('the block to cluster; by default the salient one, or all', { default: null }),
    rows: count('rows to cluster', 5000, 4),
    embed: choice('t-SNE to two dimensions first, or the codes as they are', ['tsne', 'none'], { default: 'tsne' }),
    clusters: integer('how many; by default as many as there are classes', { default: null, min: 1, max: 10_000_000 }),
    perplexity: number('of t-SNE; at most a third of the rows', { default: 30, min: 1, schedulable: false }),
    iterations: count('of t-SNE', 1000),
    restarts: count('of k-means', 10),
  },
  score({ codes, labels }, options, context) {
    const notes: string[] = [];
    const { seed } = context;
    const { start, size, name } = blockOf(codes, options.block, 'salient');
    const rows = takeRows(codes.n, options.rows, context);
    const n = rows.length;
    const { values: actual, size: classes } = asClasses(Array.from(rows, (row) => labels.values[row]));
    if (classes < 2) throw new UntangleError('All items are of one class, so there are no clusters to find.');
    const x = codeRows(codes, rows, start, size);
    const chance = majorityShare(actual, classes);
    const k = Math.min(options.clusters ?? classes, n);
    const common = { block: name, clusters: k, chance, rows: n };
    if (x.every((value, at) => value === x[at % size])) {
      notes.push('All codes are the same point: one cluster, named after the largest class.');
      return { score: chance, parts: { accuracy: chance, silhouette: 0, silhouetteOfClasses: 0, ...common }, notes };
    }
    const plane =
      options.embed === 'tsne' && n > 3 ? embed(x, n, size, options, seed, context.onProgress) : { x, n, d: size };
    const { labels: clusters } = kmeans({ ...plane, k, seed, restarts: options.restarts });
    const { accuracy } = clusteringAccuracy(clusters, actual);
    return {
      score: accuracy,
      parts: {
        accuracy,
        silhouette: silhouetteOf(plane, clusters),
        silhouetteOfClasses: silhouetteOf(plane, actual),
        ...common,
      },
      notes,
    };
  },
});

/** 0 where there is none: with a single cluster, or with every point a cluster of its own. */
function silhouetteOf(points: { x: Float64Array; n: number; d: number }, labels: Int32Array): number {
  const clusters = new Set(labels).size;
  return clusters > 1 && clusters < points.n ? silhouette({ ...points, labels }) : 0;
}

function embed(
  x: Float64Array,
  n: number,
  d: number,
  { perplexity, iterations }: { perplexity: number; iterations: number },
  seed: number,
  onProgress?: (share: number, what: string) => void,
): { x: Float64Array; n: number; d: number } {
  const { embedding } = tsne({
    x,
    n,
    d,
    seed,
    perplexity: Math.min(perplexity, Math.max(1, (n - 1) / 3)),
    iterations,
    onProgress: ({ iteration }) => onProgress?.(iteration / iterations, 't-SNE'),
  });
  return { x: embedding, n, d: 2 };
}
