/** The data room: datasets by name or path, conditions, target and background, and the array formats. */

export type { BuiltIn, OpenOptions, Progress } from './built-in.ts';
export { dataFolder } from './cache.ts';
export { type Choice, chooseData } from './choose.ts';
export { select } from './condition.ts';
export { type Contrast, contrastBetween, contrastWithin } from './contrast.ts';
export {
  type Dataset,
  type Factor,
  type Factors,
  type ImageShape,
  type ItemShape,
  itemSize,
  type Labels,
  type Opened,
  type TableShape,
  type ValueRange,
} from './dataset.ts';
export { openImageFolder } from './image-folder.ts';
export { importData } from './import.ts';
export { type NpyArray, readNpy, writeNpy } from './npy.ts';
export { type Npz, openNpz, writeNpz } from './npz.ts';
export { type DataOptions, dataNames, openData, settledSpec } from './open.ts';
export { builtIn } from './registry.ts';
export { heldOut, type Split, splitIndices, splitOf, subset, takeLabels, takenFactors, takenLabels } from './split.ts';
export { openTable, type TableDataset, type TableOptions } from './table.ts';
export { openTableContrast } from './table-contrast.ts';
export { decodeRows, encodeRows, type Transformation } from './transformation.ts';
