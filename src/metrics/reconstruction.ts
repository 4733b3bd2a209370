/**
 * Reconstruction error between images and what a model made of them: per pixel and per image, as squared error, absolute
 * error and binary cross-entropy.
 */
import type { Numbers } from '../analysis/index.ts';
import { defineMetric, type ResultPart } from './metric.ts';

export const reconstruction = defineMetric({
  name: 'reconstruction',
  title: 'Reconstruction error',
  version: '1',
  needs: ['reconstructions'],
  describe:
    'the mean squared error of a pixel or column; sums over an item, absolute error and cross-entropy are in the parts',
  better: 'lower',
  options: {},
  score({ reconstructions: { original, reconstruction: made, n, size } }) {
    const errors = reconstructionErrors(original, made);
    const perPixel = (sum: number) => sum / (n * size);
    const perImage = (sum: number) => sum / n;
    const parts: Record<string, ResultPart> = {
      squaredPerPixel: perPixel(errors.squared),
      squaredPerImage: perImage(errors.squared),
      absolutePerPixel: perPixel(errors.absolute),
      absolutePerImage: perImage(errors.absolute),
    };
    const notes: string[] = [];
    if (errors.crossEntropy === undefined) notes.push('Values outside 0 … 1 have no binary cross-entropy.');
    else {
      parts.crossEntropyPerPixel = perPixel(errors.crossEntropy);
      parts.crossEntropyPerImage = perImage(errors.crossEntropy);
    }
    return { score: perPixel(errors.squared), parts, notes };
  },
});

/** Sums over all values of (x − x̂)², |x − x̂| and −x ln x̂ − (1 − x) ln(1 − x̂); the last only for values in [0, 1]. */
export function reconstructionErrors(
  original: Numbers,
  made: Numbers,
): { squared: number; absolute: number; crossEntropy?: number } {
  let squared = 0;
  let absolute = 0;
  let crossEntropy = 0;
  let unit = true;
  for (let i = 0; i < original.length; i++) {
    const x = original[i];
    const y = made[i];
    const difference = x - y;
    squared += difference * difference;
    absolute += Math.abs(difference);
    if (x < 0 || x > 1 || y < 0 || y > 1) unit = false;
    else if (unit) crossEntropy -= x * boundedLog(y) + (1 - x) * boundedLog(1 - y);
  }
  return unit ? { squared, absolute, crossEntropy } : { squared, absolute };
}

/** ln, not below −100 as PyTorch's cross-entropy has it, so that one saturated pixel does not make the sum infinite. */
const boundedLog = (value: number) => Math.max(-100, Math.log(value));
