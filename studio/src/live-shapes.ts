/** Small pictures with known factors, drawn in the page: a disc, square or triangle of some size, place and brightness. */
import { stream } from '../../src/random/index.ts';
import type { LiveData } from './live-protocol.ts';

const side = 16;

/** How far a point lies outside of each form of radius r, negative inside. */
const forms = {
  disc: (x: number, y: number, r: number) => Math.hypot(x, y) - r,
  square: (x: number, y: number, r: number) => Math.max(Math.abs(x), Math.abs(y)) - 0.85 * r,
  triangle: (x: number, y: number, r: number) => Math.max(y, (Math.abs(x) * Math.sqrt(3) - y) / 2) - 0.6 * r,
};
const outside = Object.values(forms);

/** Pictures with their forms as labels; the background has discs alone. */
export function drawShapes(count: number, seed: number): LiveData {
  const random = stream(seed, 'shapes of the page');
  const values = Array.from({ length: count }, () => random.integer(outside.length));
  return {
    items: drawn(values, random),
    facts: { shape: { kind: 'image', channels: 1, height: side, width: side }, range: 'unit' },
    background: drawn(new Array(count).fill(0), random),
    labels: { names: Object.keys(forms), values },
  };
}

function drawn(chosen: readonly number[], random: ReturnType<typeof stream>): Float32Array {
  const items = new Float32Array(chosen.length * side * side);
  let at = 0;
  for (const form of chosen) {
    const [left, top] = [4.5 + 7 * random.uniform(), 4.5 + 7 * random.uniform()];
    const radius = 2.4 + 1.8 * random.uniform();
    const light = 0.35 + 0.65 * random.uniform();
    for (let y = 0; y < side; y++)
      for (let x = 0; x < side; x++, at++)
        items[at] = light * Math.min(1, Math.max(0, 0.5 - outside[form](x + 0.5 - left, y + 0.5 - top, radius)));
  }
  return items;
}
