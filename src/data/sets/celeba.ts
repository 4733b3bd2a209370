/**
 * CelebA (Liu et al. 2015): 202,599 aligned faces of 178×218 pixels with 40 attributes. At 64×64 they are the middle 108×108
 * pixels scaled down, as Abid and Zou (2019) take them. The contrastive paper (appendix A.1) sets faces with caps or with
 * eyeglasses, 5,000 of each, against 10,000 of the others.
 */
import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { UntangleError, unknownName } from '../../errors.ts';
import type { Factors } from '../../model/index.ts';
import { stream } from '../../random/index.ts';
import { type Dataset, fingerprint, type Opened, range } from '../dataset.ts';
import { readCsvFile } from '../formats/csv.ts';
import { readWhole } from '../formats/files.ts';
import { openPictureFiles, type PictureFile, pictureDataset } from '../images/picture-files.ts';
import { subset } from '../split.ts';
import { type BuiltIn, findSetFile, type OpenOptions, partOf } from './built-in.ts';
import { factorTable } from './factors.ts';

const perClass = 5000;

export const celeba: BuiltIn = {
  title: 'CelebA',
  what: '202,599 faces with 40 attributes, 64×64 (or 218×178) RGB; caps and eyeglasses against neither',
  licence: 'for non-commercial research only',
  get: 'mmlab.ie.cuhk.edu.hk/projects/CelebA.html (img_align_celeba.zip, list_attr_celeba.txt, list_eval_partition.txt)',
  put: 'celeba/img_align_celeba/000001.jpg …, celeba/list_attr_celeba.txt and, for the official split, celeba/list_eval_partition.txt',
  places: () => ['celeba/list_attr_celeba.txt', 'celeba/list_attr_celeba.csv'],
  parts: ['faces', 'caps-and-glasses', 'full-size'],
  open: openCeleba,
};

/** What is known of the faces, in the order of the attribute file. */
interface Faces {
  files: PictureFile[];
  attributes: string[];
  /** Whether face i has attribute k. */
  has(i: number, k: number): boolean;
}

async function openCeleba(options: OpenOptions): Promise<Opened> {
  const part = partOf(celeba, options.part);
  const list = findSetFile(celeba, options.dataDir);
  const folder = dirname(list);
  const faces = await readFaces(list, await pictureFolder(folder));
  if (part === 'caps-and-glasses') return openContrast(faces, options);
  const framing = part === 'full-size' ? { size: options.size } : { size: options.size ?? 64, crop: 108 };
  const set = await openPictureFiles(`celeba ${part}`, 'celeba', faces.files, { ...options, ...framing });
  const split = await readPartition(folder, faces.files);
  const data = pictureDataset(set, { name: 'celeba', title: celeba.title, factors: factorsOf(faces), split });
  return { kind: 'single', data };
}

/** Caps and eyeglasses against neither; faces with both are in no class. */
async function openContrast(faces: Faces, options: OpenOptions): Promise<Opened> {
  const [hat, glasses] = ['Wearing_Hat', 'Eyeglasses'].map((name) => {
    const k = faces.attributes.indexOf(name);
    if (k < 0) throw unknownName('attribute in CelebA’s list', name, faces.attributes);
    return k;
  });
  const groups: number[][] = [[], [], []];
  for (const i of stream(options.seed ?? 0, 'celeba').permutation(faces.files.length)) {
    const [isHat, isGlasses] = [faces.has(i, hat), faces.has(i, glasses)];
    if (isHat && isGlasses) continue;
    groups[isHat ? 0 : isGlasses ? 1 : 2].push(i);
  }
  const each = Math.min(perClass, groups[0].length, groups[1].length);
  const target = [...groups[0].slice(0, each), ...groups[1].slice(0, each)];
  const background = groups[2].slice(0, 2 * each);
  if (target.length === 0 || background.length === 0)
    throw new UntangleError('CelebA’s list holds no faces with caps, with eyeglasses and with neither.');

  const chosen = [...target, ...background];
  const files = chosen.map((i) => faces.files[i]);
  const set = await openPictureFiles(`celeba caps-and-glasses ${options.seed ?? 0}`, 'celeba', files, {
    ...options,
    size: options.size ?? 64,
    crop: 108,
  });
  const factors = factorsOf({ ...faces, files, has: (i, k) => faces.has(chosen[i], k) });
  const all = pictureDataset(set, { name: 'celeba', title: celeba.title, factors });
  const values = Uint16Array.from(target, (_, i) => (i < each ? 0 : 1));
  const part = (name: string, from: number, to: number) => subset(all, range(from, to), `celeba ${name}`);
  const labelled: Dataset = part('caps and eyeglasses', 0, target.length);
  return {
    kind: 'contrast',
    target: {
      ...labelled,
      labels: { names: ['cap', 'eyeglasses'], values },
      fingerprint: fingerprint(labelled.fingerprint, 'cap, eyeglasses', values),
    },
    background: part('faces without', target.length, chosen.length),
  };
}

