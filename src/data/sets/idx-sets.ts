/**
 * Sets in MNIST's format and to its measure, 28×28 grey: Fashion-MNIST (Xiao, Rasul, Vollgraf 2017), KMNIST (Clanuwat et al.
 * 2018) and EMNIST (Cohen et al. 2017), as their publishers pack them.
 */
import { UntangleError } from '../../errors.ts';
import { type Dataset, fingerprint, range } from '../dataset.ts';
import { readIdx } from '../formats/idx.ts';
import { imageStore } from '../images/image-store.ts';
import { type BuiltIn, findFile, type OpenOptions, partOf } from './built-in.ts';

const garments = [
  'T-shirt/top',
  'Trouser',
  'Pullover',
  'Dress',
  'Coat',
  'Sandal',
  'Shirt',
  'Sneaker',
  'Bag',
  'Ankle boot',
];
const kana = ['お o', 'き ki', 'す su', 'つ tsu', 'な na', 'は ha', 'ま ma', 'や ya', 'れ re', 'を wo'];
const digits = [...'0123456789'];
const capitals = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];

/** EMNIST's parts and their classes. Merged parts have one class for letters whose two cases look alike. */
const emnistClasses: Record<string, string[]> = {
  balanced: [...digits, ...capitals, ...'abdefghnqrt'],
  letters: capitals,
  digits,
  mnist: digits,
  byclass: [...digits, ...capitals, ...'abcdefghijklmnopqrstuvwxyz'],
  bymerge: [...digits, ...capitals, ...'abdefghnqrt'],
};

export const fashionMnist: BuiltIn = idxSet({
  name: 'fashion-mnist',
  title: 'Fashion-MNIST',
  what: '70,000 garments of 10 kinds, 28×28 grey',
  licence: 'MIT, © 2017 Zalando SE',
  get: 'github.com/zalandoresearch/fashion-mnist',
  folders: ['fashion-mnist', 'FashionMNIST/raw'],
  classes: garments,
});

export const kmnist: BuiltIn = idxSet({
  name: 'kmnist',
  title: 'KMNIST',
  what: '70,000 handwritten hiragana of 10 kinds, 28×28 grey',
  licence: 'CC BY-SA 4.0, ROIS-DS Center for Open Data in the Humanities',
  get: 'codh.rois.ac.jp/kmnist',
  folders: ['kmnist', 'KMNIST/raw'],
  classes: kana,
});

export const emnist: BuiltIn = {
  title: 'EMNIST',
  what: 'handwritten digits and letters, 28×28 grey, in six parts',
  licence: 'public domain (NIST)',
  get: 'www.nist.gov/itl/products-and-services/emnist-dataset (the archive in MNIST’s binary format)',
  put: 'emnist/emnist-PART-train-images-idx3-ubyte.gz and the like, packed or not',
  places: () =>
    ['emnist', 'EMNIST/raw'].flatMap((folder) =>
      Object.keys(emnistClasses).flatMap((part) =>
        ['', '.gz'].map((ending) => `${folder}/emnist-${part}-train-images-idx3-ubyte${ending}`),
      ),
    ),
  parts: Object.keys(emnistClasses),
  async open(options) {
    const part = partOf(emnist, options.part);
    const data = await openIdxSet(
      {
        name: `emnist-${part}`,
        title: `EMNIST ${part}`,
        get: emnist.get,
        folders: ['emnist', 'EMNIST/raw'],
        classes: emnistClasses[part],
        prefix: (which) => `emnist-${part}-${which}`,
        test: 'test',
        transposed: true,
        firstClass: part === 'letters' ? 1 : 0,
      },
      options,
    );
    return { kind: 'single', data };
  },
};

interface IdxSet {
  name: string;
  title: string;
  get: string;
  /** Where the four files may lie inside the data folder. */
  folders: string[];
  classes: string[];
  prefix?: (which: string) => string;
  /** What the test part is called in file names. */
  test?: string;
  /** EMNIST keeps its pictures column by column. */
  transposed?: boolean;
  /** EMNIST numbers its letters from 1. */
  firstClass?: number;
}

function idxSet({ what, licence, ...set }: IdxSet & { what: string; licence: string }): BuiltIn {
  return {
    title: set.title,
    what,
    licence,
    get: set.get,
    put: `${set.folders[0]}/train-images-idx3-ubyte.gz, train-labels-idx1-ubyte.gz and the two t10k files, packed or not`,
    places: () => placesOf(set, 'train', 'images', 3),
    open: async (options) => ({ kind: 'single', data: await openIdxSet(set, options) }),
  };
}

/** Where a file of the set may lie. */
function placesOf(set: IdxSet, which: string, kind: string, dimensions: number): string[] {
  const name = `${set.prefix?.(which) ?? which}-${kind}-idx${dimensions}-ubyte`;
  return [`${name}.gz`, name].flatMap((last) => set.folders.map((folder) => `${folder}/${last}`));
}

async function openIdxSet(set: IdxSet, { dataDir }: OpenOptions): Promise<Dataset> {
  const [train, test] = await Promise.all([
    openPart(set, 'train', dataDir),
    openPart(set, set.test ?? 't10k', dataDir),
  ]);
  const values = new Uint16Array(train.labels.length + test.labels.length);
  values.set(train.labels);
  values.set(test.labels, train.labels.length);
  return imageStore({
    name: set.name,
    title: set.title,
    shape: { kind: 'image', channels: 1, height: 28, width: 28 },
    pixels: [train.images, test.images],
    labels: { names: set.classes, values },
    split: { train: range(0, train.labels.length), test: range(train.labels.length, values.length) },
    fingerprint: fingerprint('idx', train.images, test.images, values),
  });
}

async function openPart(set: IdxSet, which: string, dataDir: string | undefined) {
  const file = async (kind: string, dimensions: number) => {
    const path = findFile(set.title, placesOf(set, which, kind, dimensions), { dataDir, get: set.get });
    const { shape, data } = await readIdx(path);
    const isRight = data instanceof Uint8Array && shape.length === dimensions;
    if (!isRight || shape.slice(1).some((side) => side !== 28)) {
      throw new UntangleError(`${path} holds ${shape.join(' × ')} numbers; ${set.title}’s ${kind} are another shape.`);
    }
    return { path, data };
  };
  const [images, labels] = await Promise.all([file('images', 3), file('labels', 1)]);
  const count = labels.data.length;
  if (images.data.length !== count * 784) {
    throw new UntangleError(
      `${images.path} holds ${images.data.length / 784} pictures, ${labels.path} ${count} labels.`,
    );
  }
  const first = set.firstClass ?? 0;
  const values = Uint16Array.from(labels.data, (label) => {
    if (label >= first && label - first < set.classes.length) return label - first;
    throw new UntangleError(`${labels.path} holds the label ${label}; ${set.title} has ${set.classes.length} classes.`);
  });
  return { images: set.transposed ? transposed(images.data) : images.data, labels: values };
}

function transposed(pixels: Uint8Array): Uint8Array {
  const out = new Uint8Array(pixels.length);
  for (let at = 0; at < pixels.length; at += 784) {
    for (let row = 0; row < 28; row++) {
      for (let column = 0; column < 28; column++) out[at + row * 28 + column] = pixels[at + column * 28 + row];
    }
  }
  return out;
}
