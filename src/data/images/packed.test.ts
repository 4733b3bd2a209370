import { rmSync } from 'node:fs';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { newFolder } from '../testing/pictures.ts';
import { checkRoom, packPictures } from './packed.ts';

const note = z.object({
  shape: z.object({ kind: z.literal('image'), channels: z.int(), height: z.int(), width: z.int() }),
  more: z.string(),
});

test('pictures and the note on them are written once and read back', async () => {
  const dataDir = newFolder();
  let built = 0;
  const open = () =>
    packPictures({
      name: 'two of them',
      key: 'k',
      dataDir,
      note,
      build: async (write) => {
        built++;
        await write(Uint8Array.of(0, 51));
        await write(Uint8Array.of(102, 255));
        return { shape: { kind: 'image', channels: 1, height: 1, width: 2 }, more: 'ä' };
      },
    });
  await open();
  const packed = await open();
  expect([built, packed.length, packed.note.more]).toEqual([1, 2, 'ä']);
  expect(packed.gather([1, 0])).toEqual(Float32Array.of(0.4, 1, 0, 0.2));
  expect(() => packed.gather([2])).toThrow('Item 2 of two of them was asked for; it has 2 items.');
});

test('a set that will not fit on the disk is refused before it is decoded', async () => {
  await expect(checkRoom(1e18, newFolder())).rejects.toThrow('Preparing the pictures takes 1000000000.0 GB in ');
  await expect(checkRoom(1000, newFolder())).resolves.toBeUndefined();
});

test('a set too large to hold is read from the disk, picture by picture', async () => {
  const dataDir = newFolder();
  const count = 260;
  const packed = await packPictures({
    name: 'large',
    key: 'k',
    dataDir,
    note,
    build: async (write) => {
      const picture = new Uint8Array(2 ** 20);
      for (let i = 0; i < count; i++) {
        picture[5] = i % 256;
        await write(picture);
      }
      return { shape: { kind: 'image', channels: 1, height: 1024, width: 1024 }, more: '' };
    },
  });
  const before = process.memoryUsage().arrayBuffers;
  const out = new Float32Array(2 * 2 ** 20);
  packed.gather([255, 3], out);
  expect([packed.length, out[5], out[2 ** 20 + 5], out[6]]).toEqual([count, 1, Math.fround(3 / 255), 0]);
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(20 * 2 ** 20);
  rmSync(dataDir, { recursive: true });
});
