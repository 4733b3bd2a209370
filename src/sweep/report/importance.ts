/** Which setting decides an objective: a forest learns it from the settings, and each setting is shuffled in turn. */
import { fitForest } from '../../analysis/index.ts';
import type { Value } from '../search/space.ts';
import type { Summary } from './summary.ts';

export interface Importance {
  objective: string;
  /** The step of the results that it is learned from, and how many configurations those are. */
  step: number;
  configurations: number;
  /** The share of the variance that the forest explains of configurations that it has not seen. */
  explained: number;
  /** By setting, the largest first: the growth of the squared error over the variance. */
  settings: { name: string; importance: number }[];
}

/** With fewer configurations a forest tells chance from effect no better than the eye. */
const fewest = 8;

/** For every objective; empty where there are too few configurations, or only one setting was tried. */
export function importances({ rows, objectives }: Summary): Importance[] {
  const names = [...new Set(rows.flatMap(({ point }) => Object.keys(point)))].filter(
    (name) => new Set(rows.map(({ point }) => point[name])).size > 1,
  );
  // Configurations are only comparable at one step: the latest that enough have come to or passed.
  const steps = [...new Set(rows.map(({ step }) => step))].filter((step) => step > 0).sort((a, b) => b - a);
  const step = steps.find((one) => rows.filter((row) => row.step === one).length >= fewest);
  if (step === undefined || names.length < 2) return [];
  const here = rows.filter((row) => row.step === step);
  const columns = names.map((name) => asNumbers(here.map(({ point }) => point[name])));
  const x = Float64Array.from(
    { length: here.length * names.length },
    (_, at) => columns[at % names.length][Math.floor(at / names.length)],
  );
  return objectives.map(({ name: objective }) => {
    const y = here.map(({ values }) => values[objective].mean);
    const { importance, explained } = fitForest(x, y, here.length, names.length);
    return {
      objective,
      step,
      configurations: here.length,
      explained,
      settings: names
        .map((name, j) => ({ name, importance: importance[j] }))
        .sort((a, b) => b.importance - a.importance),
    };
  });
}

/** Numbers as they are; names by their place among those that were tried, which is all that a tree needs. */
function asNumbers(values: readonly Value[]): number[] {
  const numbers = values.filter((value) => typeof value === 'number');
  if (numbers.length === values.length) return numbers;
  const known = [...new Set(values.map(String))].sort();
  return values.map((value) => known.indexOf(String(value)));
}
