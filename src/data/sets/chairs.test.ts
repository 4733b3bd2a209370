import { encode } from 'fast-png';
import { expect, test } from 'vitest';
import { filled } from '../testing/pictures.ts';
import { chairs } from './chairs.ts';

/** A rendering of 8×8 pixels on white, with a dark square in its upper left quarter. */
function rendering(level: number): Uint8Array {
  const data = new Uint8Array(8 * 8 * 3).fill(255);
  for (let y = 0; y < 4; y++) data.fill(level, y * 24, y * 24 + 12);
  return encode({ width: 8, height: 8, channels: 3, data });
}

function dataDir(): string {
  const files: Record<string, string | Uint8Array> = { 'chairs/rendered_chairs/all_chair_names.mat': 'names' };
  for (const [m, model] of ['b663f1', '1a2b3c', 'ffee00', 'c0ffee', 'd00d1e'].entries())
    for (const [v, view] of ['000_p020_t000_r096', '001_p020_t011_r096', '031_p030_t000_r096'].entries())
      files[`chairs/rendered_chairs/${model}/renders/image_${view}.png`] = rendering(m * 20 + v);
  return filled(files);
}

test('3D Chairs: outlines, with model, azimuth and elevation known, the last fifth of the models held out', async () => {
  const opened = await chairs.open({ dataDir: dataDir(), size: 4 });
  if (opened.kind !== 'single') throw new Error('one set was expected');
  const { data } = opened;
  expect([data.length, data.range, data.shape]).toEqual([
    15,
    'binary',
    { kind: 'image', channels: 1, height: 4, width: 4 },
  ]);
  expect(data.gather([7])).toEqual(Float32Array.of(1, 1, 0, 0, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0));
  expect(data.factors?.factors).toEqual([
    { name: 'model', kind: 'discrete', size: 5 },
    { name: 'azimuth', kind: 'discrete', size: 2 },
    { name: 'elevation', kind: 'discrete', size: 2 },
  ]);
  expect([...(data.factors?.values.subarray(3, 9) ?? [])]).toEqual([0, 1, 0, 0, 0, 1]);
  expect([...(data.split?.test ?? [])]).toEqual([12, 13, 14]);
});

test('3D Chairs in colour', async () => {
  const opened = await chairs.open({ dataDir: dataDir(), size: 8, part: 'colour' });
  if (opened.kind !== 'single') throw new Error('one set was expected');
  expect([opened.data.range, opened.data.shape]).toEqual(['unit', { kind: 'image', channels: 3, height: 8, width: 8 }]);
  // The first model in order is 1a2b3c, whose first rendering has the level 20.
  expect(opened.data.gather([0])[0]).toBeCloseTo(20 / 255, 6);
});

test('a folder without such names gets a sentence', async () => {
  const folder = filled({ 'rendered_chairs/chair.png': rendering(1) });
  await expect(chairs.open({ dataDir: folder })).rejects.toThrow('holds no picture that is named like MODEL/renders/');
});
