/** ONNX Runtime’s native library, and a batch’s rows over worker threads. */

export * from '../index.ts';
export { nodeBackend } from './backend.ts';
export { openTeam } from './team.ts';
