import { expect, test } from 'vitest';
import { stream } from '../random/index.ts';
import { augmentation, byClass, replaced } from './augmentation.ts';
import type { LabelledImages } from './metric.ts';

/** Images of 9 pixels: class c is bright at pixel c, or at pixel c + `shift`. */
function images(n: number, seed: number, shift = 0): LabelledImages {
  const noise = stream(seed, 'images').normals(n * 9);
  const labels = Int32Array.from({ length: n }, (_, i) => i % 3);
  const values = Float32Array.from(noise, (value, at) => {
    const pixel = at % 9;
    return 0.2 * value + (pixel === (labels[Math.floor(at / 9)] + shift) % 9 ? 1 : 0);
  });
  return { values, n, size: 9, labels };
}

const train = images(120, 1);
const held = images(300, 2);

test('good samples keep the error low, samples of the wrong kind raise it as more are taken', () => {
  const good = augmentation.score({ augmentation: { train, test: held, generated: images(120, 3) } });
  expect(good.parts.baseline).toBeLessThan(0.02);
  expect(Math.max(...(good.parts.errors as number[]))).toBeLessThan(0.02);
  const shifted = { train, test: held, generated: images(120, 3, 1) };
  const bad = augmentation.score({ augmentation: shifted }, { replace: [0, 1] });
  const [none, all] = bad.parts.errors as number[];
  expect(none).toBe(bad.parts.baseline);
  // Shifted images of class 0 look like class 1 and those of class 1 like class 2, so two classes of three are lost.
  expect(all).toBeGreaterThan(2 / 3);
});

test('an image is replaced by one of its own class, as often as told', () => {
  const generated = { ...images(9, 4), values: new Float32Array(81).map((_, at) => Math.floor(at / 9) % 3) };
  const mixed = replaced(train, generated, byClass(generated), 0.4, stream(1, 'mix'));
  let count = 0;
  for (let i = 0; i < 120; i++) {
    if (mixed.values[i * 9] === train.values[i * 9]) continue;
    count++;
    expect(mixed.values[i * 9]).toBe(train.labels[i]);
  }
  expect(Math.abs(count / 120 - 0.4)).toBeLessThan(0.12);
});

test('another classifier can be put in, and a class without generated images keeps its real ones', () => {
  const seen: number[] = [];
  const classifier = {
    name: 'always class 0',
    train(given: LabelledImages) {
      seen.push(given.n);
      return (_: Float64Array | Float32Array, n: number) => new Int32Array(n);
    },
  };
  const generated = images(30, 5);
  const firstClass = { ...generated, labels: new Int32Array(30) };
  const { score, parts, notes } = augmentation.score({
    augmentation: { train, test: held, generated: firstClass, classifier },
  });
  expect(score).toBeCloseTo(2 / 3, 12);
  expect(parts.classifier).toBe('always class 0');
  expect(seen).toEqual(new Array(7).fill(120));
  expect(notes).toEqual(['No generated image is of class 1, 2: real ones stay.']);
});
