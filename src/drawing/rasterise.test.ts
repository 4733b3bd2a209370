import { expect, test } from 'vitest';
import { type Drawing, type DrawnShape, drawing } from './drawing.ts';
import { measure } from './font.ts';
import type { Raster } from './image.ts';
import { label } from './page.ts';
import { rasterise } from './rasterise.ts';
import { pixel } from './testing/pictures.ts';

const page = (...shapes: DrawnShape[]): Drawing => drawing(40, 20, 'test', shapes);

/** The columns and rows in which something is not white. */
function inked({ width, height, data }: Raster): { left: number; right: number; top: number; bottom: number } {
  const box = { left: width, right: -1, top: height, bottom: -1 };
  for (let i = 0; i < width * height; i++) {
    if (data[i * 4] === 255) continue;
    const [x, y] = [i % width, Math.floor(i / width)];
    box.left = Math.min(box.left, x);
    box.right = Math.max(box.right, x);
    box.top = Math.min(box.top, y);
    box.bottom = Math.max(box.bottom, y);
  }
  return box;
}

test('an empty page is white and twice as many pixels wide as it has CSS pixels', () => {
  const raster = rasterise(page());
  expect([raster.width, raster.height]).toEqual([80, 40]);
  expect(pixel(raster, 79, 39)).toEqual([255, 255, 255, 255]);
  expect(rasterise(page(), 1).width).toBe(40);
});

test('a rectangle fills its pixels, and by halves those that it half covers', () => {
  const raster = rasterise(page({ kind: 'rectangle', x: 2, y: 3, width: 4.25, height: 5, fill: '#000000' }));
  expect(pixel(raster, 4, 6)).toEqual([0, 0, 0, 255]);
  expect(pixel(raster, 11, 15)).toEqual([0, 0, 0, 255]);
  expect(pixel(raster, 12, 10)[0]).toBe(128);
  expect(pixel(raster, 13, 10)[0]).toBe(255);
  expect(pixel(raster, 3, 6)[0]).toBe(255);
});

test('opacity mixes a colour with what is below it', () => {
  const below: DrawnShape = { kind: 'rectangle', x: 0, y: 0, width: 20, height: 20, fill: '#ff0000' };
  const above: DrawnShape = { kind: 'rectangle', x: 0, y: 0, width: 40, height: 20, fill: '#0000ff', opacity: 0.5 };
  const raster = rasterise(page(below, above));
  expect(pixel(raster, 10, 10)).toEqual([128, 0, 128, 255]);
  expect(pixel(raster, 60, 10)).toEqual([128, 128, 255, 255]);
});

test('an image is shown at its place with every pixel as a square', () => {
  const raster: Raster = { width: 2, height: 1, data: new Uint8Array([10, 20, 30, 255, 40, 50, 60, 255]) };
  const shown = rasterise(page({ kind: 'picture', x: 5, y: 5, width: 8, height: 4, raster }));
  expect(pixel(shown, 10, 10)).toEqual([10, 20, 30, 255]);
  expect(pixel(shown, 17, 17)).toEqual([10, 20, 30, 255]);
  expect(pixel(shown, 18, 10)).toEqual([40, 50, 60, 255]);
  expect(pixel(shown, 9, 10)).toEqual([255, 255, 255, 255]);
  expect(pixel(shown, 26, 10)).toEqual([255, 255, 255, 255]);
});

test('text is as wide as it was measured and stands on its baseline', () => {
  const box = inked(rasterise(page(label('HEH', 3, 15, { size: 10 }))));
  expect(box.left / 2).toBeGreaterThanOrEqual(3);
  expect(box.right / 2).toBeLessThanOrEqual(3 + measure('HEH', 10));
  expect(box.right / 2).toBeGreaterThan(3 + measure('HEH', 10) - 1.5);
  expect(box.bottom).toBe(29);
});

test('text is placed by its middle or its end, and may be turned', () => {
  const end = inked(rasterise(page(label('HEH', 30, 15, { size: 10, anchor: 'end' }))));
  const middle = inked(rasterise(page(label('HEH', 20, 15, { size: 10, anchor: 'middle' }))));
  const turned = inked(rasterise(page(label('HE', 20, 18, { size: 8, turn: -90 }))));
  expect(Math.abs(end.right / 2 - 29.3)).toBeLessThan(1);
  expect(Math.abs((middle.left + middle.right) / 4 - 20)).toBeLessThan(0.6);
  expect(turned.bottom - turned.top).toBeGreaterThan(turned.right - turned.left);
});

test('lines, dashes, polygons and discs are where they should be', () => {
  const raster = rasterise(
    page(
      { kind: 'line', points: [2, 4, 38, 4], stroke: '#000000', thickness: 2 },
      { kind: 'line', points: [2, 10, 38, 10], stroke: '#000000', thickness: 1, dash: [4, 4] },
      { kind: 'polygon', points: [2, 14, 8, 14, 8, 18, 2, 18], fill: '#00ff00' },
      { kind: 'disc', x: 30, y: 16, radius: 3, fill: '#0000ff' },
    ),
  );
  expect(pixel(raster, 40, 7)[0]).toBe(0);
  expect(pixel(raster, 40, 12)[0]).toBe(255);
  expect(pixel(raster, 8, 20)[0]).toBe(0);
  expect(pixel(raster, 16, 20)[0]).toBe(255);
  expect(pixel(raster, 10, 32)).toEqual([0, 255, 0, 255]);
  expect(pixel(raster, 60, 32)).toEqual([0, 0, 255, 255]);
  expect(pixel(raster, 67, 32)).toEqual([255, 255, 255, 255]);
});

test('shapes that reach over the edge are cut there, and the same drawing gives the same bytes', () => {
  const make = () =>
    rasterise(
      page(
        { kind: 'rectangle', x: -10, y: -10, width: 100, height: 12, fill: '#000000' },
        { kind: 'disc', x: 40, y: 20, radius: 5, fill: '#123456' },
        label('over the edge of this page', -5, 10, { halo: '#ffffff' }),
        {
          kind: 'picture',
          x: 36,
          y: -2,
          width: 8,
          height: 8,
          raster: { width: 1, height: 1, data: new Uint8Array([1, 2, 3, 255]) },
        },
      ),
    );
  const raster = make();
  expect(pixel(raster, 0, 0)).toEqual([0, 0, 0, 255]);
  expect(pixel(raster, 79, 0)).toEqual([1, 2, 3, 255]);
  expect(Buffer.compare(raster.data, make().data)).toBe(0);
});

test('a page that would fill the memory is refused', () => {
  expect(() => rasterise(drawing(100_000, 100_000, 'huge'))).toThrow('200000 × 200000 pixels');
});
