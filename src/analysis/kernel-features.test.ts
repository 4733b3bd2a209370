import { expect, test } from 'vitest';
import { stream } from '../random/index.ts';
import { contrastivePca } from './contrastive-pca.ts';
import { kernelFeatures } from './kernel-features.ts';
import { project } from './pca.ts';

/** Target items lie on a small or a large ring in the first two columns, background items at its middle; the others are noise. */
function rings(seed: number) {
  const source = stream(seed, 'rings');
  const [n, d] = [120, 4];
  const set = (isTarget: boolean) =>
    Float64Array.from({ length: n }).reduce((x: number[], _, i) => {
      const radius = isTarget ? 1 + 2 * (i % 2) : 0;
      const turn = 2 * Math.PI * source.uniform();
      const at = [radius * Math.cos(turn), radius * Math.sin(turn)].map((value) => value + 0.2 * source.normal());
      x.push(...at, 0.3 * source.normal(), 0.3 * source.normal());
      return x;
    }, []);
  return {
    target: { x: Float64Array.from(set(true)), n, d },
    background: { x: Float64Array.from(set(false)), n, d },
  };
}

/** The share of target items that a threshold along the best of two directions puts on the right ring. */
function told(model: ReturnType<typeof contrastivePca>, x: Float64Array, n: number): number {
  const places = project(model, x, n);
  let best = 0;
  for (let c = 0; c < 2; c++)
    for (let at = 0; at < n; at++) {
      const right = Array.from({ length: n }).filter(
        (_, i) => places[2 * i + c] > places[2 * at + c] === (i % 2 === 1),
      );
      best = Math.max(best, right.length / n, 1 - right.length / n);
    }
  return best;
}

test('inner products of the features are the kernel', () => {
  const sets = rings(1);
  const { target, background } = kernelFeatures({ ...sets, within: 1000 }, 'polynomial');
  const inner = (a: ArrayLike<number>, i: number, b: ArrayLike<number>, j: number, d: number) => {
    let sum = 0;
    for (let k = 0; k < d; k++) sum += a[i * d + k] * b[j * d + k];
    return sum;
  };
  for (const [i, j] of [
    [0, 0],
    [3, 17],
    [50, 2],
  ]) {
    const kernel = (inner(sets.target.x, i, sets.background.x, j, 4) / 4 + 1) ** 3;
    expect(inner(target.x, i, background.x, j, target.d)).toBeCloseTo(kernel, 6);
  }
});

test('rings that no plane of the columns parts come apart along a direction of the kernel', () => {
  for (const seed of [1, 2, 3]) {
    const sets = rings(seed);
    const features = kernelFeatures(sets, 'rbf');
    const curved = contrastivePca({ ...features, alpha: 10, components: 2 });
    const straight = contrastivePca({ ...sets, alpha: 10, components: 2 });
    expect(told(curved, Float64Array.from(features.target.x), 120)).toBeGreaterThan(0.95);
    expect(told(straight, sets.target.x, 120)).toBeLessThan(0.85);
  }
});

test('more points than a Gram matrix is made of are refused', () => {
  const many = { x: new Float64Array(1200), n: 600, d: 2 };
  expect(() => kernelFeatures({ target: many, background: many }, 'rbf')).toThrow('1200 are more than 1000');
});
