import { expect, test } from 'vitest';
import { stream } from '../random/index.ts';
import { clustering } from './clustering.ts';
import type { CodeTable } from './metric.ts';

const n = 300;
const labels = { names: ['a', 'b', 'c'], values: Uint16Array.from({ length: n }, (_, i) => i % 3) };
const noise = stream(1, 'clusters').normals(n * 4);

/** Two salient dimensions with a blob for every class, and two shared ones of noise. */
function blobs(spread = 8): CodeTable {
  const values = Float64Array.from(noise, (value, at) => {
    const [i, j] = [Math.floor(at / 4), at % 4];
    return j < 2 ? value + spread * Math.cos((2 * Math.PI * (i % 3)) / 3 + j) : value;
  });
  const blocks = [
    { name: 's', role: 'salient' as const, start: 0, size: 2 },
    { name: 'z', role: 'shared' as const, start: 2, size: 2 },
  ];
  return { values, n, d: 4, blocks };
}

test.each(['tsne', 'none'])('%s: blobs are found in the salient block, and nothing in the shared one', (embed) => {
  const found = clustering.score({ codes: blobs(), labels }, { embed, iterations: 500 });
  expect(found.score).toBe(1);
  expect(found.parts.silhouette).toBeGreaterThan(0.6);
  expect(found.parts.silhouetteOfClasses).toBeCloseTo(found.parts.silhouette as number, 9);
  const lost = clustering.score({ codes: blobs(), labels }, { block: 'z', embed, iterations: 300 });
  expect(lost.score).toBeLessThan(0.5);
  expect(Math.abs(lost.parts.silhouetteOfClasses as number)).toBeLessThan(0.1);
});

test('doubled, negated and permuted dimensions cluster alike', () => {
  const { values } = blobs();
  const turned = Float64Array.from({ length: n * 4 }, (_, at) => -values[at - (at % 4) + ((at + 1) % 2)]);
  expect(clustering.score({ codes: { values: turned, n, d: 4 }, labels }, { embed: 'none' }).score).toBe(1);
});

test('codes that are one point make one cluster, at the share of the largest class', () => {
  const { score, parts, notes } = clustering.score({ codes: { values: new Float64Array(n * 2), n, d: 2 }, labels });
  expect([score, parts.silhouette]).toEqual([1 / 3, 0]);
  expect(notes).toEqual(['All codes are the same point: one cluster, named after the largest class.']);
});

test('one class is nothing to find clusters for', () => {
  const one = { names: ['a'], values: new Uint16Array(n) };
  expect(() => clustering.score({ codes: blobs(), labels: one })).toThrow('All items are of one class');
});
