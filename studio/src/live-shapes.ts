/** Small pictures with known factors, drawn in the page: a disc, square or triangle of some size, place and brightness. */
import { stream } from '../../src/random/index.ts';
import type { ImageFacts } from './image.ts';

const side = 16;
export const shapeFacts: ImageFacts = {
  shape: { kind: 'image', channels: 1, height: side, width: side },
  range: 'unit',
};

/** How far a point lies outside of each form of radius r, negative inside. */
const forms = [
  (x: number, y: number, r: number) => Math.hypot(x, y) - r,
  (x: number, y: number, r: number) => Math.max(Math.abs(x), Math.abs(y)) - 0.85 * r,
  (x: number, y: number, r: number) => Math.max(y, (Math.abs(x) * Math.sqrt(3) - y) / 2) - 0.6 * r,
];

export function drawShapes(count: number, seed: number): Float32Array {
  const random = stream(seed, 'shapes of the page');
  const items = new Float32Array(count * side * side);
  for (let i = 0, at = 0; i < count; i++) {
    const outside = forms[random.integer(forms.length)];
    const [left, top] = [4.5 + 7 * random.uniform(), 4.5 + 7 * random.uniform()];
    const radius = 2.4 + 1.8 * random.uniform();
    const light = 0.35 + 0.65 * random.uniform();
    for (let y = 0; y < side; y++)
      for (let x = 0; x < side; x++, at++)
        items[at] = light * Math.min(1, Math.max(0, 0.5 - outside(x + 0.5 - left, y + 0.5 - top, radius)));
  }
  return items;
}
