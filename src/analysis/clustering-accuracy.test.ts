import { expect, test } from 'vitest';
import { UntangleError } from '../errors.ts';
import { clusteringAccuracy } from './clustering-accuracy.ts';
import fixture from './fixtures/clustering.json' with { type: 'json' };

const { clusters, labels, moreClusters, moreLabels } = fixture.accuracy;

test('names of clusters do not matter', () => {
  const { accuracy, labelOfCluster } = clusteringAccuracy([5, 5, -1, -1, 9], [0, 0, 1, 1, 2]);
  expect(accuracy).toBe(1);
  expect([...labelOfCluster]).toEqual([
    [-1, 1],
    [5, 0],
    [9, 2],
  ]);
});

test('with more clusters than labels, and more labels than clusters, it is scipy’s best matching', () => {
  expect(clusteringAccuracy(clusters, labels).accuracy).toBeCloseTo(moreClusters, 12);
  expect(clusteringAccuracy(clusters, labels).labelOfCluster.size).toBe(4);
  expect(clusteringAccuracy(labels, clusters).accuracy).toBeCloseTo(moreLabels, 12);
});

test('a label is used for one cluster only', () => {
  expect(clusteringAccuracy([0, 0, 1, 1], [3, 3, 3, 3]).accuracy).toBe(0.5);
});

test('lists of different lengths, empty lists and missing numbers are refused in words', () => {
  expect(() => clusteringAccuracy([0, 1], [0])).toThrow(UntangleError);
  expect(() => clusteringAccuracy([], [])).toThrow(UntangleError);
  expect(() => clusteringAccuracy([0, Number.NaN], [0, 1])).toThrow(UntangleError);
  const many = Array.from({ length: 10_000 }, (_, i) => i);
  expect(() => clusteringAccuracy(many, many)).toThrow('10000 clusters against 10000 labels');
});
