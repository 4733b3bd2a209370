import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { stream } from '../../random/index.ts';
import { writeNpz } from '../formats/npz.ts';
import { openDsprites, realFile } from './dsprites.ts';

/** The sprites are found once; each test gets a copy. */
const warm = mkdtempSync(join(tmpdir(), 'untangle-dsprites-'));
const progress: number[] = [];
beforeAll(async () => {
  await openDsprites({ dataDir: warm, onProgress: ({ done, total }) => progress.push(done / total) });
});
afterAll(() => rmSync(warm, { recursive: true }));

let dataDir: string;
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'untangle-dsprites-'));
  cpSync(warm, dataDir, { recursive: true });
  vi.stubEnv('XDG_CACHE_HOME', join(dataDir, 'home'));
});
afterEach(() => {
  rmSync(dataDir, { recursive: true });
  vi.unstubAllEnvs();
});

test('the set has every combination of its factors once, in the order of the real file', async () => {
  const data = await openDsprites({ dataDir });
  expect(data.length).toBe(737_280);
  expect(data.title).toBe('dSprites-compatible');
  expect(data.factors?.factors.map(({ name, size }) => [name, size])).toEqual([
    ['shape', 3],
    ['scale', 6],
    ['orientation', 40],
    ['x', 32],
    ['y', 32],
  ]);
  const index = (((2 * 6 + 4) * 40 + 17) * 32 + 5) * 32 + 30;
  expect([...(data.factors?.values.subarray(index * 5, index * 5 + 5) ?? [])]).toEqual([2, 4, 17, 5, 30]);
  expect(data.labels?.values[index]).toBe(2);
});

test('drawing for the first time tells how far it has come', () => {
  expect(progress.length).toBe(3 * 39);
  expect(progress).toEqual([...progress].sort((a, b) => a - b));
});

test('the second opening reads the sprites from disk, and a damaged file is made anew', async () => {
  const first = await openDsprites({ dataDir });
  const spritesFile = join(dataDir, 'prepared', 'dsprites.sprites');
  const size = readFileSync(spritesFile).length;
  expect(size).toBeLessThan(5_000_000);
  let drew = 0;
  const onProgress = () => {
    drew++;
  };
  const again = await openDsprites({ dataDir, onProgress });
  expect(drew).toBe(0);
  expect(again.fingerprint).toBe(first.fingerprint);
  const bytes = readFileSync(spritesFile);
  bytes[1000] ^= 1;
  writeFileSync(spritesFile, bytes);
  const mended = await openDsprites({ dataDir, onProgress });
  expect(drew).toBeGreaterThan(0);
  expect(mended.fingerprint).toBe(first.fingerprint);
});

test('the small set is every second orientation, x and y of the whole', async () => {
  const whole = await openDsprites({ dataDir });
  const small = await openDsprites({ dataDir, step: 2 });
  expect(small.length).toBe(92_160);
  const index = (((1 * 6 + 3) * 20 + 7) * 16 + 9) * 16 + 2;
  const same = (((1 * 6 + 3) * 40 + 14) * 32 + 18) * 32 + 4;
  expect(small.gather([index])).toEqual(whole.gather([same]));
  expect([...(small.factors?.values.subarray(index * 5, index * 5 + 5) ?? [])]).toEqual([1, 3, 7, 9, 2]);
  expect(small.fingerprint).not.toBe(whole.fingerprint);
});

/** A file of the real one's layout with 60 of its pictures, three of them empty or full. */
async function writeReal(folder: string) {
  const generated = await openDsprites({ dataDir });
  const random = stream(3, 'which');
  const chosen = Uint32Array.from({ length: 60 }, () => random.integer(generated.length));
  const pictures = Uint8Array.from(generated.gather(chosen));
  pictures.fill(0, 0, 4096);
  pictures.fill(1, 4096, 2 * 4096);
  const classes = Int32Array.from({ length: 360 }, (_, i) =>
    i % 6 === 0 ? 0 : (generated.factors?.values[chosen[Math.floor(i / 6)] * 5 + (i % 6) - 1] ?? 0),
  );
  mkdirSync(folder, { recursive: true });
  await writeNpz(join(folder, realFile), {
    imgs: { shape: [60, 64, 64], data: pictures },
    latents_classes: { shape: [60, 6], data: classes },
  });
  return { pictures, classes };
}

test.each(['.', 'dsprites'])('the real file in %s is used instead, picture for picture', async (where) => {
  const { pictures, classes } = await writeReal(join(dataDir, where));
  const data = await openDsprites({ dataDir });
  expect(data.title).toBe('dSprites');
  expect(data.length).toBe(60);
  const all = data.gather(Array.from({ length: 60 }, (_, i) => 59 - i));
  for (let i = 0; i < 60; i++) {
    expect(
      Buffer.compare(
        Uint8Array.from(all.subarray(i * 4096, i * 4096 + 4096)),
        pictures.subarray((59 - i) * 4096, (60 - i) * 4096),
      ),
    ).toBe(0);
  }
  expect([...(data.factors?.values.subarray(35, 40) ?? [])]).toEqual([...classes.subarray(43, 48)]);
  const small = await openDsprites({ dataDir, step: 2 });
  const even = Array.from({ length: 60 }, (_, i) => i).filter((i) =>
    [3, 4, 5].every((k) => classes[i * 6 + k] % 2 === 0),
  );
  expect(small.length).toBe(even.length);
});

test('a file of that name that is something else is a sentence, and nothing is left behind', async () => {
  await openDsprites({ dataDir });
  await writeNpz(join(dataDir, realFile), { imgs: { shape: [2, 32, 32], data: new Uint8Array(2048) } });
  await expect(openDsprites({ dataDir })).rejects.toThrow(
    'is not the dSprites file: its pictures have the shape 2 × 32 × 32',
  );
  await writeNpz(join(dataDir, realFile), { imgs: { shape: [1, 64, 64], data: new Uint8Array(4096).fill(2) } });
  await expect(openDsprites({ dataDir })).rejects.toThrow('a pixel is neither 0 nor 1');
  expect(readdirSync(join(dataDir, 'prepared'))).toEqual(['dsprites.sprites']);
});
