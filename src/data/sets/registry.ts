/** The sets that go by a name. A new one is a file that exports its `BuiltIn`, and a line here. */
import { enrol } from '../../enrol.ts';
import { UntangleError } from '../../errors.ts';
import { affectnet } from './affectnet.ts';
import type { BuiltIn } from './built-in.ts';
import { celeba } from './celeba.ts';
import { chairs } from './chairs.ts';
import { dsprites, dspritesSmall } from './dsprites.ts';
import { grassyMnist, grassyMnistNonlinear } from './grassy.ts';
import { emnist, fashionMnist, kmnist } from './idx-sets.ts';
import { medmnist } from './medmnist.ts';
import { mnist } from './mnist.ts';
import { shapes, shapesContrast } from './shapes.ts';
import { shapes3d } from './shapes3d.ts';
import { styledMnist } from './styled.ts';
import { yaleB } from './yale-b.ts';

export const builtIn: Record<string, BuiltIn> = {
  mnist,
  dsprites,
  'dsprites-small': dspritesSmall,
  'grassy-mnist': grassyMnist,
  'grassy-mnist-nonlinear': grassyMnistNonlinear,
  'styled-mnist': styledMnist,
  shapes,
  'shapes-contrast': shapesContrast,
  'fashion-mnist': fashionMnist,
  kmnist,
  emnist,
  celeba,
  affectnet,
  chairs,
  'yale-b': yaleB,
  '3dshapes': shapes3d,
  pathmnist: medmnist('pathmnist'),
  chestmnist: medmnist('chestmnist'),
  dermamnist: medmnist('dermamnist'),
  octmnist: medmnist('octmnist'),
  pneumoniamnist: medmnist('pneumoniamnist'),
  retinamnist: medmnist('retinamnist'),
  breastmnist: medmnist('breastmnist'),
  bloodmnist: medmnist('bloodmnist'),
  tissuemnist: medmnist('tissuemnist'),
  organamnist: medmnist('organamnist'),
  organcmnist: medmnist('organcmnist'),
  organsmnist: medmnist('organsmnist'),
};

/** Gives a set of one’s own its name while the program runs. @example addDataset('stripes', stripes) */
export function addDataset(name: string, set: BuiltIn): void {
  if (typeof set?.open !== 'function' || typeof set.title !== 'string')
    throw new UntangleError('A dataset has a title and a function “open”; this is none.', {
      kind: 'call',
      hint: 'docs/adding-a-dataset.md shows one.',
    });
  enrol(builtIn, 'dataset', name, set);
}
