import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { filled, greyPgm, newFolder } from '../testing/pictures.ts';
import type { DataProgress } from './built-in.ts';
import { importable, importData } from './import.ts';
import { builtIn } from './registry.ts';

const faces = () =>
  filled({
    'CroppedYale/yaleB01/yaleB01_P00A+000E+00.pgm': greyPgm(168, 192, 51),
    'CroppedYale/yaleB01/yaleB01_P00A+010E+00.pgm': greyPgm(168, 192, 52),
    'notes.txt': 'not part of the set',
  });

afterEach(() => vi.restoreAllMocks());

describe('an import', () => {
  test('puts the files where the set expects them, prepared and ready to open', async () => {
    const dataDir = newFolder();
    const seen: DataProgress[] = [];
    const opened = await importData('yale-b', faces(), { dataDir, onProgress: (progress) => seen.push(progress) });
    expect(opened.kind === 'single' && opened.data.length).toBe(2);
    expect(readdirSync(dataDir).sort()).toEqual(['prepared', 'yale-b']);
    expect(readdirSync(join(dataDir, 'yale-b'))).toEqual(['CroppedYale']);
    expect(seen[0]).toEqual({ what: 'Copying files', done: 1, total: 2 });

    // Nothing is decoded a second time.
    const later: DataProgress[] = [];
    await builtIn['yale-b'].open({ dataDir, onProgress: (progress) => later.push(progress) });
    expect(later).toEqual([]);
  });

  test('also takes the folder that the files lie in', async () => {
    const dataDir = newFolder();
    const opened = await importData('yale-b', join(faces(), 'CroppedYale'), { dataDir });
    expect(opened.kind === 'single' && opened.data.length).toBe(2);
  });

  test('of what is there already is refused', async () => {
    const dataDir = newFolder();
    await importData('yale-b', faces(), { dataDir });
    await expect(importData('yale-b', faces(), { dataDir })).rejects.toThrow(
      'Extended Yale B is in the data folder already',
    );
  });
});

describe('what is wrong gets a sentence, and leaves nothing behind', () => {
  const failing = async (name: string, path: string, sentence: string) => {
    const dataDir = newFolder();
    await expect(importData(name, path, { dataDir })).rejects.toThrow(sentence);
    expect(readdirSync(dataDir)).toEqual([]);
  };

  test('files that are damaged', async () => {
    const bad = filled({ 'CroppedYale/yaleB01/yaleB01_P00A+000E+00.pgm': greyPgm(168, 192, 51).subarray(0, 99) });
    await failing('yale-b', bad, 'it is cut short');
    await failing('3dshapes', join(filled({ 'x.h5': 'no' }), 'x.h5'), "can't be read as an HDF5 file");
  });

  test('files of another set, a folder for a file, and a file for a folder', async () => {
    await failing('celeba', faces(), 'holds nothing that belongs to the set.');
    await failing('3dshapes', faces(), 'is a folder, and 3D Shapes is one file.');
    await failing('yale-b', join(faces(), 'notes.txt'), 'is a file, and Extended Yale B is a folder.');
    await failing('yale-b', '/no/such/place', 'There is no file or folder /no/such/place.');
  });

  test('names that are not known, or need no files', async () => {
    await failing('yaleb', faces(), 'There is no dataset “yaleb”.');
    await failing('shapes', faces(), 'shapes is made by untangle itself and needs no files.');
  });

  test('an interruption in the middle', async () => {
    const dataDir = newFolder();
    const killed = vi.spyOn(process, 'kill').mockImplementation(() => true);
    const stopping = importData('yale-b', faces(), {
      dataDir,
      onProgress: () => {
        expect(readdirSync(dataDir)).toEqual([expect.stringMatching(/^\.import-/)]);
        process.emit('SIGINT', 'SIGINT');
        expect(readdirSync(dataDir)).toEqual([]);
      },
    });
    await expect(stopping).rejects.toThrow('The import was stopped.');
    expect(killed).toHaveBeenCalledWith(process.pid, 'SIGINT');
    expect(readdirSync(dataDir)).toEqual([]);
  });

  test('what a killed process left is swept away by the next import', async () => {
    const dataDir = newFolder();
    mkdirSync(join(dataDir, '.import-999999999-0/yale-b'), { recursive: true });
    await importData('yale-b', faces(), { dataDir });
    expect(readdirSync(dataDir).sort()).toEqual(['prepared', 'yale-b']);
  });
});

test('every set that needs files can be imported', () => {
  const needing = Object.keys(builtIn).filter((name) => builtIn[name].put !== undefined && name !== 'dsprites-small');
  // What is made from MNIST needs the files of MNIST.
  const brought = importable().map((name) => builtIn[name].put);
  expect(importable()).toContain('mnist');
  expect(needing.filter((name) => !brought.includes(builtIn[name].put))).toEqual([]);
});
