import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { sharedData } from '../testing/shared-data.ts';
import { openNpz, writeNpz } from './npz.ts';
import { writeZip } from './zip.ts';

const fixture: { archives: Record<string, string> } = JSON.parse(
  readFileSync(new URL('../fixtures/npy.json', import.meta.url), 'utf8'),
);
const folder = mkdtempSync(join(tmpdir(), 'untangle-npz-'));
afterAll(() => rmSync(folder, { recursive: true }));

test.each(['stored', 'deflated', 'zip64'])('NumPy’s %s archive comes back', async (kind) => {
  const path = join(folder, `${kind}.npz`);
  writeFileSync(path, Buffer.from(fixture.archives[kind], 'base64'));
  const npz = await openNpz(path);
  expect(npz.names).toEqual(['images', 'labels']);
  const images = await npz.read('images');
  expect(images.shape).toEqual([2, 3, 4]);
  expect([...images.data]).toEqual(Array.from({ length: 24 }, (_, i) => i));
  expect((await npz.read('labels')).data).toEqual(Float64Array.of(1, 0));
});

test('an archive whose end record is full points to the larger one before it', async () => {
  const bytes = Buffer.from(fixture.archives.zip64, 'base64');
  bytes.writeUInt16LE(0xffff, bytes.length - 12);
  bytes.writeUInt32LE(0xffffffff, bytes.length - 10);
  bytes.writeUInt32LE(0xffffffff, bytes.length - 6);
  const path = join(folder, 'full.npz');
  writeFileSync(path, bytes);
  expect((await (await openNpz(path)).read('labels')).data).toEqual(Float64Array.of(1, 0));
});

test('what is written is read back, also in pieces', async () => {
  const path = join(folder, 'own.npz');
  const codes = Float32Array.from({ length: 200_000 }, (_, i) => Math.sin(i));
  await writeNpz(path, { codes: { shape: [20_000, 10], data: codes }, names: { shape: [2], data: ['a', 'bc'] } });
  const npz = await openNpz(path);
  expect((await npz.read('names')).data).toEqual(['a', 'bc']);
  const seen = new Float32Array(200_000);
  let pieces = 0;
  await npz.stream('codes', {
    start: ({ shape }) => expect(shape).toEqual([20_000, 10]),
    next: (values, at) => {
      seen.set(values, at);
      pieces++;
    },
  });
  expect(seen).toEqual(codes);
  expect(pieces).toBeGreaterThan(1);
});

test('an unknown array is named, with those that are there', async () => {
  const path = join(folder, 'named.npz');
  await writeNpz(path, { images: { shape: [1], data: Uint8Array.of(1) } });
  await expect((await openNpz(path)).read('image')).rejects.toMatchObject({
    message: `There is no array in ${path} with the name “image”.`,
    hint: 'Did you mean “images”? Known: images.',
  });
});

test('a zip without arrays is a sentence', async () => {
  const path = join(folder, 'words.zip');
  await writeZip(path, [{ name: 'read.me', data: Buffer.from('hello') }]);
  await expect(openNpz(path)).rejects.toThrow('holds no arrays');
});

test.skipIf(!sharedData('pneumoniamnist'))('real chest X-rays come back with their shapes', async () => {
  const npz = await openNpz(join(sharedData('pneumoniamnist') ?? '', 'pneumoniamnist_rebuilt.npz'));
  expect((await npz.read('train_images')).shape).toEqual([4708, 28, 28]);
  const labels = await npz.read('test_labels');
  expect(labels.shape).toEqual([624, 1]);
  expect(new Set<number | string>(labels.data)).toEqual(new Set([0, 1]));
});
