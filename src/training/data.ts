/**
 * The data of a run, parted: what is trained on, what is watched, what is tested on, and which labels may be seen. Decided by
 * the run's settings alone, so that training, resuming and evaluating see the same items.
 */
import { type Dataset, type Opened, type Split, splitOf, tableTransformation, takeLabels } from '../data/index.ts';
import { defined } from '../defined.ts';
import { UntangleError, unknownName } from '../errors.ts';
import type { Context, Method } from '../methods/index.ts';
import type { LabelValues } from '../options/index.ts';

/** A variable that labels tell: its classes by name, and the class of every item. */
export interface LabelVariable {
  name: string;
  classes: readonly string[];
  values: Uint16Array;
}

/** A dataset with its parts. */
export interface Parted {
  data: Dataset;
  split: Split;
}

export interface RunData {
  target: Parted;
  background?: Parted;
  variables: readonly LabelVariable[];
  /** Items of the target whose labels a few-label method may see. */
  labelled: Uint32Array;
  context: Context;
}

export interface DataSettings extends LabelValues {
  seed: number;
  validation: number;
}

/** Parts what was opened, as a method needs it. */
export function partData(opened: Opened, method: Method, settings: DataSettings): RunData {
  const { data, background } = chosen(opened, method);
  if (data.given && method.needs !== 'target+background')
    throw new UntangleError(`${method.title} is told nothing beside the items: it takes no covariates.`, {
      kind: 'call',
      hint: 'Leave --given away, or --exclude those columns; methods with a background take them.',
    });
  const whole = parted(data, settings);
  const wantsLabels = method.needs === 'labels' || method.needs === 'few-labels';
  const variables = wantsLabels ? labelVariables(data, method, settings.labelFactors) : [];
  const labelled = wantsLabels ? labelledItems(data, method, whole.split, variables, settings) : new Uint32Array(0);
  // A method that learns from labels alone sees labelled items alone.
  const target = method.needs === 'labels' ? { data, split: { ...whole.split, train: labelled } } : whole;
  return {
    target,
    background: background && parted(background, settings),
    variables,
    labelled,
    context: {
      item: data.shape,
      range: data.range,
      items: target.split.train.length,
      variables: variables.map(({ name, classes }) => ({ name, classes })),
      labelled: labelled.length,
      ...(data.given && { covariates: data.given.covariates }),
      ...defined({ counts: countsOf(data) }),
    },
  };
}

function chosen(opened: Opened, method: Method): { data: Dataset; background?: Dataset } {
  if (method.needs === 'target+background') {
    if (opened.kind === 'contrast') return { data: opened.target, background: opened.background };
    throw new UntangleError(`${method.title} compares a target with a background; ${opened.data.name} is one set.`, {
      kind: 'call',
      hint: 'Name the other set with --background, or say which items it is with --background-where.',
    });
  }
  // Other methods learn from the target alone, as the papers' baselines do.
  return { data: opened.kind === 'single' ? opened.data : opened.target };
}

function parted(data: Dataset, { seed, validation }: DataSettings): Parted {
  const split = splitOf(data, { seed, validation });
  if (split.train.length > 0) return { data, split };
  throw new UntangleError(`${data.name} has ${data.length} items: none is left to train on.`, { kind: 'call' });
}

/** Which numbers of a table's rows are counts, with the mean and deviation that they were standardised by. */
function countsOf(data: Dataset): Context['counts'] {
  const numbers = (tableTransformation(data)?.columns ?? []).flatMap((column) =>
    column.kind === 'number'
      ? [{ is: column.counts === true, mean: column.mean, deviation: column.deviation }]
      : column.categories.map(() => ({ is: false, mean: 0, deviation: 1 })),
  );
  if (!numbers.some(({ is }) => is)) return undefined;
  return {
    is: numbers.map(({ is }) => is),
    mean: numbers.map(({ mean }) => mean),
    deviation: numbers.map(({ deviation }) => deviation),
  };
}

function labelVariables(data: Dataset, method: Method, names?: readonly string[]): LabelVariable[] {
  if (names !== undefined) return names.map((name) => factorVariable(data, name));
  if (data.labels) return [{ name: 'class', classes: data.labels.names, values: data.labels.values }];
  if (method.needs === 'few-labels') return [];
  throw new UntangleError(`${method.title} needs labels; ${data.name} has none.`, {
    kind: 'call',
    hint: 'For tables and folders, --label names the column or file with the classes.',
  });
}

function factorVariable({ name: dataName, factors, length }: Dataset, name: string): LabelVariable {
  const discrete = (factors?.factors ?? []).filter(({ kind }) => kind === 'discrete');
  const factor = discrete.find((one) => one.name === name);
  if (!factors || !factor)
    throw unknownName(
      `discrete factor of ${dataName}`,
      name,
      discrete.map((one) => one.name),
    );
  const column = factors.factors.indexOf(factor);
  const width = factors.factors.length;
  const lacking = Array.from({ length }, (_, i) => i).filter((i) => Number.isNaN(factors.values[i * width + column]));
  if (lacking.length > 0)
    throw new UntangleError(`“${name}” is missing for ${lacking.length} of ${length} items, so it can’t be a label.`, {
      kind: 'call',
      hint: `Leave those items out with a condition, or choose “${name}” with --label, which makes “missing” a class.`,
    });
  return {
    name,
    classes: Array.from({ length: factor.size }, (_, value) => `${name} ${value}`),
    values: Uint16Array.from({ length }, (_, i) => factors.values[i * width + column]),
  };
}

function labelledItems(
  data: Dataset,
  method: Method,
  { train }: Split,
  variables: readonly LabelVariable[],
  { labels, labelsFrom = 'stratified', seed }: DataSettings,
): Uint32Array {
  if (variables.length === 0) {
    if (labels) throw new UntangleError(`${data.name} has no labels to take ${labels} of.`, { kind: 'call' });
    return new Uint32Array(0);
  }
  if (labels === undefined) return method.needs === 'labels' ? train : new Uint32Array(0);
  if (labels === 0 && method.needs === 'few-labels') return new Uint32Array(0);
  const [{ classes, values }] = variables;
  return takeLabels({ names: [...classes], values }, labels, { how: labelsFrom, seed, among: train });
}
