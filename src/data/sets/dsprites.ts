/**
 * dSprites: 737,280 binary pictures of a square, an ellipse or a heart, every combination of five factors once. Generated from
 * the set's measured geometry, and therefore called dSprites-compatible; the real file is used instead where it lies in the
 * data folder.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { dataFolder, prepare, preparedFolder } from '../cache.ts';
import { type Dataset, fingerprint, gatherBy, range } from '../dataset.ts';
import { type BuiltIn, type OpenOptions, partOf } from './built-in.ts';
import { factorSizes, shapeNames } from './dsprites-geometry.ts';
import { openRealDsprites } from './dsprites-real.ts';
import { buildSprites, drawSprite, type Sprites, side, spriteNumber } from './dsprites-sprites.ts';
import { allCombinations } from './factors.ts';

export const realFile = 'dsprites_ndarray_co1sh3sc6or40x32y32_64x64.npz';

const about = {
  licence:
    'Apache-2.0, © DeepMind (Matthey, Higgins, Hassabis, Lerchner 2017); the geometry is shipped, the pictures are drawn from it',
  get: 'Generated; nothing to download. The original: github.com/google-deepmind/dsprites-dataset.',
  put: `${realFile} (optional: used instead of the generated set when it is there)`,
};

export const dsprites: BuiltIn = {
  title: 'dSprites-compatible',
  what: '737,280 binary 64×64 pictures: shape 3, scale 6, orientation 40, x 32, y 32',
  ...about,
  parts: ['parted', 'undivided'],
  open: async (options) => {
    const part = partOf(dsprites, options.part);
    const data = await openDsprites(options);
    return { kind: 'single', data: part === 'undivided' ? { ...data, split: whole(data.length) } : data };
  },
};

/** PartedVAE's authors train on all pictures, and measure on all: nothing is held out. */
const whole = (length: number) => ({ train: range(0, length), validation: range(0, 0), test: range(0, 0) });

export const dspritesSmall: BuiltIn = {
  title: 'dSprites-compatible, small',
  what: '92,160 of them: every second orientation, x and y',
  ...about,
  open: async (options) => ({ kind: 'single', data: await openDsprites({ ...options, step: 2 }) }),
};

/** Opens dSprites, with every `step`-th orientation, x and y. */
export async function openDsprites(options: OpenOptions & { step?: 1 | 2 } = {}): Promise<Dataset> {
  const folder = dataFolder(options.dataDir);
  const real = [join(folder, realFile), join(folder, 'dsprites', realFile)].find(existsSync);
  if (real) return openRealDsprites(real, options);
  return generatedDsprites(await sprites(options), options.step ?? 1);
}

/** The set as pictures of `sprites`. */
function generatedDsprites(sprites: Sprites, step: 1 | 2): Dataset {
  const counts = [
    factorSizes.shape,
    factorSizes.scale,
    factorSizes.orientation / step,
    factorSizes.x / step,
    factorSizes.y / step,
  ];
  const length = counts.reduce((product, count) => product * count, 1);
  const factors = allCombinations(['shape', 'scale', 'orientation', 'x', 'y'], counts);
  const [, scales, orientations, xs, ys] = counts;
  const shapes = new Uint16Array(length);
  for (let i = 0; i < length; i++) shapes[i] = factors.values[i * counts.length];
  const name = step === 1 ? 'dsprites' : 'dsprites-small';
  return {
    name,
    title: step === 1 ? dsprites.title : dspritesSmall.title,
    shape: { kind: 'image', channels: 1, height: side, width: side },
    range: 'binary',
    length,
    factors,
    labels: { names: shapeNames, values: shapes },
    fingerprint: fingerprint('dsprites-compatible', sprites.starts, sprites.runs, step),
    gather: gatherBy({ name, length, size: side * side }, (index, out, at) => {
      const y = index % ys;
      const x = Math.floor(index / ys) % xs;
      const orientation = Math.floor(index / (ys * xs)) % orientations;
      const scale = Math.floor(index / (ys * xs * orientations)) % scales;
      const shape = Math.floor(index / (ys * xs * orientations * scales));
      drawSprite(sprites, spriteNumber(shape, scale, orientation * step), x * step, y * step, out, at);
    }),
  };
}

/** The sprites, kept on disk once found, since finding them takes a second; where nothing can be kept, found each time. */
async function sprites({ dataDir, onProgress }: OpenOptions): Promise<Sprites> {
  const build = () => buildSprites((done, total) => onProgress?.({ what: 'drawing dSprites', done, total }));
  let folder: string;
  try {
    folder = await preparedFolder(dataDir);
  } catch {
    return build();
  }
  const file = await prepare({
    folder,
    name: 'dsprites.sprites',
    key: 'runs on a lattice of 1/31 pixel, version 1',
    build: async (write) => {
      const { starts, runs } = build();
      await write(Uint8Array.from([starts.length, runs.length].flatMap((n) => [n, n >> 8, n >> 16, n >> 24])));
      await write(new Uint8Array(starts.buffer));
      await write(new Uint8Array(runs.buffer));
    },
  });
  const { buffer } = file.load();
  const [startCount, runCount] = new Uint32Array(buffer, 0, 2);
  return {
    starts: new Uint32Array(buffer, 8, startCount),
    runs: new Int16Array(buffer, 8 + 4 * startCount, runCount),
  };
}
