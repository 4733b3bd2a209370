/** The figures of Rb-VAE (Ruiz et al. 2019); its appendix shows Figure 3 and 4 again with more items (7 and 8). */
import { affectNetBudgets, affectNetSettings, rbVaeArms, rbVaePaper, styledBudgets, styledSettings } from './rb-vae.ts';
import type { Study, StudyFigure } from './study.ts';

interface Figure {
  number: string;
  what: string;
  where: string;
  question: string;
  arms?: Study['arms'];
  kind: string;
  options?: StudyFigure['options'];
}

const shared = {
  part: 'held-out',
  columns: [{ name: 'reconstruction', metric: 'reconstruction', digits: 4, better: 'lower' }],
  claims: [],
} as const;

const figuresOf = ({ kind, options = {}, arms = rbVaeArms }: Figure): StudyFigure[] =>
  arms.map(({ name }) => ({ title: name, arm: name, kind, options }));

function onDigits(figure: Figure): Study {
  return {
    ...shared,
    name: `rb-vae-figure-${figure.number}`,
    title: `Rb-VAE, Figure ${figure.number}: ${figure.what} on styled MNIST`,
    paper: { cite: rbVaePaper, where: figure.where },
    question: figure.question,
    data: 'styled-mnist',
    set: styledSettings,
    arms: figure.arms ?? rbVaeArms,
    figures: figuresOf(figure),
    budgets: styledBudgets,
  };
}

function onFaces(figure: Figure): Study {
  return {
    ...shared,
    name: `rb-vae-figure-${figure.number}`,
    title: `Rb-VAE, Figure ${figure.number.replace('-affectnet', '')}: ${figure.what} on AffectNet`,
    paper: { cite: rbVaePaper, where: figure.where },
    question: figure.question,
    data: 'affectnet:range=symmetric',
    set: affectNetSettings,
    arms: figure.arms ?? rbVaeArms,
    figures: figuresOf(figure),
    budgets: affectNetBudgets,
  };
}

const synthesis = { what: 'new target factors', where: 'Fig. 3 and 7', kind: 'synthesis' };
const transfer = { what: 'target factors of one image on another', where: 'Fig. 4 and 8', kind: 'transfer' };

export const rbVaeFigure3: Study = onDigits({
  ...synthesis,
  number: '3',
  question: 'Does a plain digit keep what it is under random styles?',
});
export const rbVaeFigure3AffectNet: Study = onFaces({
  ...synthesis,
  number: '3-affectnet',
  question: 'Does a face keep who it is under random expressions?',
});
export const rbVaeFigure4: Study = onDigits({
  ...transfer,
  number: '4',
  question: 'Does a digit take the colour, the width and the scale of another?',
});
export const rbVaeFigure4AffectNet: Study = onFaces({
  ...transfer,
  number: '4-affectnet',
  question: 'Does a face take the expression of another?',
});
export const rbVaeFigure9: Study = onFaces({
  number: '9',
  what: 'images from random e and z',
  where: 'Fig. 9',
  question: 'Is an expression the same on different faces?',
  arms: rbVaeArms.filter(({ name }) => name === 'sRb-VAE'),
  kind: 'samples',
});
