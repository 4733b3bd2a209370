import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { encode } from 'fast-png';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { Dataset } from './dataset.ts';
import { writeNpy } from './formats/npy.ts';
import { type DataOptions, datasetNames, openData, settledSpec } from './open.ts';
import { isHere } from './sets/built-in.ts';
import { builtIn } from './sets/registry.ts';

const folder = mkdtempSync(join(tmpdir(), 'untangle-open-'));
beforeAll(() => vi.stubEnv('UNTANGLE_DATA', join(folder, 'data')));
afterAll(() => {
  rmSync(folder, { recursive: true });
  vi.unstubAllEnvs();
});

const single = async (spec: string, options?: DataOptions): Promise<Dataset> => {
  const opened = await openData(spec, options);
  if (opened.kind !== 'single') throw new Error('two sets');
  return opened.data;
};

test('a name opens its set, with options behind a colon or beside it', async () => {
  expect((await single('shapes')).shape).toEqual({ kind: 'image', channels: 1, height: 16, width: 16 });
  expect((await single('mnist:size=32')).shape).toEqual({ kind: 'image', channels: 1, height: 32, width: 32 });
  expect((await single('mnist', { size: 64 })).shape).toEqual({ kind: 'image', channels: 1, height: 64, width: 64 });
});

test('size and grey work for every set, and for both of a pair', async () => {
  const pair = await openData('styled-mnist:size=32,grey');
  if (pair.kind !== 'contrast') throw new Error('one set');
  for (const data of [pair.target, pair.background]) {
    expect(data.shape).toEqual({ kind: 'image', channels: 1, height: 32, width: 32 });
    expect(data.gather([0]).length).toBe(1024);
  }
});

test('a spec that is settled names the same from any folder', () => {
  expect(settledSpec('mnist:size=32')).toBe('mnist:size=32');
  expect(settledSpec('photos:size=64,grey')).toBe(`${resolve('photos')}:size=64,grey`);
  expect(settledSpec('../mice.csv')).toBe(resolve('../mice.csv'));
  expect(settledSpec(resolve('mice.csv'))).toBe(resolve('mice.csv'));
});

test('a path opens by what it is: a folder of pictures, a table, an array', async () => {
  const pictures = join(folder, 'pictures');
  mkdirSync(join(pictures, 'cats'), { recursive: true });
  const png = encode({ width: 2, height: 2, channels: 1, depth: 8, data: Uint8Array.of(0, 51, 102, 255) });
  writeFileSync(join(pictures, 'cats', 'one.png'), png);
  const images = await single(pictures);
  expect(images.shape).toEqual({ kind: 'image', channels: 1, height: 2, width: 2 });
  expect(images.gather([0])[1]).toBeCloseTo(0.2, 6);

  writeFileSync(
    join(folder, 'table.csv'),
    `a,b\n${Array.from({ length: 9 }, (_, i) => `${i % 4},${i * i}`).join('\n')}\n`,
  );
  expect((await single(join(folder, 'table.csv'))).shape).toEqual({ kind: 'table', columns: ['a', 'b'] });

  await writeNpy(join(folder, 'images.npy'), [3, 4, 4], new Uint8Array(48).fill(9));
  expect((await single(join(folder, 'images.npy'), { size: 8 })).shape).toEqual({
    kind: 'image',
    channels: 1,
    height: 8,
    width: 8,
  });
  expect((await single(`${join(folder, 'images.npy')}:size=6`)).shape).toMatchObject({ height: 6 });
});

test.each<[string, DataOptions, string, string]>([
  ['mnits', {}, 'There is no dataset “mnits”.', 'Did you mean “mnist”?'],
  ['./nowhere', {}, 'There is no file or folder ./nowhere.', 'moved'],
  ['mnist:sise=32', {}, 'There is no option of mnist “sise”.', 'Did you mean “size”?'],
  ['mnist:size=large', {}, 'The size NaN is not a whole number of pixels from 1 to 4096.', ''],
  ['mnist', { size: 1e9 }, 'The size 1000000000 is not', ''],
  ['shapes', { seed: -1 }, 'The seed -1 is not', ''],
  ['mnist:part=letters', {}, 'mnist has no parts', ''],
  ['emnist:part=leters', {}, 'There is no part of emnist “leters”.', 'Did you mean “letters”?'],
])('%s is a sentence', async (spec, options, sentence, hint) => {
  await expect(openData(spec, options)).rejects.toMatchObject({
    message: expect.stringContaining(sentence),
    kind: 'call',
  });
  if (hint) await expect(openData(spec, options)).rejects.toMatchObject({ hint: expect.stringContaining(hint) });
});

test('a file of another kind is refused, with the kinds that are read', async () => {
  writeFileSync(join(folder, 'song.mp3'), 'la');
  await expect(openData(join(folder, 'song.mp3'))).rejects.toMatchObject({
    message: expect.stringContaining('of a kind that is not read'),
    hint: expect.stringContaining('csv'),
  });
});

test('every registered set says what it is, its licence and where it comes from', () => {
  expect(datasetNames()).toContain('dsprites');
  for (const [name, set] of Object.entries(builtIn)) {
    for (const text of [set.title, set.what, set.licence, set.get]) expect(text.length, name).toBeGreaterThan(3);
  }
});

test('sets that lack their files say which file belongs where', async () => {
  for (const [name, set] of Object.entries(builtIn)) {
    // dSprites comes in part with untangle, and MNIST, where it is installed, from a package.
    if (set.put === undefined || name.startsWith('dsprites') || isHere(set)) continue;
    await expect(openData(name), name).rejects.toMatchObject({
      name: 'UntangleError',
      message: expect.stringContaining(join(folder, 'data')),
    });
  }
});

test('a range can be asked for by name, for Rb-VAE’s networks from −1 to 1', async () => {
  const opened = await openData('shapes:range=symmetric');
  if (opened.kind !== 'single') throw new Error('one set was expected');
  expect(opened.data.range).toBe('symmetric');
  expect(Math.min(...opened.data.gather([0]))).toBeGreaterThanOrEqual(-1);
  await expect(openData('shapes:range=symetric')).rejects.toThrow('There is no range “symetric”.');
});
