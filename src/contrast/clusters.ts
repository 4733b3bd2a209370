/** Whether there are kinds among the target's items: clusters of held-out salient codes, against labels where they are known. */
import { type Cluster, type DistinctClusters, distinctClusters, nearestClusters } from '../analysis/index.ts';
import { type Drawing, grid, htmlParagraph, htmlTable, rastersOf } from '../drawing/index.ts';
import { imagesOf } from '../pictures/index.ts';
import type { TrainedModel } from '../use/index.ts';
import { codesIn, type EncodedSet, labelOf, nameOf } from './encoded.ts';

export interface ClusterReport extends DistinctClusters {
  /** What the items nearest to each cluster's centre are called. */
  names: string[][];
  /** How many held-out items of each label are in each cluster, where labels are known. */
  labels?: { names: string[]; counts: number[][] };
}

/** Clusters of held-out items; exemplars are items of the set. */
export function clustersOf(target: EncodedSet, seed: number): ClusterReport {
  const codes = codesIn(target, 'salient');
  const found = distinctClusters(codes, seed);
  const clusters = found.clusters.map((cluster) => ({
    ...cluster,
    exemplars: cluster.exemplars.map((place) => target.heldOut[place]),
  }));
  const names = clusters.map(({ exemplars }) => exemplars.slice(0, 5).map((item) => nameOf(target, item)));
  const { labels } = target.data;
  if (!labels) return { ...found, clusters, names };
  const places = nearestClusters(clusters, codes);
  const used = [...new Set(Array.from(target.heldOut, (item) => labels.values[item]))].sort((a, b) => a - b);
  const counts = clusters.map((_, cluster) =>
    used.map(
      (label) => target.heldOut.filter((item, i) => places[i] === cluster && labels.values[item] === label).length,
    ),
  );
  return { ...found, clusters, names, labels: { names: used.map((label) => labels.names[label]), counts } };
}

export function clustersChapter(
  { clusters, silhouette, ofOneCloud, labels, names }: ClusterReport,
  kind: 'image' | 'table',
): string[] {
  const measured =
    silhouette === undefined || ofOneCloud === undefined
      ? ''
      : ` The silhouette of the best division is ${silhouette.toFixed(2)}; divisions of a single cloud reach ${ofOneCloud.toFixed(2)}.`;
  const sentence =
    clusters.length === 1
      ? `No: the salient codes are one cloud.${measured}`
      : `The salient codes fall into ${clusters.length} clusters.${measured}`;
  const head = ['cluster', 'items', ...(labels?.names ?? []), ...(kind === 'table' ? ['nearest to the centre'] : [])];
  const rows = clusters.map(({ size }, i) => [
    String(i + 1),
    String(size),
    ...(labels?.counts[i].map(String) ?? []),
    ...(kind === 'table' ? [names[i].join(', ')] : []),
  ]);
  return [htmlParagraph(sentence), ...(clusters.length > 1 || labels ? [htmlTable(head, rows)] : [])];
}

/** The items nearest to each cluster's centre, a row for each cluster. */
export function drawClusters(model: TrainedModel, target: EncodedSet, clusters: readonly Cluster[]): Drawing {
  const total = clusters.reduce((sum, { size }) => sum + size, 0);
  const rows = clusters.map(({ exemplars }) =>
    rastersOf(imagesOf(model, target.data.gather(exemplars))).map((image, i) => ({
      image,
      caption: labelOf(target, exemplars[i]),
    })),
  );
  return grid({
    rows,
    rowLabels: clusters.map(({ size }, i) => ({
      text: `cluster ${i + 1}`,
      note: `${size} items, ${((100 * size) / total).toFixed(0)} %`,
    })),
    cellSize: 56,
    title: 'The items nearest to each centre',
  });
}
