import { join } from 'node:path';
import { expect, test } from 'vitest';
import { stream } from '../../random/index.ts';
import { readIdx } from '../formats/idx.ts';
import { sharedData } from '../testing/shared-data.ts';
import { ellipseAxes, factorSizes, heartRadii, orientationAt, scaleAt, squareHalfSide } from './dsprites-geometry.ts';
import { buildSprites, drawSprite, spriteNumber } from './dsprites-sprites.ts';

const sprites = buildSprites();

interface Latents {
  shape: number;
  scale: number;
  orientation: number;
  x: number;
  y: number;
}
const drawn = ({ shape, scale, orientation, x, y }: Latents) => {
  const out = new Float32Array(64 * 64).fill(7);
  drawSprite(sprites, spriteNumber(shape, scale, orientation), x, y, out, 0);
  return out;
};

/** Centres lie at 16 + 32·position, positions equally spaced from 0 to 1. */
const centreAt = (index: number) => 16 + (32 * index) / (factorSizes.x - 1);

/** The rule itself, pixel by pixel: on where the pixel's centre, in the shape's coordinates, lies inside. */
function byTheRule(latents: Latents): Float32Array {
  const scale = scaleAt(latents.scale);
  const angle = orientationAt(latents.orientation);
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  return Float32Array.from({ length: 64 * 64 }, (_, i) => {
    const dx = (i % 64) + 0.5 - centreAt(latents.x);
    const dy = Math.floor(i / 64) + 0.5 - centreAt(latents.y);
    const lx = (cos * dx - sin * dy) / scale;
    const ly = (sin * dx + cos * dy) / scale;
    if (latents.shape === 0) return Math.max(Math.abs(lx), Math.abs(ly)) <= squareHalfSide ? 1 : 0;
    if (latents.shape === 1) return (lx / ellipseAxes.x) ** 2 + (ly / ellipseAxes.y) ** 2 <= 1 ? 1 : 0;
    const node = (Math.atan2(Math.abs(lx), -ly) / Math.PI) * 120;
    const below = Math.min(119, Math.floor(node));
    const radius = heartRadii[below] + (node - below) * (heartRadii[below + 1] - heartRadii[below]);
    return Math.hypot(lx, ly) <= radius ? 1 : 0;
  });
}

const differing = (a: ArrayLike<number>, b: ArrayLike<number>) => {
  let count = 0;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) count++;
  return count;
};

test('a drawn picture is the rule’s picture, pixel for pixel, anywhere in the set', () => {
  const random = stream(1, 'latents');
  for (let i = 0; i < 300; i++) {
    const latents = {
      shape: i % factorSizes.shape,
      scale: random.integer(factorSizes.scale),
      orientation: random.integer(factorSizes.orientation),
      x: random.integer(factorSizes.x),
      y: random.integer(factorSizes.y),
    };
    expect(differing(drawn(latents), byTheRule(latents)), JSON.stringify(latents)).toBe(0);
  }
});

test('the first and the last orientation are the same picture', () => {
  for (const shape of [0, 1, 2]) {
    const one = { shape, scale: 3, orientation: 0, x: 5, y: 20 };
    expect(drawn(one)).toEqual(drawn({ ...one, orientation: 39 }));
  }
});

/** The order in which the real set's picture walks through it. */
function walk(): Latents[] {
  const frames: Latents[] = [];
  const up = (count: number) => Array.from({ length: count }, (_, i) => i);
  const down = (count: number) => up(count).reverse();
  for (const shape of [2, 1, 0]) {
    const add = (latents: Partial<Latents>) => frames.push({ shape, scale: 5, orientation: 0, x: 0, y: 0, ...latents });
    for (const scale of [...up(6), ...down(6), ...up(6)]) add({ scale });
    for (const orientation of up(40)) add({ orientation });
    if (shape === 2) {
      for (const y of up(32)) add({ y });
      for (const x of up(32)) add({ x, y: 31 });
      for (const y of down(32)) add({ x: 31, y });
      for (const x of down(32)) add({ x });
    }
    for (const scale of down(6)) add({ scale });
  }
  return frames;
}

test.skipIf(!sharedData('dsprites-reference'))(
  '286 of 320 real frames are drawn pixel for pixel, the others but for two pixels on average and four at most',
  async () => {
    const path = join(sharedData('dsprites-reference') ?? '', 'dsprites-gif-320-frames-idx3-ubyte.gz');
    const { data } = await readIdx(path);
    const wrong = walk().map((latents, i) => differing(drawn(latents), data.subarray(i * 4096, (i + 1) * 4096)));
    expect(wrong.length).toBe(320);
    expect(wrong.filter((count) => count === 0).length).toBe(286);
    expect(wrong.reduce((sum, count) => sum + count, 0)).toBe(64);
    expect(Math.max(...wrong)).toBe(4);
  },
);
