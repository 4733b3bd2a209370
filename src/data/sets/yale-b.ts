/**
 * The cropped Extended Yale Face Database B (Lee, Ho, Kriegman 2005): 38 people under 64 lights, 168×192 grey. As N-VAE takes
 * it: only lights at less than 100° from the camera's axis, to the side and in height, scaled to 64×64.
 */

import { join } from 'node:path';
import { UntangleError } from '../../errors.ts';
import { picturesIn } from '../images/image-folder.ts';
import { openPictureFiles, pictureDataset } from '../images/picture-files.ts';
import { type BuiltIn, findSetFile } from './built-in.ts';
import { factorTable } from './factors.ts';

const fileName = /(?:^|\/)(yaleB\d\d)_P\d\dA([+-]\d{3})E([+-]\d\d)\.pgm$/;
const mostDegrees = 100;

export const yaleB: BuiltIn = {
  title: 'Extended Yale B',
  what: '38 people under up to 64 lights, 64×64 grey; azimuth and elevation of the light known',
  licence: 'for research only',
  get: 'vision.ucsd.edu/~leekc/ExtYaleDatabase/ExtYaleB.html (the cropped images)',
  put: 'yale-b/CroppedYale/yaleB01/yaleB01_P00A+000E+00.pgm …',
  places: () => ['yale-b/CroppedYale', 'CroppedYale'],
  async open(options) {
    const folder = findSetFile(yaleB, options.dataDir);
    // Pictures in ambient light, and those marked .bad by the publishers, have other names.
    const shots = (await picturesIn(folder)).flatMap((path) => {
      const match = fileName.exec(path);
      if (!match) return [];
      const [, person, azimuth, elevation] = match;
      return [{ path, person, angles: [Number(azimuth), Number(elevation)] }];
    });
    const kept = shots.filter(({ angles }) => angles.every((degrees) => Math.abs(degrees) < mostDegrees));
    if (kept.length === 0)
      throw new UntangleError(`${folder} holds no picture that is named like yaleB01_P00A+000E+00.pgm.`);
    const files = kept.map(({ path }) => ({ path: join(folder, path), name: path }));
    const set = await openPictureFiles('yale-b', 'yale-b', files, { ...options, size: options.size ?? 64 });
    const people = [...new Set(kept.map(({ person }) => person))].sort();
    const factors = ['azimuth', 'elevation'].map((name) => ({ name, kind: 'continuous' as const, size: 0 }));
    const data = pictureDataset(set, {
      name: 'yale-b',
      title: yaleB.title,
      labels: { names: people, values: Uint16Array.from(kept, ({ person }) => people.indexOf(person)) },
      factors: factorTable(factors, kept.length, (i, k) => kept[i].angles[k]),
    });
    return { kind: 'single', data };
  },
};
