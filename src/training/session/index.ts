/** A training in memory: a method assembled on its data and stepped. Touches no file, so a page trains by it too. */

export { type Assembled, type AssembleOptions, assemble } from './assemble.ts';
export { describeBlocks, klOf } from './blocks.ts';
export type { SessionData } from './feeder.ts';
export { type AdamOptions, adam, adamW, optimisers, rmsprop, sgd } from './optimisers.ts';
export { Session, type SessionOptions } from './session.ts';
export { readSettings, resolveSettings, schemaOf, type TrainingValues, trainingOptions } from './settings.ts';
