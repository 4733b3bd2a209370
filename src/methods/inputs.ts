/** The rows that a trainer feeds, by the names that it knows them by. */
import { covariatesInput, covariatesSize, tensorShape } from '../model/index.ts';
import type { Build } from '../nn/index.ts';
import { oneHot, slice, type Tensor } from '../tensor/index.ts';
import type { Context } from './method.ts';

/** The names of what a trainer feeds of its data. */
export const dataNames = {
  items: 'x',
  classes: 'y',
  background: 'background',
  labelledItems: 'labelled x',
  labelledClasses: 'labelled y',
  given: covariatesInput,
  backgroundGiven: 'background given',
} as const;

/** The items of the batch: of the data, or of the target where there is a background. */
export function items(b: Build, { item }: Context): Tensor {
  return b.rows(dataNames.items, tensorShape(item));
}

/** The items of the background's batch. */
export function backgroundItems(b: Build, { item }: Context): Tensor {
  return b.rows(dataNames.background, tensorShape(item));
}

/** The covariates of the batch's items; undefined where there are none. */
export function covariatesOf(
  b: Build,
  { covariates = [] }: Context,
  name: typeof dataNames.given | typeof dataNames.backgroundGiven = dataNames.given,
): Tensor | undefined {
  return covariates.length === 0 ? undefined : b.rows(name, [covariatesSize(covariates)]);
}

/** The class of each item of the batch, as a one-hot row for each variable. */
export function classes(b: Build, { variables }: Context): Tensor[] {
  return oneHots(b.rows(dataNames.classes, [variables.length], 'int64'), variables);
}

/** A batch of items whose classes are known: what few-label methods are shown beside the data. */
export function labelledItems(b: Build, { item, variables }: Context): { x: Tensor; y: Tensor[] } {
  const y = b.rows(dataNames.labelledClasses, [variables.length], 'int64');
  return { x: b.rows(dataNames.labelledItems, tensorShape(item)), y: oneHots(y, variables) };
}

function oneHots(y: Tensor, variables: Context['variables']): Tensor[] {
  return variables.map(({ classes: names }, v) => oneHot(slice(y, 1, v, v + 1).reshape([y.shape[0]]), names.length));
}
