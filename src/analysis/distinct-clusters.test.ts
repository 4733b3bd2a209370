import { expect, test } from 'vitest';
import { stream } from '../random/index.ts';
import { distinctClusters, nearestClusters } from './distinct-clusters.ts';

/** Points around centres, one after the other in turn. */
function around(centres: number[][], n: number, deviation: number, seed = 1) {
  const noise = stream(seed, 'points');
  const d = centres[0].length;
  const x = Float64Array.from({ length: n * d }, (_, e) => {
    const centre = centres[Math.floor(e / d) % centres.length];
    return centre[e % d] + deviation * noise.normal();
  });
  return { x, n, d };
}

test('three groups are found, with their sizes, and their exemplars lie at the centres', () => {
  const points = around(
    [
      [0, 0],
      [3, 0],
      [0, 3],
    ],
    90,
    0.3,
  );
  const { clusters, silhouette, ofOneCloud } = distinctClusters(points, 1);
  expect(clusters.map(({ size }) => size)).toEqual([30, 30, 30]);
  expect(silhouette).toBeGreaterThan(ofOneCloud ?? 1);
  for (const { centre, exemplars } of clusters) {
    const [x, y] = [points.x[2 * exemplars[0]], points.x[2 * exemplars[0] + 1]];
    expect(Math.hypot(x - centre[0], y - centre[1])).toBeLessThan(0.2);
  }
  const labels = nearestClusters(clusters, points);
  expect(new Set(Array.from(labels.filter((_, i) => i % 3 === 0))).size).toBe(1);
});

test('one cloud is one cluster, also a long one that k-means would cut with a good silhouette', () => {
  for (const seed of [1, 2, 3, 4]) {
    const long = around([[0, 0]], 200, 1, seed);
    for (let i = 0; i < 200; i++) long.x[2 * i] *= 10;
    expect(distinctClusters(long, seed).clusters.map(({ size }) => size)).toEqual([200]);
  }
});

test('codes that are all the same, and few of them, are one cluster', () => {
  expect(distinctClusters({ x: new Float64Array(60), n: 30, d: 2 }, 1).clusters.map(({ size }) => size)).toEqual([30]);
  expect(
    distinctClusters(
      around(
        [
          [0, 0],
          [9, 9],
        ],
        6,
        0.1,
      ),
      1,
    ).clusters,
  ).toHaveLength(1);
});

/** Clouds with one mode, of n points in d dimensions. */
const unimodal: Record<string, (noise: ReturnType<typeof stream>) => number> = {
  normal: (noise) => noise.normal(),
  even: (noise) => noise.uniform(),
  skewed: (noise) => -Math.log(1 - noise.uniform()),
  'long tails': (noise) =>
    noise.normal() / Math.sqrt((noise.normal() ** 2 + noise.normal() ** 2 + noise.normal() ** 2) / 3),
  'half at zero': (noise) => Math.max(0, noise.normal()),
};

test.each(Object.entries(unimodal))('clouds with one mode are one cluster in all but few draws: %s', (shape, draw) => {
  let several = 0;
  for (let seed = 0; seed < 10; seed++) {
    const noise = stream(seed, shape);
    const [n, d] = [seed % 2 ? 60 : 150, 1 + (seed % 3)];
    const x = Float64Array.from({ length: n * d }, () => draw(noise));
    if (distinctClusters({ x, n, d }, seed).clusters.length > 1) several++;
  }
  expect(several).toBeLessThanOrEqual(1);
});
