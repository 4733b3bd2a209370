import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import h5wasm from 'h5wasm/node';
import { describe, expect, test } from 'vitest';
import { UntangleError } from '../../errors.ts';
import { filled } from '../testing/pictures.ts';
import type { DataProgress } from './built-in.ts';
import { shapes3d } from './shapes3d.ts';

/** Eight images of 4×4: two scales, two shapes, two orientations; pixel j of image i has the red 10·i + j. */
async function write(path: string, count = 8): Promise<void> {
  await h5wasm.ready;
  const file = new h5wasm.File(path, 'w');
  const images = Uint8Array.from({ length: count * 48 }, (_, at) => {
    const [i, j, c] = [Math.floor(at / 48), Math.floor(at / 3) % 16, at % 3];
    return c === 0 ? 10 * i + j : 100 + c;
  });
  const labels = Float64Array.from({ length: 48 }, (_, at) => {
    const [i, k] = [Math.floor(at / 6), at % 6];
    return [0, 0.5, 0.1, 0.75 + ((i >> 2) & 1) / 2, (i >> 1) & 1, i & 1 ? 30 : -30][k];
  });
  file.create_dataset({
    name: 'images',
    data: images,
    shape: [count, 4, 4, 3],
    chunks: [2, 4, 4, 3],
    compression: 'gzip',
  });
  file.create_dataset({ name: 'labels', data: labels, shape: [8, 6] });
  file.close();
}

async function folder(count?: number): Promise<string> {
  const dataDir = filled({ '3dshapes/3dshapes.h5': '' });
  await write(join(dataDir, '3dshapes/3dshapes.h5'), count);
  return dataDir;
}

describe('3D Shapes', () => {
  test('has its images in planes and its six factors as indices', async () => {
    const dataDir = await folder();
    const seen: DataProgress[] = [];
    const opened = await shapes3d.open({ dataDir, onProgress: (progress) => seen.push(progress) });
    if (opened.kind !== 'single') throw new Error('one set was expected');
    const { data } = opened;
    expect([data.length, data.shape]).toEqual([8, { kind: 'image', channels: 3, height: 4, width: 4 }]);
    expect(data.factors?.factors.map(({ name, size }) => [name, size])).toEqual([
      ['floor_hue', 1],
      ['wall_hue', 1],
      ['object_hue', 1],
      ['scale', 2],
      ['shape', 2],
      ['orientation', 2],
    ]);
    expect([...(data.factors?.values.subarray(5 * 6, 6 * 6) ?? [])]).toEqual([0, 0, 0, 1, 0, 1]);
    const image = data.gather([5]).map((value) => Math.round(value * 255));
    expect([...image.subarray(0, 3), image[16], image[32]]).toEqual([50, 51, 52, 101, 102]);
    expect(seen.at(-1)).toEqual({ what: 'Unpacking 3D Shapes', done: 8, total: 8 });

    const count = seen.length;
    const again = await shapes3d.open({ dataDir, onProgress: (progress) => seen.push(progress) });
    expect(again.kind === 'single' && again.data.fingerprint).toBe(data.fingerprint);
    expect(seen.length).toBe(count);
  });

  test('of the wrong shape gets a sentence with what it holds', async () => {
    await expect(shapes3d.open({ dataDir: await folder(5) })).rejects.toThrow(
      'holds images of 5×4×4×3 and labels of 8×6; 3D Shapes has N×64×64×3 and N×6.',
    );
  });

  test('without the arrays it should have gets a sentence', async () => {
    const dataDir = filled({ '3dshapes/3dshapes.h5': '' });
    const file = new h5wasm.File(join(dataDir, '3dshapes/3dshapes.h5'), 'w');
    file.create_dataset({ name: 'pictures', data: Uint8Array.of(1), shape: [1] });
    file.close();
    await expect(shapes3d.open({ dataDir })).rejects.toThrow('holds no array “images”.');
  });

  test('broken bytes give a dataset or a sentence', async () => {
    const dataDir = await folder();
    const path = join(dataDir, '3dshapes/3dshapes.h5');
    const file = readFileSync(path);
    const flip = fc.record({ at: fc.nat(file.length - 1), to: fc.nat(255) });
    await fc.assert(
      fc.asyncProperty(fc.array(flip, { maxLength: 6 }), fc.nat(file.length), async (flips, cut) => {
        const broken = Buffer.from(file).subarray(0, flips.length % 2 ? cut : undefined);
        for (const { at, to } of flips) if (at < broken.length) broken[at] = to;
        writeFileSync(path, broken);
        try {
          const opened = await shapes3d.open({ dataDir });
          expect(opened.kind).toBe('single');
        } catch (error) {
          expect(error).toBeInstanceOf(UntangleError);
        }
      }),
      // Each is read in a process of its own.
      { numRuns: 12 },
    );
  });
});
