/** Decoders whose factors are known: what is said of a dimension has to be what it does. */
import { expect, test } from 'vitest';
import { buildSprites, drawSprite, side, spriteNumber } from '../data/sets/dsprites-sprites.ts';
import { stream } from '../random/index.ts';
import { type ExplainedModel, explainDimension } from './explain-dimension.ts';
import type { Explanation } from './explanation.ts';
import { explainImages } from './image-changes.ts';
import { explainTable } from './table-changes.ts';

const sprites = buildSprites();
type Sprite = { shape: number; scale: number; orientation: number; x: number; y: number };

/** Traversals from six places: sprites that a position from 0 to 1 moves. */
function spriteTraversals(move: (start: Sprite, position: number) => Sprite, frames = 9): Float32Array[] {
  const random = stream(7, 'places');
  return Array.from({ length: 6 }, (_, k) => {
    const start = {
      shape: k % 3,
      scale: random.integer(6),
      orientation: random.integer(40),
      x: 6 + random.integer(20),
      y: 6 + random.integer(20),
    };
    const out = new Float32Array(frames * side * side);
    for (let i = 0; i < frames; i++) {
      const { shape, scale, orientation, x, y } = move(start, i / (frames - 1));
      drawSprite(sprites, spriteNumber(shape, scale, orientation), x, y, out, i * side * side);
    }
    return out;
  });
}

const spriteShape = { kind: 'image', channels: 1, height: side, width: side } as const;
const ofSprites = (move: (start: Sprite, position: number) => Sprite, frames?: number) =>
  explainImages(spriteTraversals(move, frames), spriteShape);
const first = ({ changes: [change] }: Explanation) => change;

test('the position of a sprite is told with its direction and its way in pixels', () => {
  const right = ofSprites((start, at) => ({ ...start, x: Math.round(31 * at) }));
  expect([right.isSeveral, right.name.replace(/[\d.]+/, 'N'), first(right).kind]).toEqual([
    false,
    'moves right, N px',
    'move',
  ]);
  // 31 places with 32/31 pixels between them.
  expect(Math.abs((first(right).amount ?? 0) - 32)).toBeLessThan(2);
  const up = ofSprites((start, at) => ({ ...start, y: Math.round(20 - 14 * at) }));
  expect(up.name).toMatch(/^moves up, 1[3-6](\.\d)? px$/);
  const both = ofSprites((start, at) => ({ ...start, x: Math.round(5 + 20 * at), y: Math.round(5 + 20 * at) }));
  expect(both.name).toMatch(/^moves down and right, (2[789]|3[01])(\.\d)? px$/);
});

test('the scale of a sprite is told as a factor', () => {
  const grows = ofSprites((start, at) => ({ ...start, scale: Math.round(5 * at) }), 6);
  expect(grows.name).toMatch(/^grows, ×/);
  // From half to whole.
  expect(Math.abs((first(grows).amount ?? 0) - 2)).toBeLessThan(0.25);
  const shrinks = ofSprites((start, at) => ({ ...start, scale: Math.round(5 - 5 * at) }), 6);
  expect(shrinks.name).toMatch(/^shrinks, ×0\.[45]/);
});

test('the rotation of a sprite is told with its angle and its sense', () => {
  const turns = ofSprites(
    (start, at) => ({ ...start, orientation: (start.orientation + Math.round(13 * at)) % 39 }),
    14,
  );
  expect([first(turns).kind, turns.isSeveral]).toEqual(['turn', false]);
  // A third of a turn.
  expect(Math.abs(Math.abs(first(turns).amount ?? 0) - 120)).toBeLessThan(20);
});

test('a dimension that does several things is said to, and one that does nothing, too', () => {
  const several = ofSprites((start, at) => ({
    ...start,
    x: Math.round(12 + 5 * at),
    scale: Math.round(5 * at),
    orientation: (start.orientation + Math.round(12 * at)) % 39,
  }));
  expect([several.isSeveral, several.name]).toEqual([true, 'several things']);
  expect(ofSprites((start) => start)).toMatchObject({ name: 'does next to nothing', changes: [] });
});

/** Pictures of 28 × 28 by a function of place and position, the middle at 0. */
function painted(paint: (x: number, y: number, position: number, start: number) => readonly number[], channels = 1) {
  return Array.from({ length: 4 }, (_, start) => {
    const items = new Float32Array(9 * channels * 784);
    for (let i = 0; i < 9; i++)
      for (let p = 0; p < 784; p++) {
        const colour = paint((p % 28) - 13.5, Math.floor(p / 28) - 13.5, i / 8, start);
        for (let c = 0; c < channels; c++) items[(i * channels + c) * 784 + p] = colour[c];
      }
    return items;
  });
}
const grey = { kind: 'image', channels: 1, height: 28, width: 28 } as const;
const cover = (distance: number) => Math.min(1, Math.max(0, 0.5 - distance));

