import { readdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import jpeg from 'jpeg-js';
import { describe, expect, test } from 'vitest';
import { select } from '../conditions/condition.ts';
import { decodeImage } from '../formats/image-file.ts';
import { loadSharp } from '../formats/sharp.ts';
import type { DataProgress } from '../sets/built-in.ts';
import { colourPng, filled, greyPgm, greyPng, newFolder } from '../testing/pictures.ts';
import { openImageFolder } from './image-folder.ts';

const dataDir = newFolder();

function twoClasses(): string {
  return filled({
    'cats/1.png': greyPng(2, 0, 51, 102, 255),
    'cats/deep/2.png': greyPng(2, 255, 0, 0, 0),
    'dogs/1.pgm': greyPgm(2, 2, 204),
    'dogs/.hidden.png': 'nothing',
    '__MACOSX/cats/1.png': 'nothing',
    'readme.txt': 'hello',
  });
}

describe('a folder of pictures', () => {
  test('has the sub-folders as classes and the pictures as numbers from 0 to 1', async () => {
    const data = await openImageFolder(twoClasses(), { dataDir });
    expect(data.length).toBe(3);
    expect(data.shape).toEqual({ kind: 'image', channels: 1, height: 2, width: 2 });
    expect(data.labels).toEqual({ names: ['cats', 'dogs'], values: Uint16Array.of(0, 0, 1) });
    expect(data.gather([2, 0])).toEqual(Float32Array.of(0.8, 0.8, 0.8, 0.8, 0, 0.2, 0.4, 1));
    expect([...select(data, 'label = dogs')]).toEqual([2]);
  });

  test('without sub-folders has no classes', async () => {
    const data = await openImageFolder(filled({ 'b.png': greyPng(1, 1), 'a.png': greyPng(1, 2) }), { dataDir });
    expect(data.labels).toBeUndefined();
    expect(data.gather([0, 1])).toEqual(Float32Array.of(2 / 255, 1 / 255));
  });

  test('of mixed kinds and sizes is brought to one size and to colour', async () => {
    const photo = jpeg.encode({ width: 30, height: 20, data: Buffer.alloc(30 * 20 * 4, 128) }, 95).data;
    const folder = filled({
      'a.jpg': photo,
      'b.png': greyPng(2, 10, 10, 10, 10),
      'c.png': colourPng(5, 9, [255, 0, 0]),
    });
    const data = await openImageFolder(folder, { size: 4, crop: true, dataDir });
    expect(data.shape).toEqual({ kind: 'image', channels: 3, height: 4, width: 4 });
    const [grey, red] = [data.gather([1]), data.gather([2])];
    expect(new Set(grey)).toEqual(new Set([Math.fround(10 / 255)]));
    expect([...red.subarray(0, 16)]).toEqual(Array(16).fill(1));
    expect([...red.subarray(16)]).toEqual(Array(32).fill(0));
    const allGrey = await openImageFolder(folder, { size: 4, grey: true, dataDir });
    expect(allGrey.shape).toEqual({ kind: 'image', channels: 1, height: 4, width: 4 });
  });
});

describe('what is wrong gets a sentence', () => {
  test('a folder that is empty, missing or a file', async () => {
    await expect(openImageFolder(filled({ 'note.txt': 'hi' }), { dataDir })).rejects.toThrow('holds no pictures.');
    await expect(openImageFolder('/no/such/folder', { dataDir })).rejects.toThrow(
      'There is no folder /no/such/folder.',
    );
    await expect(openImageFolder(join(filled({ a: 'x' }), 'a'), { dataDir })).rejects.toThrow(
      "can't be read as a folder.",
    );
  });

  test('pictures that are unreadable or of another size are named and counted', async () => {
    const folder = filled({
      'a.png': greyPng(2, 1, 2, 3, 4),
      'b.png': greyPng(2, 1, 2, 3, 4),
      'cut.png': greyPng(2, 1, 2, 3, 4).subarray(0, 50),
      'empty.png': '',
      'odd.png': greyPng(3, 1, 2, 3),
    });
    await expect(openImageFolder(folder, { dataDir })).rejects.toMatchObject({
      message: expect.stringContaining('2 of the 5 pictures in untangle-test-'),
      hint: '--size 64 --crop brings all to one size, and stretches nothing. (--skip-bad would leave 3 of 5.)',
    });
    await expect(openImageFolder(folder, { dataDir })).rejects.toThrow(
      "can't be used: empty.png (it is empty); odd.png (it is 3×1 pixels where most are 2×2).",
    );
    await expect(openImageFolder(folder, { dataDir, size: 2 })).rejects.toThrow('empty.png (it is empty).');

    const data = await openImageFolder(folder, { dataDir, skipBad: true });
    expect(data.length).toBe(2);
    expect(data.bad.map(({ name }) => name)).toEqual(['cut.png', 'empty.png', 'odd.png']);
    expect(data.notes).toEqual(['Pictures that were left out: 3, the first being cut.png (it is cut short).']);
  });

  test('animations and tiny pictures are taken, with a note', async ({ skip }) => {
    if (!(await loadSharp())) skip('sharp is not installed');
    const { default: sharp } = await import('sharp');
    const frames = { width: 8, height: 16, channels: 3 as const, pageHeight: 8 };
    const gif = await sharp(Buffer.from(Array.from({ length: 8 * 16 * 3 }, (_, i) => i % 256)), { raw: frames })
      .gif()
      .toBuffer();
    const folder = filled({ 'a.png': colourPng(9, 9, [1, 2, 3]), 'b.gif': gif, 'c.png': greyPng(1, 7) });
    const data = await openImageFolder(folder, { dataDir, size: 8 });
    expect(data.notes).toEqual([
      'Animations, of which the first picture is taken: 1, the first being b.gif.',
      'Pictures of fewer than 8 pixels on a side, which say hardly anything: 1, the first being c.png.',
    ]);
  });

  test('pictures in a printer’s colours keep them', async ({ skip }) => {
    if (!(await loadSharp())) skip('sharp is not installed');
    const { default: sharp } = await import('sharp');
    const pixels = Buffer.from(Array.from({ length: 16 * 16 * 3 }, (_, i) => [200, 30, 60][i % 3]));
    const jpeg = await sharp(pixels, { raw: { width: 16, height: 16, channels: 3 } })
      .toColourspace('cmyk')
      .jpeg({ quality: 95 })
      .toBuffer();
    const { data } = await decodeImage(jpeg, 'printed.jpg');
    for (const [c, level] of [200, 30, 60].entries()) expect(Math.abs(data[c * 256] - level)).toBeLessThan(30);
  });

  test('a folder of nothing but broken pictures', async () => {
    const folder = filled({ 'a.png': 'no', 'b.png': '' });
    await expect(openImageFolder(folder, { dataDir, skipBad: true })).rejects.toThrow('None of the 2 pictures in ');
  });

  test('nothing half-done is left behind', async () => {
    const own = newFolder();
    const broken = filled({ 'a.png': greyPng(1, 1), 'b.png': greyPng(1, 1).subarray(0, 45) });
    await expect(openImageFolder(broken, { dataDir: own })).rejects.toThrow('it is cut short');
    expect(readdirSync(join(own, 'prepared'))).toEqual([]);
  });
});

describe('the second opening', () => {
  test('decodes nothing, and tells progress only the first time', async () => {
    const own = newFolder();
    const folder = twoClasses();
    const seen: DataProgress[] = [];
    const first = await openImageFolder(folder, { dataDir: own, onProgress: (progress) => seen.push(progress) });
    expect(seen.at(-1)).toEqual({ what: 'Decoding pictures', done: 3, total: 3 });
    const count = seen.length;
    const second = await openImageFolder(folder, { dataDir: own, onProgress: (progress) => seen.push(progress) });
    expect(seen.length).toBe(count);
    expect(second.fingerprint).toBe(first.fingerprint);
    expect(second.gather([0, 1, 2])).toEqual(first.gather([0, 1, 2]));
  });

  test('notices a picture that changed, came or went, and replaces what was kept', async () => {
    const own = newFolder();
    const folder = twoClasses();
    const first = await openImageFolder(folder, { dataDir: own });
    writeFileSync(join(folder, 'cats/1.png'), greyPng(2, 9, 51, 102, 255));
    utimesSync(join(folder, 'cats/1.png'), new Date(), new Date(Date.now() + 5000));
    const changed = await openImageFolder(folder, { dataDir: own });
    expect(changed.gather([0])[0]).toBe(Math.fround(9 / 255));
    expect(changed.fingerprint).not.toBe(first.fingerprint);
    rmSync(join(folder, 'cats/1.png'));
    expect((await openImageFolder(folder, { dataDir: own })).length).toBe(2);
    expect(readdirSync(join(own, 'prepared')).length).toBe(1);
  });

  test('the same pictures elsewhere have the same fingerprint; in other classes, another', async () => {
    const first = await openImageFolder(twoClasses(), { dataDir });
    const copy = await openImageFolder(twoClasses(), { dataDir });
    expect(copy.fingerprint).toBe(first.fingerprint);
    const flat = filled({
      '1.png': greyPng(2, 0, 51, 102, 255),
      '2.png': greyPng(2, 255, 0, 0, 0),
      '3.pgm': greyPgm(2, 2, 204),
    });
    expect((await openImageFolder(flat, { dataDir })).fingerprint).not.toBe(first.fingerprint);
  });

  test('a damaged cache is made anew', async () => {
    const own = newFolder();
    const folder = twoClasses();
    const first = await openImageFolder(folder, { dataDir: own });
    const [file] = readdirSync(join(own, 'prepared')).map((name) => join(own, 'prepared', name));
    writeFileSync(file, Buffer.alloc(statSync(file).size, 7));
    expect((await openImageFolder(folder, { dataDir: own })).gather([0])).toEqual(first.gather([0]));
  });
});
