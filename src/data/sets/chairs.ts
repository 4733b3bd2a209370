/**
 * 3D Chairs (Aubry et al. 2014): 1,393 chair models, each rendered from 31 directions at 2 elevations. DIP-VAE observes their
 * binary outlines, with the first 80 % of the models to train on. (It leaves out near-duplicates by a list that is not part
 * of the set, so here all models are taken.)
 */
import { join } from 'node:path';
import { UntangleError } from '../../errors.ts';
import { picturesIn } from '../images/image-folder.ts';
import { openPictureFiles, pictureDataset } from '../images/picture-files.ts';
import { type BuiltIn, findSetFile, partOf } from './built-in.ts';
import { factorTable } from './factors.ts';

const fileName = /^([^/]+)\/renders\/image_\d+_p(\d+)_t(\d+)_r\d+\.png$/;
const trainingShare = 0.8;

export const chairs: BuiltIn = {
  title: '3D Chairs',
  what: '86,366 renderings of 1,393 chairs, 64×64 outlines (or RGB); azimuth and elevation known',
  licence: 'for research; the models are from the Trimble 3D Warehouse',
  get: 'www.di.ens.fr/willow/research/seeing3Dchairs/ (rendered_chairs.tar)',
  put: 'chairs/rendered_chairs/MODEL/renders/image_000_p020_t011_r096.png …',
  places: () => ['chairs/rendered_chairs', 'rendered_chairs'],
  parts: ['outlines', 'colour'],
  async open(options) {
    const part = partOf(chairs, options.part);
    const folder = findSetFile(chairs, options.dataDir);
    const views = (await picturesIn(folder)).flatMap((path) => {
      const match = fileName.exec(path);
      return match ? [{ path, model: match[1], azimuth: Number(match[3]), elevation: Number(match[2]) }] : [];
    });
    if (views.length === 0)
      throw new UntangleError(
        `${folder} holds no picture that is named like MODEL/renders/image_000_p020_t011_r096.png.`,
      );
    const files = views.map(({ path }) => ({ path: join(folder, path), name: path }));
    const set = await openPictureFiles(`chairs ${part}`, 'chairs', files, {
      ...options,
      size: options.size ?? 64,
      mask: part === 'outlines',
    });

    const models = [...new Set(views.map(({ model }) => model))].sort();
    const place = new Map(models.map((model, k) => [model, k]));
    const modelOf = (i: number) => place.get(views[i].model) ?? 0;
    const angles = (key: 'azimuth' | 'elevation') =>
      [...new Set(views.map((view) => view[key]))].toSorted((a, b) => a - b);
    const [azimuths, elevations] = [angles('azimuth'), angles('elevation')];
    const codes = (i: number) => [
      modelOf(i),
      azimuths.indexOf(views[i].azimuth),
      elevations.indexOf(views[i].elevation),
    ];
    const sizes = { model: models.length, azimuth: azimuths.length, elevation: elevations.length };
    const factors = Object.entries(sizes).map(([name, size]) => ({ name, kind: 'discrete' as const, size }));
    const training = Math.max(1, Math.floor(models.length * trainingShare));
    const all = Uint32Array.from(views.keys());
    const data = pictureDataset(set, {
      name: 'chairs',
      title: chairs.title,
      range: part === 'outlines' ? 'binary' : 'unit',
      factors: factorTable(factors, views.length, (i, k) => codes(i)[k]),
      split: { train: all.filter((i) => modelOf(i) < training), test: all.filter((i) => modelOf(i) >= training) },
    });
    return { kind: 'single', data };
  },
};