/** A figure of strokes: a bar with a foot and a head, as digits have. */
const stroke = (x: number, y: number, width: number) =>
  cover(
    Math.min(
      Math.max(Math.abs(x) - width, Math.abs(y) - 9),
      Math.max(Math.abs(Math.abs(y) - 8) - width, Math.abs(x - 2) - 5),
    ),
  );

test('strokes slant and thicken', () => {
  const slants = explainImages(
    painted((x, y, at) => [stroke(x - (at - 0.5) * 0.6 * -y, y, 1.2)]),
    grey,
  );
  expect([first(slants).kind, slants.isSeveral]).toEqual(['slant', false]);
  // The head goes to the right: from −0.3 to 0.3 for each pixel of height.
  expect(Math.abs((first(slants).amount ?? 0) - 31)).toBeLessThan(6);
  const thickens = explainImages(
    painted((x, y, at) => [stroke(x, y, 0.8 + 1.2 * at)]),
    grey,
  );
  expect(thickens.name).toMatch(/^thickens/);
  expect(Math.abs((first(thickens).amount ?? 0) - 2.4)).toBeLessThan(0.8);
});

test('one form that goes over into another moves nowhere, and words for it are not made up', () => {
  const ring = (x: number, y: number) => cover(Math.abs(Math.hypot(x, y) - 8) - 1);
  const fades = explainImages(
    painted((x, y, at) => [(1 - at) * stroke(x, y, 1) + at * ring(x, y)]),
    grey,
  );
  expect([fades.name, fades.isSeveral, first(fades).words]).toEqual(['several things', true, 'changes its form']);
});

test('a figure that becomes brighter, and one that becomes wider', () => {
  const brightens = explainImages(
    painted((x, y, at) => [(0.3 + 0.5 * at) * cover(Math.hypot(x, y) - 6)]),
    grey,
  );
  expect(brightens.name).toMatch(/^stands out more, ×2\.[4-9]/);
  const widens = explainImages(
    painted((x, y, at) => [cover(Math.max(Math.abs(x) - 4 - 4 * at, Math.abs(y) - 5))]),
    grey,
  );
  expect(widens.name).toMatch(/^widens, ×(1\.[6-9]|2)/);
});

/** A colour of full strength by its hue in turns. */
const hue = (turns: number) => [0, 1, 2].map((c) => 0.5 + 0.5 * Math.cos(2 * Math.PI * (turns - c / 3)));

test('hue and size of coloured shapes are told apart', () => {
  const colour = { ...grey, channels: 3 };
  const disc = (x: number, y: number, radius: number, turns: number) =>
    hue(turns).map((value) => value * cover(Math.hypot(x, y) - radius));
  const hues = explainImages(
    painted((x, y, at, start) => disc(x, y, 4 + start, start / 5 + at / 2), 3),
    colour,
  );
  expect(hues.name).toMatch(/^changes hue, 1[678]\d°$/);
  const sizes = explainImages(
    painted((x, y, at, start) => disc(x, y, 4 + 4 * at, start / 5), 3),
    colour,
  );
  expect(sizes.name).toMatch(/^grows, ×(1\.[89]|2)/);
});

test('columns of a table are told in their units, those first that change most', () => {
  const rows = (...ends: number[][]) => Float32Array.from(ends.flat());
  const columns = [
    { kind: 'number', name: 'age', at: 0, deviation: 12 },
    { kind: 'number', name: 'weight', at: 1, deviation: 0.5 },
    { kind: 'category', name: 'sex', at: 2, categories: ['f', 'm'] },
  ] as const;
  const told = explainTable(
    [rows([-1, 1, 0.5, 0.5], [1, 0, 0.5, 0.5]), rows([-1, 1, 0.5, 0.5], [1.5, 0, 0.5, 0.5])],
    4,
    columns,
  );
  expect(told.name).toBe('age +27 and weight −0.50');
  const sex = explainTable([rows([0, 0, 0.9, 0.1], [0, 0, 0.1, 0.9])], 4, columns);
  expect(sex.name).toBe('sex from f to m');
  const flat = explainTable([rows([0, 0, 1, 0], [0, 0, 1, 0])], 4, columns);
  expect(flat.name).toBe('does next to nothing');
});

test('a dimension is moved through its prior, from several places, by the decoder itself', async () => {
  const blocks = [{ name: 'z', size: 2, kind: 'gaussian', role: 'shared' }] as const;
  const model: ExplainedModel = {
    blocks,
    shape: { kind: 'table', columns: ['age', 'weight'] },
    columns: [
      { kind: 'number', name: 'age', deviation: 10 },
      { kind: 'number', name: 'weight', deviation: 2 },
    ],
    decode: async ({ z }) => z.map((value, i) => (i % 2 ? 0.1 * value : -value)),
  };
  // Two deviations to each side: four times ten.
  expect((await explainDimension(model, blocks[0], 0)).name).toBe('age −40');
  expect((await explainDimension(model, blocks[0], 1)).name).toBe('weight +0.80');
});
