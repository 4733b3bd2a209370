import { describe, expect, test } from 'vitest';
import { select } from '../conditions/condition.ts';
import { filled, greyPng, newFolder } from '../testing/pictures.ts';
import { openImageFolder } from './image-folder.ts';

const dataDir = newFolder();

describe('labels.csv', () => {
  const pictures = { 'a.png': greyPng(1, 10), 'b.png': greyPng(1, 20), 'sub/c.png': greyPng(1, 30) };

  test('gives order, classes, factors and columns', async () => {
    const csv = 'File,Label,age,site,tilt\nsub/c.png,sick,61,Bonn,0\na.png,well,35,Aachen,1\nb.png,sick,,Bonn,0\n';
    const data = await openImageFolder(filled({ ...pictures, 'labels.csv': csv }), { dataDir });
    expect(data.gather([0, 1, 2])).toEqual(Float32Array.of(30 / 255, 10 / 255, 20 / 255));
    expect(data.labels).toEqual({ names: ['sick', 'well'], values: Uint16Array.of(0, 1, 0) });
    expect(data.factors).toEqual({
      factors: [
        { name: 'age', kind: 'continuous', size: 0 },
        { name: 'site', kind: 'discrete', size: 2 },
        { name: 'tilt', kind: 'discrete', size: 2 },
      ],
      values: Float32Array.of(61, 1, 0, 35, 0, 1, Number.NaN, 1, 0),
    });
    expect([...select(data, 'site = Bonn and age > 60')]).toEqual([0]);
  });

  test('that does not match the pictures gets a sentence, or is skipped', async () => {
    const csv = 'file,label\na.png,x\nz.png,y\n';
    const folder = filled({ ...pictures, 'labels.csv': csv });
    await expect(openImageFolder(folder, { dataDir })).rejects.toThrow(
      'labels.csv names 1 picture that is not in the folder: z.png. The folder holds 2 pictures that are not in labels.csv: b.png, sub/c.png.',
    );
    const data = await openImageFolder(folder, { skipBad: true, dataDir });
    expect([data.length, data.notes.length, data.labels?.names]).toEqual([1, 2, ['x', 'y']]);
  });

  test.each([
    ['label,x\na,1\n', 'There is no column in labels.csv “file”.'],
    ['file,label\na.png,x\na.png,y\n', 'labels.csv names a.png twice.'],
    ['file,label\na.png,x\n,y\n', 'labels.csv names no file in row 2.'],
    ['file,label\nnone.png,x\n', 'labels.csv names 1 picture that is not in the folder: none.png.'],
    ['file,label\na.png\n', 'labels.csv, line 2, has 1 cell, but line 1 has 2.'],
  ])('%j', async (csv, sentence) => {
    await expect(openImageFolder(filled({ ...pictures, 'labels.csv': csv }), { dataDir })).rejects.toThrow(sentence);
  });
});
