/** What the form asks for: as the server takes it, and as the same call of the command line. */
import { callOf, flagsOf } from '../../src/shell.ts';
import type { MethodFacts, RunDetail, StartRequest } from './api.ts';

/** What a person has chosen, as typed. */
export interface Choices {
  method: string;
  data: string;
  background: string;
  where: string;
  backgroundWhere: string;
  size: string;
  crop: boolean;
  grey: boolean;
  label: string;
  exclude: string;
  labels: string;
  preset: string;
  seed: string;
  name: string;
}

/** What is wrong with a number that was typed; undefined if nothing is, or if nothing was typed. */
export function wholeNumberProblem(typed: string, least: number): string | undefined {
  const text = typed.trim();
  if (text === '') return undefined;
  if (!/^-?\d+$/.test(text)) return `A whole number, please, not “${text.slice(0, 20)}”.`;
  return Number(text) < least ? `At least ${least}.` : undefined;
}

/** What keeps the choices from being a run, by the field that they stand in. */
export function choiceProblems(
  method: MethodFacts,
  { seed, size, labels, data, background, where, backgroundWhere }: Choices,
  needsBackground: boolean,
  isMixed: boolean,
): Partial<Record<keyof Choices, string>> {
  const problems = {
    seed: wholeNumberProblem(seed, 0),
    size: wholeNumberProblem(size, 1),
    labels: method.needs === 'few-labels' ? wholeNumberProblem(labels, 0) : undefined,
    data: data.trim() === '' ? 'Which data?' : undefined,
    background:
      needsBackground && !isMixed && [background, where, backgroundWhere].every((text) => text.trim() === '')
        ? `${method.title} needs a second set, without what is sought: name it here, or give a condition below.`
        : undefined,
  };
  return Object.fromEntries(Object.entries(problems).filter(([, problem]) => problem !== undefined));
}

/** Choices and settings as they were for a run, to start it again with changes. */
export function choicesOfRun({ file, method = '', data = '', background = '', seed }: RunDetail): {
  choices: Partial<Choices>;
  typed: Record<string, string>;
} {
  const text = (value: unknown) => (value === undefined || value === null ? '' : `${value}`);
  const { target, background: other, labels } = file?.data ?? {};
  const { size, crop, grey, label, exclude } = target?.options ?? {};
  const settings = { ...file?.training, ...file?.options, seed: undefined };
  return {
    choices: {
      method,
      data,
      background: background === data ? '' : background,
      where: text(target?.condition),
      backgroundWhere: text(other?.condition),
      size: text(size),
      crop: crop === true,
      grey: grey === true,
      label: text(label),
      exclude: Array.isArray(exclude) ? exclude.join(',') : '',
      labels: text(labels),
      seed: text(seed),
    },
    typed: Object.fromEntries(Object.entries(settings).map(([name, value]) => [name, text(value)])),
  };
}

/** Several seeds from the first on; one run each. */
export function seedsFrom(first: string, count: string): number[] {
  const [start, many] = [Number(first.trim() || 1), Math.max(1, Number(count.trim() || 1))];
  return Array.from({ length: many }, (_, k) => start + k);
}

const isWhole = (text: string) => text.trim() !== '' && wholeNumberProblem(text, 0) === undefined;

/** The request; what is empty, no number where one is needed, or does not concern the method is left out. */
export function startRequestOf(
  method: MethodFacts,
  choices: Choices,
  set: string[],
  needsBackground: boolean,
): StartRequest {
  const { data, background, where, backgroundWhere, labels, preset, seed, name } = choices;
  const { size, crop, grey, label, exclude } = choices;
  const isContrast = method.needs === 'target+background';
  return {
    method: method.name,
    data: data.trim(),
    background: needsBackground ? background.trim() || undefined : undefined,
    where: where.trim() || undefined,
    backgroundWhere: isContrast ? backgroundWhere.trim() || undefined : undefined,
    size: isWhole(size) ? Number(size) : undefined,
    crop: crop || undefined,
    grey: grey || undefined,
    label: label.trim() || undefined,
    exclude: exclude.trim() ? exclude.split(',').map((column) => column.trim()) : undefined,
    labels: method.needs === 'few-labels' && isWhole(labels) ? Number(labels) : undefined,
    preset: preset || undefined,
    seed: isWhole(seed) ? Number(seed) : undefined,
    set,
    name: name.trim() || undefined,
  };
}

/** The call that starts the same run in the folder of runs. */
export function commandOf({ method, set = [], seed, name, ...rest }: StartRequest, folder: string): string {
  const settings = set.flatMap((one) => ['--set', one]);
  const last = flagsOf({ seed: seed === 1 ? undefined : seed, out: name && `${folder}/${name}` });
  return callOf('train', method, ...flagsOf(rest), ...settings, ...last);
}
