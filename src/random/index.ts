export { type Mt19937, mt19937 } from './mt19937.ts';
export { type Block, philox } from './philox.ts';
export { type Stream, stream } from './stream.ts';
