import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import {
  categories,
  categoryColour,
  channels,
  contrastRatio,
  ink,
  inkOn,
  muted,
  scaleColour,
  white,
} from './palette.ts';

const fixture: { points: [number, string][] } = JSON.parse(
  readFileSync(new URL('./fixtures/viridis.json', import.meta.url), 'utf8'),
);

test('the colour scale is viridis', () => {
  for (const [position, colour] of fixture.points) {
    const ours = channels(scaleColour(position)!);
    channels(colour).forEach((value, i) => {
      expect(Math.abs(ours[i] - value)).toBeLessThanOrEqual(1);
    });
  }
});

test('values are placed on the scale by its ends, clipped beyond them, and have no colour if they are not numbers', () => {
  expect(scaleColour(5, [0, 10])).toBe(scaleColour(0.5));
  expect(scaleColour(-3, [0, 10])).toBe('#440154');
  expect(scaleColour(99, [0, 10])).toBe('#fde725');
  expect(scaleColour(2, [2, 2])).toBe(scaleColour(0.5));
  expect(scaleColour(Number.NaN)).toBeUndefined();
});

test('categories differ from each other and stand out from the page', () => {
  expect(new Set(categories).size).toBe(7);
  expect(categoryColour(7)).toBe(categoryColour(0));
  for (const colour of categories) expect(contrastRatio(colour, white)).toBeGreaterThan(2);
});

test('text has the contrast that guidelines ask for, also on every colour of the scale', () => {
  expect(contrastRatio('#000000', white)).toBeCloseTo(21, 9);
  expect(contrastRatio(ink, white)).toBeGreaterThan(7);
  expect(contrastRatio(muted, white)).toBeGreaterThan(4.5);
  for (const [, colour] of fixture.points) expect(contrastRatio(inkOn(colour), colour)).toBeGreaterThan(3.9);
});
