/** All studies by name, each as its table or figure is called. A new one is data in a file, and a line here. */
import { unknownName } from '../errors.ts';
import { contrastiveTable1, contrastiveTable1NonLinear } from './contrastive.ts';
import { contrastiveTable1AffectNet, contrastiveTable1CelebA, contrastiveTable2 } from './contrastive-faces.ts';
import {
  contrastiveFigure4,
  contrastiveFigure5,
  contrastiveFigure6,
  contrastiveFigure7,
  contrastiveFigure8,
  contrastiveFigure9,
  contrastiveFigure10,
} from './contrastive-figures.ts';
import { everyMethod } from './cross-family.ts';
import { dipVaeFigure1, dipVaeFigure3, dipVaeFigure4, dipVaeTable1 } from './dip-vae.ts';
import { dipVaeFigure2, dipVaeFigure5, dipVaeFigure6, dipVaeTable1CelebA, dipVaeTable2 } from './dip-vae-celeba.ts';
import { nVaeFigures } from './n-vae.ts';
import { nVaeFigure9, nVaeFigure9Fashion } from './n-vae-augmentation.ts';
import { partedVaeLabels, partedVaeTable1, partedVaeTable2 } from './parted-vae.ts';
import {
  partedVaeFigure4,
  partedVaeFigure5,
  partedVaeFigure6,
  partedVaeFigure7,
  partedVaeFigure8,
  partedVaeFigure9,
  partedVaeFigure10,
} from './parted-vae-figures.ts';
import { rbVaeAffectNet, rbVaeTable1 } from './rb-vae.ts';
import {
  rbVaeFigure3,
  rbVaeFigure3AffectNet,
  rbVaeFigure4,
  rbVaeFigure4AffectNet,
  rbVaeFigure9,
} from './rb-vae-figures.ts';
import type { Study } from './study.ts';

const list: readonly Study[] = [
  dipVaeTable1,
  dipVaeTable1CelebA,
  dipVaeTable2,
  dipVaeFigure1,
  dipVaeFigure2,
  dipVaeFigure3,
  dipVaeFigure4,
  dipVaeFigure5,
  dipVaeFigure6,
  contrastiveTable1,
  contrastiveTable1NonLinear,
  contrastiveTable1CelebA,
  contrastiveTable1AffectNet,
  contrastiveTable2,
  contrastiveFigure4,
  contrastiveFigure5,
  contrastiveFigure6,
  contrastiveFigure7,
  contrastiveFigure8,
  contrastiveFigure9,
  contrastiveFigure10,
  rbVaeTable1,
  rbVaeAffectNet,
  rbVaeFigure3,
  rbVaeFigure3AffectNet,
  rbVaeFigure4,
  rbVaeFigure4AffectNet,
  rbVaeFigure9,
  ...nVaeFigures,
  nVaeFigure9,
  nVaeFigure9Fashion,
  partedVaeTable1,
  partedVaeTable2,
  partedVaeLabels,
  partedVaeFigure4,
  partedVaeFigure5,
  partedVaeFigure6,
  partedVaeFigure7,
  partedVaeFigure8,
  partedVaeFigure9,
  partedVaeFigure10,
  everyMethod,
];

export const studies: Readonly<Record<string, Study>> = Object.fromEntries(list.map((one) => [one.name, one]));

/** The study of a name. */
export function studyNamed(name: string): Study {
  if (!Object.hasOwn(studies, name)) throw unknownName('study', name, Object.keys(studies));
  return studies[name];
}
