/** From a request to a trained run: its settings, its data in parts, the loop, and the process that it runs in. */
export { type DataSettings, type LabelVariable, type Parted, partData, type RunData } from './data.ts';
export { type Outcome, type Progress, type TrainHooks, trainRun } from './loop.ts';
export { type MlflowLogger, type MlflowOptions, openMlflow } from './mlflow.ts';
export { openRunData } from './open-data.ts';
export {
  type NamedRequest,
  prepareRun,
  repeatRun,
  requestOf,
  settleRequest,
  settler,
  type TrainRequest,
} from './prepare.ts';
export { prepareSeeds, type SeedsHooks, type SeedsProgress, trainSeeds } from './seeds.ts';
export * from './session/index.ts';
export { trainInChild } from './start.ts';
export { type EventWriter, openEvents } from './tensorboard.ts';
