/** The figures of PartedVAE: MNIST (4, 5), CelebA (6, 7, 8, 10) and dSprites (9). */
import { mnistArm, mnistBudgets, partedVaePaper, spriteBudgets, sprites, withLabels } from './parted-vae.ts';
import type { Arm, Departure, Study, StudyFigure } from './study.ts';

const at = (where: string) => ({ cite: partedVaePaper, where });
const reconstruction: Study['columns'] = [
  { name: 'reconstruction', metric: 'reconstruction', digits: 4, better: 'lower' },
];
const accuracy: Study['columns'] = [
  { name: 'accuracy', metric: 'class-accuracy', factor: 100, digits: 2, better: 'higher' },
];

const digits = {
  data: 'mnist:size=32',
  columns: [...accuracy, ...reconstruction],
  arms: [mnistArm],
  claims: [],
  budgets: mnistBudgets,
} as const;

export const partedVaeFigure4: Study = {
  ...digits,
  name: 'parted-vae-figure-4',
  title: 'PartedVAE, Figure 4: factors of digits',
  paper: at('Fig. 4'),
  question: 'Which factors belong to a digit, and which to all?',
  figures: [
    { title: 'Class-related factors', arm: 'PartedVAE', kind: 'classes' },
    { title: 'Class-independent factors', arm: 'PartedVAE', kind: 'traversal', options: { blocks: ['shared'] } },
  ],
};

export const partedVaeFigure5: Study = {
  ...digits,
  name: 'parted-vae-figure-5',
  title: 'PartedVAE, Figure 5: attributes of one digit on another',
  paper: at('Fig. 5'),
  question: 'Does a digit stay what it is when it takes slant and stroke from another?',
  figures: [{ title: 'Attribute transfer', arm: 'PartedVAE', kind: 'transfer' }],
};

/** Of the authors' eight variables those that CelebA's own list has, with the authors' priors: absent, present. */
const known: readonly [string, number, number][] = [
  ['Bangs', 0.85, 0.15],
  ['Eyeglasses', 0.93, 0.07],
  ['Smiling', 0.47, 0.53],
  ['Wearing_Hat', 0.95, 0.05],
  ['Male', 0.57, 0.43],
];

function facesArm(name: string, set: readonly string[] = []): Arm {
  return {
    name,
    method: 'parted-vae',
    preset: 'celeba',
    set: [`classPrior=${known.flatMap(([, absent, present]) => [absent, present]).join(',')}`, ...set],
    labels: { labels: 800, labelFactors: known.map(([attribute]) => attribute) },
  };
}

const withTerm = facesArm('PartedVAE');
const withoutTerm = facesArm('without the Bhattacharyya term', ['gammaBc=0']);

const theirLabels: Departure[] = [
  {
    of: 'labels',
    says: 'The authors’ labels of 800 faces (hair colour, beard, skin tone and others) are not published: five attributes of CelebA’s own list stand in, with the authors’ priors.',
  },
  { of: 'items', says: 'Trained on the official training part, where its file is there.' },
];

const faceBudgets: Study['budgets'] = {
  quick: {
    seeds: [1],
    data: 'celeba',
    set: ['steps=10', 'batchSize=16', 'network=auto'],
    labels: 16,
    departures: ['10 steps on small pictures: proves the way.'],
  },
  standard: {
    seeds: [1],
    data: 'celeba',
    set: ['network=auto', 'steps=20000', 'capacityZ=linear(0,30,20000)', 'capacityU=linear(0,15,20000)'],
    departures: [
      '64×64 pixels, the network for any image, 20,000 steps with the same ends of the capacities.',
      ...theirLabels,
    ],
  },
  paper: { seeds: [1], set: ['epochs=80', 'validation=0'], departures: theirLabels },
};

const faces = {
  data: 'celeba:part=full-size',
  columns: reconstruction,
  claims: [],
  budgets: faceBudgets,
} as const;

const ofU: StudyFigure['options'] = { blocks: ['class-related'], dimensions: known.length };

export const partedVaeFigure6: Study = {
  ...faces,
  name: 'parted-vae-figure-6',
  title: 'PartedVAE, Figure 6: factors of faces',
  paper: at('Fig. 6'),
  question: 'Which factors of a face belong to its attributes, and which to none?',
  arms: [withTerm],
  figures: [
    { title: 'z (Fig. 6a)', arm: 'PartedVAE', kind: 'traversal', options: { blocks: ['shared'] } },
    { title: 'u (Fig. 6b)', arm: 'PartedVAE', kind: 'traversal', options: ofU },
  ],
};

export const partedVaeFigure7: Study = {
  ...faces,
  name: 'parted-vae-figure-7',
  title: 'PartedVAE, Figure 7: learned priors of attributes, with faces along them',
  paper: at('Fig. 7'),
  question: 'Is each class of an attribute a mode of its prior?',
  arms: [withTerm],
  figures: [{ title: 'Learned priors', arm: 'PartedVAE', kind: 'prior', options: { dimensions: known.length } }],
};

export const partedVaeFigure8: Study = {
  ...faces,
  name: 'parted-vae-figure-8',
  title: 'PartedVAE, Figure 8: u without the Bhattacharyya term',
  paper: at('Fig. 8'),
  question: 'What do class-related dimensions capture where priors may overlap?',
  arms: [withoutTerm],
  figures: [{ title: 'u', arm: withoutTerm.name, kind: 'traversal', options: ofU }],
};

export const partedVaeFigure9: Study = {
  ...sprites,
  name: 'parted-vae-figure-9',
  title: 'PartedVAE, Figure 9: class-independent factors of dSprites',
  paper: at('Fig. 9'),
  question: 'With 10,000 labels of the shape, are scale, angle and place dimensions of z?',
  columns: [...accuracy, ...reconstruction],
  arms: [{ ...withLabels(10_000, 0, 0), theirs: {} }],
  claims: [],
  figures: [{ title: 'z', arm: '10000 labels', kind: 'traversal', options: { blocks: ['shared'] } }],
  budgets: {
    ...spriteBudgets,
    paper: {
      ...spriteBudgets.paper,
      seeds: [1],
      departures: [
        ...spriteBudgets.paper.departures,
        { of: 'labels', says: 'Labelled items are drawn from every shape in proportion.' },
      ],
    },
  },
};

export const partedVaeFigure10: Study = {
  ...faces,
  name: 'parted-vae-figure-10',
  title: 'PartedVAE, Figure 10: learned priors with and without the Bhattacharyya term',
  paper: at('Fig. 10'),
  question: 'Do priors of classes lie on each other without the term?',
  arms: [withTerm, withoutTerm],
  figures: [withTerm, withoutTerm].map(({ name }) => ({
    title: name,
    arm: name,
    kind: 'prior',
    options: { dimensions: known.length },
  })),
};
