export { type Assembled, type AssembleOptions, assemble } from './assemble.ts';
export { type DataSettings, itemOf, type LabelVariable, type Parted, partData, type RunData } from './data.ts';
export { type Outcome, type Progress, type TrainHooks, trainRun } from './loop.ts';
export { openRunData } from './open-data.ts';
export * from './optimisers.ts';
export { prepareRun, repeatRun, type TrainRequest } from './prepare.ts';
export { Session, type SessionOptions } from './session.ts';
export { readSettings, resolveSettings, schemaOf, type TrainingValues, trainingOptions } from './settings.ts';
export { trainInChild } from './start.ts';
