/**
 * AffectNet (Mollahosseini et al. 2017): faces in the wild with an expression, valence and arousal each. Faces are cut out by
 * the box that the lists give and scaled to 96×96; Rb-VAE also aligns them by landmarks that it found itself. Neutral faces
 * are the background, the seven expressions the target, up to 5,000 of each as in the contrastive paper (appendix A.3).
 */
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { UntangleError } from '../../errors.ts';
import { stream } from '../../random/index.ts';
import { type Opened, range } from '../dataset.ts';
import { readCsvFile } from '../formats/csv.ts';
import { openPictureFiles, type PictureFile, pictureDataset } from '../images/picture-files.ts';
import { subset } from '../split.ts';
import { type BuiltIn, findFile, findSetFile, type OpenOptions, partOf } from './built-in.ts';
import { factorTable } from './factors.ts';

const expressions = ['neutral', 'happiness', 'sadness', 'surprise', 'fear', 'disgust', 'anger', 'contempt'];
const perClass = 5000;

/** The columns of the lists, of which the one for validation may come without a header. */
const listColumns = [
  'subDirectory_filePath',
  'face_x',
  'face_y',
  'face_width',
  'face_height',
  'facial_landmarks',
  'expression',
  'valence',
  'arousal',
];

export const affectnet: BuiltIn = {
  title: 'AffectNet',
  what: 'faces with eight expressions, valence and arousal, 96×96 RGB; expressions against neutral faces',
  licence: 'for research only, on request',
  get: 'www.mohammadmahoor.com/pages/databases/affectnet/ (the manually annotated images and lists)',
  put: 'affectnet/Manually_Annotated_Images/…, affectnet/training.csv and affectnet/validation.csv',
  places: () => ['affectnet/training.csv', 'affectnet/Manually_Annotated_file_lists/training.csv'],
  parts: ['neutral-and-expressions', 'faces'],
  open: openAffectnet,
};

interface Face extends PictureFile {
  expression: number;
  valence: number;
  arousal: number;
}

async function openAffectnet(options: OpenOptions): Promise<Opened> {
  const part = partOf(affectnet, options.part);
  const list = findSetFile(affectnet, options.dataDir);
  const images = findFile(affectnet.title, ['affectnet/Manually_Annotated_Images'], {
    dataDir: options.dataDir,
    get: affectnet.get,
  });
  const training = await readFaces(list, images);
  if (part === 'faces') {
    const other = join(dirname(list), 'validation.csv');
    const test = existsSync(other) ? await readFaces(other, images) : [];
    const data = await openFaces(part, [...training, ...test], options);
    const all = range(0, data.length);
    const split =
      test.length > 0 ? { train: all.subarray(0, training.length), test: all.subarray(training.length) } : undefined;
    return { kind: 'single', data: { ...data, split } };
  }

  const groups: Face[][] = expressions.map(() => []);
  for (const i of stream(options.seed ?? 0, 'affectnet').permutation(training.length)) {
    const face = training[i];
    groups[face.expression].push(face);
  }
  const target = groups.slice(1).flatMap((group) => group.slice(0, perClass));
  const background = groups[0].slice(0, target.length);
  if (target.length === 0 || background.length === 0)
    throw new UntangleError(`${list} has no neutral faces, or none with an expression.`);
  const data = await openFaces(`${part} ${options.seed ?? 0}`, [...target, ...background], options);
  const from = (start: number, length: number, name: string) =>
    subset(data, range(start, start + length), `affectnet ${name}`);
  return {
    kind: 'contrast',
    target: from(0, target.length, 'expressions'),
    background: from(target.length, background.length, 'neutral'),
  };
}

async function openFaces(part: string, faces: Face[], options: OpenOptions) {
  const set = await openPictureFiles(`affectnet ${part}`, 'affectnet', faces, { ...options, size: options.size ?? 96 });
  const factors = ['valence', 'arousal'].map((name) => ({ name, kind: 'continuous' as const, size: 0 }));
  return pictureDataset(set, {
    name: 'affectnet',
    title: affectnet.title,
    labels: { names: expressions, values: Uint16Array.from(faces, ({ expression }) => expression) },
    factors: factorTable(factors, faces.length, (i, k) => (k === 0 ? faces[i].valence : faces[i].arousal)),
  });
}

/** The faces of a list that have one of the eight expressions; others are marked as none, uncertain or no face. */
async function readFaces(path: string, images: string): Promise<Face[]> {
  const faces: Face[] = [];
  let columns: Map<string, number> | undefined;
  await readCsvFile(path, path, (cells, line) => {
    if (columns === undefined) {
      const headed = cells.includes(listColumns[0]);
      columns = new Map((headed ? cells : listColumns).map((name, k) => [name, k]));
      const lacking = ['subDirectory_filePath', 'expression'].find((name) => !columns?.has(name));
      if (lacking) throw new UntangleError(`${path} has no column ${lacking}.`);
      if (headed) return;
    }
    const cell = (name: string) => cells[columns?.get(name) ?? -1];
    const number = (name: string) => Number(cell(name) ?? Number.NaN);
    const [file, expression] = [cell('subDirectory_filePath'), number('expression')];
    if (!file || !Number.isInteger(expression) || expression < 0)
      throw new UntangleError(`${path}, line ${line}, does not name a file and an expression.`);
    if (expression >= expressions.length) return;
    const [left, top, width, height] = ['face_x', 'face_y', 'face_width', 'face_height'].map(number);
    const box = width > 0 && height > 0 ? { left, top, width, height } : undefined;
    faces.push({
      path: join(images, file),
      name: file,
      box,
      expression,
      valence: number('valence'),
      arousal: number('arousal'),
    });
  });
  if (faces.length === 0) throw new UntangleError(`${path} names no face with an expression.`);
  return faces;
}
