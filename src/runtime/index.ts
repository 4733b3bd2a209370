export type { Backend, Provider, Session, SessionOptions, Values } from './backend.ts';
export type { Feeds } from './feeds.ts';
export { nodeBackend } from './node.ts';
export {
  compile,
  NonFiniteError,
  type Program,
  type ProgramOptions,
  type ProgramSpec,
  type ProgramState,
} from './program.ts';
export type { Group, Optimiser, Step } from './step.ts';
export type { ParameterSpec } from './store.ts';
export { openTeam } from './team.ts';
export { webBackend } from './web.ts';
