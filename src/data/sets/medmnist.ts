/**
 * MedMNIST v2 (Yang et al. 2023): small medical pictures in one .npz a set, with a training, a validation and a test part.
 */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { UntangleError } from '../../errors.ts';
import type { Factors, ImageShape } from '../../model/index.ts';
import { type Dataset, fingerprint, range } from '../dataset.ts';
import { type Npz, openNpz } from '../formats/npz.ts';
import { channelsFirst, imageStore } from '../images/image-store.ts';
import { type BuiltIn, findSetFile, type OpenOptions } from './built-in.ts';

const organs = [
  'bladder',
  'femur left',
  'femur right',
  'heart',
  'kidney left',
  'kidney right',
  'liver',
  'lung left',
  'lung right',
  'pancreas',
  'spleen',
];

/** What each set shows, and its classes; those of ChestMNIST are findings of which a picture may have several. */
const sets: Record<string, { what: string; classes: string[]; several?: true }> = {
  pathmnist: {
    what: 'tissue of colorectal cancer, 9 kinds, RGB',
    classes: [
      'adipose',
      'background',
      'debris',
      'lymphocytes',
      'mucus',
      'smooth muscle',
      'normal colon mucosa',
      'cancer-associated stroma',
      'colorectal adenocarcinoma epithelium',
    ],
  },
  chestmnist: {
    what: 'chest X-rays, 14 findings of which each picture has any number, grey',
    classes: [
      'atelectasis',
      'cardiomegaly',
      'effusion',
      'infiltration',
      'mass',
      'nodule',
      'pneumonia',
      'pneumothorax',
      'consolidation',
      'edema',
      'emphysema',
      'fibrosis',
      'pleural thickening',
      'hernia',
    ],
    several: true,
  },
  dermamnist: {
    what: 'skin lesions, 7 kinds, RGB',
    classes: [
      'actinic keratoses and intraepithelial carcinoma',
      'basal cell carcinoma',
      'benign keratosis-like lesions',
      'dermatofibroma',
      'melanoma',
      'melanocytic nevi',
      'vascular lesions',
    ],
  },
  octmnist: {
    what: 'retinal scans, 4 kinds, grey',
    classes: ['choroidal neovascularization', 'diabetic macular edema', 'drusen', 'normal'],
  },
  pneumoniamnist: { what: 'chest X-rays, normal or with pneumonia, grey', classes: ['normal', 'pneumonia'] },
  retinamnist: {
    what: 'retinal photographs, 5 degrees of retinopathy, RGB',
    classes: ['degree 0', 'degree 1', 'degree 2', 'degree 3', 'degree 4'],
  },
  breastmnist: { what: 'breast ultrasound, malignant or not, grey', classes: ['malignant', 'normal or benign'] },
  bloodmnist: {
    what: 'blood cells, 8 kinds, RGB',
    classes: [
      'basophil',
      'eosinophil',
      'erythroblast',
      'immature granulocytes',
      'lymphocyte',
      'monocyte',
      'neutrophil',
      'platelet',
    ],
  },
  tissuemnist: {
    what: 'kidney cells, 8 kinds, grey',
    classes: [
      'collecting duct or connecting tubule',
      'distal convoluted tubule',
      'glomerular endothelial cells',
      'interstitial endothelial cells',
      'leukocytes',
      'podocytes',
      'proximal tubule segments',
      'thick ascending limb',
    ],
  },
  organamnist: { what: 'abdominal CT, axial, 11 organs, grey', classes: organs },
  organcmnist: { what: 'abdominal CT, coronal, 11 organs, grey', classes: organs },
  organsmnist: { what: 'abdominal CT, sagittal, 11 organs, grey', classes: organs },
};

/** The set's entry in the registry. */
export function medmnist(name: string): BuiltIn {
  const title = `MedMNIST ${name.replace(/mnist$/, '')}`;
  const entry: BuiltIn = {
    title,
    what: `${sets[name].what}, 28×28`,
    licence: name === 'dermamnist' ? 'CC BY-NC 4.0' : 'CC BY 4.0',
    get: 'medmnist.com (zenodo.org/records/10519652)',
    put: `medmnist/${name}.npz`,
    places: (folder) => [`medmnist/${name}.npz`, `${name}.npz`, ...npzInside(folder, name)],
    async open(options) {
      return { kind: 'single', data: await openMedmnist(name, entry, options) };
    },
  };
  return entry;
}

async function openMedmnist(name: string, entry: BuiltIn, { dataDir }: OpenOptions): Promise<Dataset> {
  const { title } = entry;
  const npz = await openNpz(findSetFile(entry, dataDir));
  const parts = [];
  for (const part of ['train', 'val', 'test']) parts.push(await readPart(npz, name, part));
  const [train, validation, test] = parts;
  if (parts.some(({ shape }) => JSON.stringify(shape) !== JSON.stringify(train.shape))) {
    throw new UntangleError(`${npz.path} holds parts of different shapes.`);
  }
  const labels = Uint16Array.from(parts.flatMap((part) => [...part.labels]));
  const { classes, several } = sets[name];
  const ends = [train.count, train.count + validation.count, train.count + validation.count + test.count];
  return imageStore({
    name,
    title,
    shape: train.shape,
    pixels: parts.map(({ pixels }) => pixels),
    ...(several ? { factors: findings(classes, labels) } : { labels: { names: classes, values: labels } }),
    split: { train: range(0, ends[0]), validation: range(ends[0], ends[1]), test: range(ends[1], ends[2]) },
    fingerprint: fingerprint('medmnist', ...parts.map(({ pixels }) => pixels), labels),
  });
}

/** Rebuilt or larger files go by other names, such as pneumoniamnist_64.npz in a folder of the set's name. */
function npzInside(folder: string, name: string): string[] {
  try {
    const files = readdirSync(join(folder, name)).filter((file) => file.endsWith('.npz'));
    return files.sort().map((file) => `${name}/${file}`);
  } catch {
    return [];
  }
}

async function readPart(npz: Npz, name: string, part: string) {
  const [images, labels] = [await npz.read(`${part}_images`), await npz.read(`${part}_labels`)];
  const [count, height, width, channels = 1] = images.shape;
  const columns = labels.shape[1] ?? 1;
  const { classes, several } = sets[name];
  const { data } = images;
  const isRight =
    (images.shape.length === 3 || (images.shape.length === 4 && channels === 3)) &&
    labels.shape[0] === count &&
    columns === (several ? classes.length : 1);
  if (!(data instanceof Uint8Array) || labels.kind !== 'numbers' || !isRight) {
    const shapes = `${images.shape.join(' × ')} and ${labels.shape.join(' × ')}`;
    throw new UntangleError(`${npz.path} is not ${name}: its ${part} pictures and labels have the shapes ${shapes}.`);
  }
  const most = several ? 2 : classes.length;
  const values = Uint16Array.from(labels.data, (label) => {
    if (label >= 0 && label < most) return label;
    throw new UntangleError(`${npz.path} holds the label ${label}; ${name} has ${most} classes.`);
  });
  const shape: ImageShape = { kind: 'image', channels, height, width };
  return { shape, count, pixels: channelsFirst(data, height * width, channels), labels: values };
}

function findings(names: string[], values: Uint16Array): Factors {
  return {
    factors: names.map((name) => ({ name, kind: 'discrete', size: 2 })),
    values: Float32Array.from(values),
  };
}
