/**
 * Grassy MNIST, the contrastive paper's own set (appendix A.1): digits laid over patches of grass, linearly (Eq. 10) or where
 * the grass is brighter than a threshold (Eq. 11). The background set is the grass alone. The patches come from one CC0
 * photograph in place of ImageNet's grass, so numbers are not comparable with the paper's to the last digit.
 */
import { stream } from '../../random/index.ts';
import { type Dataset, fingerprint, gatherBy, type Opened } from '../dataset.ts';
import { imageStore } from '../images/image-store.ts';
import type { BuiltIn, OpenOptions } from './built-in.ts';
import { type GrassPatches, grassPatches, patchSide } from './grass.ts';
import { fromMnist, type MnistPart, readMnist } from './mnist.ts';

/** The paper's numbers: backgrounds, and samples of each digit. */
const patchCount = 4986;
const samplesOfEach = 4986;

/** Share of the grass in a mixed pixel. */
const rho = 0.5;

/** Grass that is not brighter than this blots out the pixel, in Eq. 11. */
const threshold = 0.3;

const about = {
  licence: 'digits CC BY-SA 3.0 (MNIST); grass CC0 (scikit-image)',
  ...fromMnist,
  get: `Generated from MNIST and a photograph that comes with untangle. ${fromMnist.get}`,
};

export const grassyMnist: BuiltIn = {
  title: 'Grassy MNIST (one photograph for ImageNet’s grass)',
  what: '49,860 digits mixed with grass (target), 4,986 patches of grass (background), 28×28 RGB or grey; Eq. 10',
  ...about,
  open: (options) => openGrassy('grassy-mnist', grassyMnist.title, false, options),
};

export const grassyMnistNonlinear: BuiltIn = {
  title: 'Non-linear Grassy MNIST (one photograph for ImageNet’s grass)',
  what: '49,860 digits on thresholded grass (target), 4,986 patches of grass (background), 28×28 RGB or grey; Eq. 11',
  ...about,
  open: (options) => openGrassy('grassy-mnist-nonlinear', grassyMnistNonlinear.title, true, options),
};

async function openGrassy(
  name: string,
  title: string,
  isThresholded: boolean,
  { seed = 0, grey = false, dataDir }: OpenOptions,
): Promise<Opened> {
  const [digits, grass] = await Promise.all([readMnist('train', dataDir), grassPatches(patchCount, { seed, grey })]);
  const shape = { kind: 'image' as const, channels: grey ? 1 : 3, height: patchSide, width: patchSide };
  const grassPrint = fingerprint('grass', grass.pixels);
  return {
    kind: 'contrast',
    target: mixed(digits, grass, shape, { name, title, isThresholded, seed, grassPrint }),
    background: imageStore({
      name: `${name} background`,
      title: `${title}: grass`,
      shape,
      pixels: grass.pixels,
      factors: grass.factors,
      fingerprint: grassPrint,
    }),
  };
}

/** The target set: items are mixed as they are gathered, from a digit and a patch each. */
function mixed(
  digits: MnistPart,
  grass: GrassPatches,
  shape: Dataset['shape'] & { kind: 'image' },
  set: { name: string; title: string; isThresholded: boolean; seed: number; grassPrint: string },
): Dataset {
  const chosen = chooseDigits(digits.labels, set.seed);
  const random = stream(set.seed, 'grass under digits');
  const patches = Uint16Array.from(chosen, () => random.integer(patchCount));
  const plane = patchSide * patchSide;
  const size = shape.channels * plane;
  const width = grass.factors.factors.length;
  const factors = new Float32Array(chosen.length * width);
  for (let i = 0; i < chosen.length; i++) {
    factors.set(grass.factors.values.subarray(patches[i] * width, (patches[i] + 1) * width), i * width);
  }
  return {
    name: set.name,
    title: set.title,
    shape,
    range: 'unit',
    length: chosen.length,
    labels: { names: [...'0123456789'], values: Uint16Array.from(chosen, (digit) => digits.labels[digit]) },
    factors: { factors: grass.factors.factors, values: factors },
    fingerprint: fingerprint(set.name, set.grassPrint, chosen, patches),
    gather: gatherBy({ name: set.name, length: chosen.length, size }, (item, out, at) => {
      for (let i = 0; i < size; i++) {
        const y = grass.pixels[patches[item] * size + i] / 255;
        const t = digits.images[chosen[item] * plane + (i % plane)] / 255;
        out[at + i] = set.isThresholded && y <= threshold ? 0 : rho * y + (1 - rho) * t;
      }
    }),
  };
}

/** The same number of each digit from MNIST's training part, in random order. */
function chooseDigits(labels: Uint8Array, seed: number): Uint32Array {
  const taken = new Array<number>(10).fill(0);
  return stream(seed, 'digits on grass')
    .permutation(labels.length)
    .filter((digit) => taken[labels[digit]]++ < samplesOfEach);
}
