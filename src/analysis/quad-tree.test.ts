import { expect, test } from 'vitest';
import { stream } from '../random/index.ts';
import { grow, quadTree, repel } from './quad-tree.ts';

const n = 800;
const random = stream(1, 'positions');
const positions = Float64Array.from({ length: 2 * n }, (_, e) => random.normal() * 3 + (e % 7));

test('with an angle near zero the sums are those over all pairs', () => {
  const [forces, z] = byTree(positions, 1e-6);
  const [exactForces, exactZ] = overAllPairs(positions);
  expect(Math.abs(z / exactZ - 1)).toBeLessThan(1e-12);
  forces.forEach((force, e) => {
    expect(Math.abs(force - exactForces[e])).toBeLessThan(1e-9);
  });
});

test('with the angle of t-SNE the sums are within a few per cent', () => {
  const [forces, z] = byTree(positions, 0.5);
  const [exactForces, exactZ] = overAllPairs(positions);
  expect(Math.abs(z / exactZ - 1)).toBeLessThan(0.02);
  const error = Math.hypot(...forces.map((force, e) => force - exactForces[e])) / Math.hypot(...exactForces);
  expect(error).toBeLessThan(0.03);
  expect(error).toBeGreaterThan(0);
});

test('a tree that has grown before grows anew over moved points', () => {
  const tree = quadTree(n);
  const forces = new Float64Array(2 * n);
  grow(tree, positions, 0.5);
  const moved = positions.map((value, e) => value * Math.cos(e));
  grow(tree, moved, 1e-6);
  expect(Math.abs(repel(tree, forces) / overAllPairs(moved)[1] - 1)).toBeLessThan(1e-12);
  expect(Array.from(tree.order).sort((a, b) => a - b)).toEqual(Array.from({ length: n }, (_, i) => i));
});

test('points on top of each other are one place', () => {
  const crowd = new Float64Array(2 * n);
  for (let i = n / 2; i < n; i++) crowd[2 * i] = 3;
  const [forces, z] = byTree(crowd, 0.5);
  const [exactForces, exactZ] = overAllPairs(crowd);
  expect(Math.abs(z / exactZ - 1)).toBeLessThan(1e-10);
  forces.forEach((force, e) => {
    expect(force).toBeCloseTo(exactForces[e], 9);
  });
  expect(byTree(new Float64Array(2 * n), 0.5)[1]).toBe(n * (n - 1));
});

function byTree(points: Float64Array, angle: number): [forces: Float64Array, z: number] {
  const tree = quadTree(points.length / 2);
  const forces = new Float64Array(points.length);
  grow(tree, points, angle);
  return [forces, repel(tree, forces)];
}

function overAllPairs(points: Float64Array): [forces: Float64Array, z: number] {
  const forces = new Float64Array(points.length);
  let z = 0;
  for (let i = 0; i < points.length; i += 2) {
    for (let j = 0; j < points.length; j += 2) {
      if (i === j) continue;
      const [dx, dy] = [points[i] - points[j], points[i + 1] - points[j + 1]];
      const q = 1 / (1 + dx * dx + dy * dy);
      z += q;
      forces[i] += q * q * dx;
      forces[i + 1] += q * q * dy;
    }
  }
  return [forces, z];
}
