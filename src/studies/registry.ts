/** All studies by name. A new one is data in a file, and a line here. */
import { unknownName } from '../errors.ts';
import {
  contrastiveFigure6,
  contrastiveTable1,
  contrastiveTable1AffectNet,
  contrastiveTable1CelebA,
  contrastiveTable1NonLinear,
} from './contrastive.ts';
import { everyMethod } from './cross-family.ts';
import { dipVaeFigure1, dipVaeTable1, dipVaeTable2 } from './dip-vae.ts';
import { nVaeAugmentation, nVaeFashion, nVaeFigures } from './n-vae.ts';
import { partedVaeLabels, partedVaeTable1, partedVaeTable2 } from './parted-vae.ts';
import { rbVaeAffectNet, rbVaeTable1 } from './rb-vae.ts';
import type { Study } from './study.ts';

const list: readonly Study[] = [
  dipVaeTable1,
  dipVaeFigure1,
  dipVaeTable2,
  contrastiveTable1,
  contrastiveTable1NonLinear,
  contrastiveTable1CelebA,
  contrastiveTable1AffectNet,
  contrastiveFigure6,
  rbVaeTable1,
  rbVaeAffectNet,
  nVaeFigures,
  nVaeFashion,
  nVaeAugmentation,
  partedVaeTable1,
  partedVaeTable2,
  partedVaeLabels,
  everyMethod,
];

export const studies: Readonly<Record<string, Study>> = Object.fromEntries(list.map((one) => [one.name, one]));

/** The study of a name. */
export function studyNamed(name: string): Study {
  if (!Object.hasOwn(studies, name)) throw unknownName('study', name, Object.keys(studies));
  return studies[name];
}
