/** Datasets by name or path, conditions, target and background, and the file formats. */

export { dataFolder } from './cache.ts';
export { type Choice, chooseData } from './choose.ts';
export { select } from './conditions/condition.ts';
export { type Contrast, contrastBetween, contrastWithin, sharedItems } from './conditions/contrast.ts';
export type { Dataset, Opened } from './dataset.ts';
export { fieldsOf, subsetWithFields } from './fields.ts';
export { arrayTable, isArrayFile, readArrayFile } from './formats/array-table.ts';
export { csvLine, writeCsv } from './formats/csv.ts';
export { decodeImage, pictureEndings } from './formats/image-file.ts';
export { type NpyArray, readNpy, writeNpy } from './formats/npy.ts';
export { type Npz, openNpz, writeNpz } from './formats/npz.ts';
export type { NumberArray } from './formats/numbers.ts';
export { frame } from './images/framing.ts';
export { type ImageFolder, openImageFolder, picturesIn } from './images/image-folder.ts';
export { readLabelsFile } from './images/labels-file.ts';
export { greyImage, resizeImage } from './images/resize.ts';
export { type DataOptions, dataNames, openData, settledSpec } from './open.ts';
export type { BuiltIn, OpenOptions, Progress } from './sets/built-in.ts';
export { isHere } from './sets/built-in.ts';
export { importData } from './sets/import.ts';
export { builtIn } from './sets/registry.ts';
export { heldOut, type Split, splitIndices, splitOf, subset, takeLabels, takenFactors, takenLabels } from './split.ts';
export type { Column, Table } from './tables/columns.ts';
export { readTable, tableEndings } from './tables/read-table.ts';
export { openTable, type TableDataset, type TableOptions, tableDataset } from './tables/table.ts';
export { openTableContrast } from './tables/table-contrast.ts';
export { allRows, decodeRows, encodeRows, type Transformation, transformationSchema } from './tables/transformation.ts';
