/** A trained model at work: its data, its codes, its measures, its export. */

export { readInputs } from './arrays.ts';
export { type Augmented, type AugmentOptions, augment, augmentToFiles } from './augment.ts';
export { type Answer, answerAt, type Classified, classify, writeClasses } from './classify.ts';
export { type Decoded, type DecodeOptions, decode, decodeToFiles } from './decode.ts';
export { type Encoded, type EncodedItems, encode, encodeToFile } from './encode.ts';
export { encodeToH5ad } from './encode-h5ad.ts';
export { asCodes, encodeItems } from './encode-items.ts';
export { type DataPart, type EvaluateOptions, evaluate, type Measured } from './evaluate.ts';
export { type ExplainedDimension, explain } from './explain.ts';
export { cardOf, type Exported, exportRun } from './export.ts';
export { type HubOptions, type Pulled, type Pushed, pull, push } from './hub.ts';
export { type Finding, lookBack } from './look-back.ts';
export { type ChosenItems, type DataRequest, dataForModel, type Part } from './model-data.ts';
export { blocksOf, type Classes, classesWith, classNames, priorCentre, sampleCodes } from './prior-samples.ts';
export { type ScoreOptions, score } from './score.ts';
export { sharedFiles } from './shared-files.ts';
export { type BlockCodes, TrainedModel, withModel } from './trained-model.ts';
export { getModel, listZoo, type ZooModel } from './zoo.ts';
