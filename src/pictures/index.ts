/** Pictures of runs: what a trained model makes of its data, drawn. */

export { codesOf } from './codes.ts';
export { datasetSheet } from './dataset-sheet.ts';
export { type DrawnRun, type DrawRunOptions, drawRun } from './draw-run.ts';
export { type Drawn, kinds } from './kinds.ts';
export { imagesOf, type PictureOptions, type Subject, subjectOf, testItems } from './subject.ts';
export { transformationOf } from './tables.ts';
export { drawSwap, drawSynthesis, drawTransfer } from './transfer.ts';
export { drawTraversal } from './traversal.ts';
