/** Pictures of runs: what a trained model makes of its data, drawn. */

export { type Classes, codesOf } from './codes.ts';
export { type Drawn, kinds } from './kinds.ts';
export { classesWith, sampleCodes } from './samples.ts';
export { heldOut, imagesOf, type PictureOptions, type Subject, subjectOf } from './subject.ts';
export { drawSynthesis } from './synthesis.ts';
export { drawSwap, drawTransfer } from './transfer.ts';
export { drawTraversal, drawTraversalFrames } from './traversal.ts';
