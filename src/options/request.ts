/** What a run is asked for in, wherever that is said: by flags, in a config file, in the studio's form. */
import { defined } from '../defined.ts';
import { boolean, choice, integer, list, number, type OptionValues, text } from './options.ts';

/** Which data is meant beside its name, and how it is read. */
export const dataOptions = {
  background: text('the set that the target is compared with', { title: 'data' }),
  where: text('only items for which this holds: the target, if there is a background', { title: 'condition' }),
  backgroundWhere: text('items for which this holds are the background', { title: 'condition' }),
  size: integer('resize images to this side', { min: 1, max: 4096 }),
  crop: boolean('cut images to squares before they are resized'),
  grey: boolean('turn colour into grey'),
  label: text('the column of a table that holds the classes', { title: 'column' }),
  exclude: list('columns of a table that the model is not to see', { of: 'text' }),
  counts: list('columns of a table that hold counts; “all” for every column of numbers', { of: 'text' }),
  layer: text('the layer of an .h5ad file that takes the place of X', { title: 'name' }),
  group: text('the column that says which items belong together, such as repeats of a subject', { title: 'column' }),
  within: text('the column within whose values alone items are exchanged in tests, such as a batch', {
    title: 'column',
  }),
  given: list('columns that the model is told of each item, so that it does not look for them', { of: 'text' }),
  skipBad: boolean('go on without images that do not open'),
  dataDir: text('where data files lie (otherwise UNTANGLE_DATA, or the user cache)', { title: 'folder' }),
};

/** Which labels a method may see. */
export const labelOptions = {
  labels: integer('how many labels a few-label method may see', { min: 0 }),
  labelsFrom: choice('which ones', ['stratified', 'first']),
  labelFactors: list('discrete factors that take the place of the labels', { of: 'text' }),
};

/** All that a run is asked for in, beside the options of its method and its training. */
export const requestOptions = {
  method: text('the method that is trained', { title: 'name' }),
  data: text('a dataset’s name, or the path of a folder, table or array file', { title: 'data' }),
  ...dataOptions,
  ...labelOptions,
  preset: text('a paper’s settings for a dataset, or those that a search found; see “untangle methods NAME”', {
    title: 'name',
  }),
  seed: integer('decides every random draw (otherwise 1)', { min: 0 }),
  workers: integer('workers that share a batch (otherwise one for each core)', { min: 1 }),
  threads: integer('threads inside each worker', { min: 1 }),
};

/** All that a call of `train` says beside `--set`: also how long, where to, and who watches. */
export const trainOptions = {
  ...requestOptions,
  steps: integer('training steps', { min: 1 }),
  epochs: number('passes over the data, in place of steps', { above: 0, schedulable: false }),
  out: text('the new run’s folder (otherwise a new one in runs/)', { title: 'folder' }),
  tensorboard: boolean('write event files for TensorBoard into the run'),
  mlflow: text('log to an MLflow server', { title: 'url' }),
};

export type DataValues = Partial<OptionValues<typeof dataOptions>>;
export type LabelValues = Partial<OptionValues<typeof labelOptions>>;
export type RequestValues = Partial<OptionValues<typeof requestOptions>>;

/** The choice of data that was said; what is said to be false is the same as what is not said. */
export function choiceOf({ crop, grey, skipBad, ...rest }: DataValues) {
  return defined({ ...rest, crop: crop || undefined, grey: grey || undefined, skipBad: skipBad || undefined });
}
