/** The counter-based generator: every stream is (seed, purpose, step), so a resumed run draws what it would have drawn. */
export { type Mt19937, mt19937 } from './mt19937.ts';
export { philox, type Quad } from './philox.ts';
export { type Stream, stream } from './stream.ts';
