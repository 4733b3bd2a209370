/**
 * 3D Shapes (Burgess and Kim 2018): 480,000 images of 64×64 in colour, one for every combination of six factors, in one HDF5
 * file. Its images lie compressed in blocks of thousands, so they are unpacked once and kept, after which any is at hand.
 */
import { createHash } from 'node:crypto';
import { statSync } from 'node:fs';
import { z } from 'zod';
import { UntangleError } from '../../errors.ts';
import type { Factors } from '../../model/index.ts';
import { type Dataset, fingerprint } from '../dataset.ts';
import { type Hdf5Array, withHdf5 } from '../formats/hdf5.ts';
import { toPlanes } from '../formats/picture.ts';
import { checkRoom, packPictures } from '../images/packed.ts';
import { type BuiltIn, findSetFile, type OpenOptions } from './built-in.ts';
import { factorTable } from './factors.ts';

const factorNames = ['floor_hue', 'wall_hue', 'object_hue', 'scale', 'shape', 'orientation'];

/** A slice holds about so many bytes of images. */
const sliceSize = 2 ** 25;

export const shapes3d: BuiltIn = {
  title: '3D Shapes',
  what: '480,000 images of simple shapes in a room, 64×64 RGB, with six factors in full',
  licence: 'Apache-2.0, DeepMind',
  get: 'github.com/google-deepmind/3d-shapes (3dshapes.h5)',
  put: '3dshapes/3dshapes.h5',
  places: () => ['3dshapes/3dshapes.h5', '3dshapes.h5'],
  open: async (options) => ({ kind: 'single', data: await openShapes3d(options) }),
};

const noteSchema = z.object({
  shape: z.object({ kind: z.literal('image'), channels: z.int(), height: z.int(), width: z.int() }),
  contents: z.string(),
});

async function openShapes3d({ dataDir, onProgress }: OpenOptions): Promise<Dataset> {
  const path = findSetFile(shapes3d, dataDir);
  const factors = await withHdf5(path, async (array) => {
    const [images, labels] = [await array('images'), await array('labels')];
    checkShapes(path, images, labels);
    return await factorsOf(labels);
  });
  const { size, mtimeMs } = statSync(path);
  const packed = await packPictures({
    name: '3dshapes',
    key: fingerprint('3dshapes 1', size, mtimeMs),
    dataDir,
    note: noteSchema,
    build: (write) =>
      withHdf5(path, async (array) => {
        const images = await array('images');
        const [count, height, width] = images.shape;
        await checkRoom(count * height * width * 3, dataDir);
        const contents = createHash('sha256');
        for await (const { planes, done } of slices(path, images)) {
          contents.update(planes);
          await write(planes);
          onProgress?.({ what: 'Unpacking 3D Shapes', done, total: count });
        }
        return { shape: { kind: 'image' as const, channels: 3, height, width }, contents: contents.digest('hex') };
      }),
  });
  return {
    name: '3dshapes',
    title: shapes3d.title,
    shape: packed.note.shape,
    range: 'unit',
    length: packed.length,
    gather: packed.gather,
    factors,
    fingerprint: fingerprint('3dshapes', packed.note.contents, factors.values),
  };
}

function checkShapes(path: string, images: Hdf5Array, labels: Hdf5Array): void {
  const [count, , , channels] = images.shape;
  const fits = images.shape.length === 4 && channels === 3 && labels.shape.length === 2;
  if (!fits || labels.shape[0] !== count || labels.shape[1] !== factorNames.length)
    throw new UntangleError(
      `${path} holds images of ${images.shape.join('×')} and labels of ${labels.shape.join('×')}; 3D Shapes has N×64×64×3 and N×6.`,
    );
}

/** The images in slices of whole chunks, from pixels of three bytes to planes of one colour. */
async function* slices(path: string, images: Hdf5Array): AsyncGenerator<{ planes: Uint8Array; done: number }> {
  const [count, height, width] = images.shape;
  const itemSize = 3 * height * width;
  const step = Math.max(1, Math.round(sliceSize / itemSize / images.chunk)) * images.chunk;
  for (let from = 0; from < count; from += step) {
    const done = Math.min(count, from + step);
    const slice = await images.slice(from, done);
    if (!(slice instanceof Uint8Array)) throw new UntangleError(`The images in ${path} are not bytes.`);
    const planes = new Uint8Array(slice.length);
    for (let at = 0; at < slice.length; at += itemSize)
      planes.set(toPlanes(slice.subarray(at, at + itemSize), 3, 3, height * width), at);
    yield { planes, done };
  }
}

/** The labels as indices into the values that each factor takes. */
async function factorsOf(labels: Hdf5Array): Promise<Factors> {
  const [count, width] = labels.shape;
  const values = await labels.slice(0, count);
  const levels = factorNames.map((_, k) => {
    const found = new Set<number>();
    for (let i = k; i < values.length; i += width) found.add(values[i]);
    return new Map([...found].toSorted((a, b) => a - b).map((value, index) => [value, index]));
  });
  const factors = factorNames.map((name, k) => ({ name, kind: 'discrete' as const, size: levels[k].size }));
  return factorTable(factors, count, (i, k) => levels[k].get(values[i * width + k]) ?? 0);
}
