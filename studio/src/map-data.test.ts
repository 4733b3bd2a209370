import { expect, test } from 'vitest';
import { channels } from '../../src/drawing/palette.ts';
import { coloursOf } from './map-data.ts';

test('ten classes and twenty have a colour each, and no two are near each other', () => {
  for (const count of [8, 10, 20]) {
    const colours = coloursOf(count).map(channels);
    expect(colours.length).toBe(count);
    const distances = colours.flatMap((one, i) =>
      colours.slice(i + 1).map((other) => Math.hypot(...one.map((value, c) => value - other[c]))),
    );
    expect(Math.min(...distances)).toBeGreaterThan(count > 10 ? 35 : 70);
  }
});