function factorsOf({ files, attributes, has }: Faces): Factors {
  const factors = attributes.map((name) => ({ name, kind: 'discrete' as const, size: 2 }));
  return factorTable(factors, files.length, (i, k) => (has(i, k) ? 1 : 0));
}

/** The attribute file: as published (a count, the names, then a line a face), or as a CSV with `image_id`. */
async function readFaces(path: string, folder: string): Promise<Faces> {
  const rows: string[][] = [];
  if (path.endsWith('.csv')) await readCsvFile(path, path, (cells) => rows.push(cells));
  else {
    const lines = Buffer.from(await readWhole(path))
      .toString('utf8')
      .split(/\r?\n/);
    rows.push(...lines.slice(1).map((line) => line.trim().split(/\s+/)));
  }
  const names = (rows[0] ?? []).filter((name) => name !== '' && name !== 'image_id');
  const faces = rows.slice(1).filter((row) => row[0] !== '');
  if (names.length === 0 || faces.length === 0)
    throw new UntangleError(`${path} is not a list of faces and attributes.`);
  const marks = new Uint8Array(faces.length * names.length);
  for (const [i, row] of faces.entries()) {
    if (row.length !== names.length + 1 || !row.slice(1).every((mark) => mark === '1' || mark === '-1' || mark === '0'))
      throw new UntangleError(`${path} has a line for ${row[0]} that is not ${names.length} times 1 or −1.`);
    for (let k = 0; k < names.length; k++) marks[i * names.length + k] = row[k + 1] === '1' ? 1 : 0;
  }
  return {
    files: faces.map(([name]) => ({ path: join(folder, name), name })),
    attributes: names,
    has: (i, k) => marks[i * names.length + k] === 1,
  };
}

/** Some archives hold the folder once more in itself. */
async function pictureFolder(folder: string): Promise<string> {
  const outer = join(folder, 'img_align_celeba');
  if (!existsSync(outer))
    throw new UntangleError(`CelebA’s pictures are not there: there is no ${outer}.`, {
      hint: `Get them from ${celeba.get}.`,
    });
  const inner = join(outer, 'img_align_celeba');
  return (await readdir(outer)).includes('img_align_celeba') ? inner : outer;
}

/** The official split, where its file is there: 0 training, 1 validation, 2 test. */
async function readPartition(folder: string, files: readonly PictureFile[]): Promise<Dataset['split']> {
  const path = join(folder, 'list_eval_partition.txt');
  if (!existsSync(path)) return undefined;
  const partOf = new Map<string, string>();
  for (const line of Buffer.from(await readWhole(path))
    .toString('utf8')
    .split('\n')) {
    const [name, part] = line.trim().split(/\s+/);
    if (part !== undefined) partOf.set(name, part);
  }
  const of = (part: string) => Uint32Array.from(files.keys()).filter((i) => partOf.get(files[i].name) === part);
  const split = { train: of('0'), validation: of('1'), test: of('2') };
  if (split.train.length + split.validation.length + split.test.length !== files.length)
    throw new UntangleError(`${path} does not say of every face which part it belongs to.`);
  return split;
}
