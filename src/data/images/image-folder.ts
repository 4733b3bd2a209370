/**
 * A folder of pictures as a dataset. Classes come from its sub-folders, or from a `labels.csv` with the columns `file` and
 * `label` and any further ones, which become factors.
 */
import type { Dirent } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { UntangleError } from '../../errors.ts';
import type { Labels } from '../../model/index.ts';
import type { Dataset } from '../dataset.ts';
import { withFields } from '../fields.ts';
import { pictureEndings } from '../formats/image-file.ts';
import { readLabelsFile } from './labels-file.ts';
import {
  type BadPicture,
  openPictureFiles,
  type PictureFile,
  type PictureFileOptions,
  pictureDataset,
} from './picture-files.ts';

export interface ImageFolder extends Dataset {
  /** Pictures that were left out, and why. */
  readonly bad: readonly BadPicture[];
  /** What was left out, in sentences. */
  readonly notes: readonly string[];
}

/**
 * Opens a folder of pictures. Decoding happens once; what it gives is kept, and made anew when the folder changes.
 *
 * @example await openImageFolder('cats', { size: 64, crop: true })
 */
export async function openImageFolder(path: string, options: PictureFileOptions = {}): Promise<ImageFolder> {
  const folder = resolve(path);
  const name = basename(folder);
  const found = await picturesIn(folder);
  if (found.length === 0)
    throw new UntangleError(`${path} holds no pictures.`, {
      kind: 'call',
      hint: `Pictures are files that end in ${pictureEndings.map((ending) => `.${ending}`).join(', ')}.`,
    });
  const known = await readLabelsFile(folder, found, options);
  const names = known?.files ?? found;
  const files = names.map((file): PictureFile => ({ path: join(folder, file), name: file }));
  const set = await openPictureFiles(name, folder, files, options);

  const { labels, factors, fields } = known?.details(set.kept) ?? {
    labels: classesOf(names, set.kept),
    factors: undefined,
    fields: [],
  };
  const notes = [...(known?.notes ?? []), ...set.notes];
  const [first] = set.bad;
  if (first)
    notes.push(`Pictures that were left out: ${set.bad.length}, the first being ${first.name} (${first.why}).`);
  const data = pictureDataset(set, { name, title: name, labels, factors });
  return withFields({ ...data, bad: set.bad, notes }, fields);
}

/** The pictures below a folder as paths from it, parted by “/”, in an order that does not depend on the machine. */
export async function picturesIn(folder: string): Promise<string[]> {
  const endings = new Set(pictureEndings);
  const found: string[] = [];
  const walk = async (inside: string) => {
    for (const entry of await entriesOf(join(folder, inside))) {
      // Hidden files, such as those that archives from a Mac bring along, are no pictures.
      if (entry.name.startsWith('.') || entry.name === '__MACOSX') continue;
      const path = inside === '' ? entry.name : `${inside}/${entry.name}`;
      if (entry.isDirectory()) await walk(path);
      else if (endings.has(entry.name.slice(entry.name.lastIndexOf('.') + 1).toLowerCase())) found.push(path);
    }
  };
  await walk('');
  return found.sort();
}

async function entriesOf(folder: string): Promise<Dirent[]> {
  try {
    return await readdir(folder, { withFileTypes: true });
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
    const why = code === 'ENOENT' ? `There is no folder ${folder}.` : `${folder} can't be read as a folder.`;
    throw new UntangleError(why, { kind: 'call', cause });
  }
}

/** The class of each picture is the sub-folder it lies in; none where all lie in the folder itself. */
function classesOf(files: readonly string[], kept: Uint32Array): Labels | undefined {
  const classOf = (file: string) => (file.includes('/') ? file.slice(0, file.indexOf('/')) : '.');
  const names = [...new Set(Array.from(kept, (index) => classOf(files[index])))].sort();
  if (names.length === 1 && names[0] === '.') return undefined;
  const place = new Map(names.map((name, k) => [name, k]));
  return { names, values: Uint16Array.from(kept, (index) => place.get(classOf(files[index])) ?? 0) };
}
