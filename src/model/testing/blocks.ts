/** A model's blocks for tests: a class, what belongs to it, and a salient one. */
import type { ModelBlock } from '../block.ts';

export const c: ModelBlock = { name: 'c', size: 2, kind: 'categorical', role: 'class' };
export const u: ModelBlock = {
  name: 'u',
  size: 1,
  kind: 'gaussian',
  role: 'class-related',
  dependsOn: 'c',
  prior: { mean: [[1], [-3]], logVariance: [[0], [Math.log(4)]] },
};
export const s: ModelBlock = {
  name: 's',
  size: 2,
  kind: 'gaussian',
  role: 'salient',
  neutral: [0.5, 0],
  kl: [0.1, 0.7],
};
export const blocks = [c, u, s];
