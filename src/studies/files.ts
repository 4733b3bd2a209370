/** Which of a study's datasets are not here: a study of faces is data like any other, and runs as soon as its files are there. */
import { builtIn, isHere } from '../data/index.ts';
import type { Budget, Study } from './study.ts';

export interface StudyFiles {
  /** Built-in sets whose files are not in the data folder. */
  lacking: string[];
  /** Whether no row at all can be run. */
  none: boolean;
}

/** @example studyFiles(studies['dip-vae-table-2']) // { lacking: ['celeba'], none: true } */
export function studyFiles(study: Study, options: { budget?: Budget; dataDir?: string } = {}): StudyFiles {
  const { budget = 'quick', dataDir } = options;
  const { data, arms: names } = study.budgets[budget];
  const arms = study.arms.filter(({ name }) => names === undefined || names.includes(name));
  const sets = arms.map((arm) => (arm.data ?? data ?? study.data).split(':')[0]);
  const lacking = new Set(sets.filter((name) => Object.hasOwn(builtIn, name) && !isHere(builtIn[name], dataDir)));
  return { lacking: [...lacking], none: sets.every((name) => lacking.has(name)) };
}
