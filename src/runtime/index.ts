/** A program is a compiled graph with its state; it runs on whatever backend it is given. */
export type { Backend, OpenGraph, OpenGraphOptions, Provider, Values } from './backend.ts';
export type { Feed, Feeds } from './feeds.ts';
export {
  compile,
  NonFiniteError,
  Program,
  type ProgramOptions,
  type ProgramSpec,
  type ProgramState,
} from './program.ts';
export type { Group, Optimiser, Step } from './step.ts';
export type { ParameterSpec } from './store.ts';
export { learningRateOf } from './updates.ts';
