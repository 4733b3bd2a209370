export { type Block, philox } from './philox.ts';
export { type Stream, stream } from './stream.ts';
