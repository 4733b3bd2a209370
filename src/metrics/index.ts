/** Every metric by name, the papers’ protocols, and `scoreAll`, which measures all that inputs allow. */
export { augmentation } from './augmentation.ts';
export { fitFactor } from './dci.ts';
export { type FactorGrid, generateCodes, gridSampler, sampleGrid } from './grid-sampler.ts';
export { klPerDimension } from './kl.ts';
export { completeRows } from './known.ts';
export {
  type Better,
  type CodeBlock,
  type CodeTable,
  defineMetric,
  type FactorTable,
  type ImageClassifier,
  type Inputs,
  type LabelledImages,
  type Metric,
  missing,
  type Need,
  type Result,
  type ResultPart,
  type Score,
  type ScoreContext,
} from './metric.ts';
export { type Protocol, protocolOf, protocols } from './protocols.ts';
export { addMetric, metrics } from './registry.ts';
export { type Sampler, tableSampler } from './sampler.ts';
export {
  checkMetric,
  type LeftOut,
  onBlock,
  parseMetricSettings,
  requestedNames,
  type ScoreRequest,
  type Scores,
  scoreAll,
} from './score-all.ts';
