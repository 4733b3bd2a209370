/** The metrics room: every metric by name, the papers' presets, and `scoreAll`, which measures all that inputs allow. */
export { fitFactor } from './dci.ts';
export { type Grid, generateCodes, gridSampler, sampleGrid } from './grid-sampler.ts';
export type {
  Better,
  CodeBlock,
  Codes,
  Context,
  FactorTable,
  ImageClassifier,
  Inputs,
  LabelledImages,
  Metric,
  Need,
  Part,
  Result,
  Score,
} from './metric.ts';
export { defineMetric, missing } from './metric.ts';
export { type Protocol, protocolOf, protocols } from './protocols.ts';
export { metrics } from './registry.ts';
export { type Sampler, tableSampler } from './sampler.ts';
export { type LeftOut, requestedNames, type ScoreRequest, type Scores, scoreAll } from './score-all.ts';
