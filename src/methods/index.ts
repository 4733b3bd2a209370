/** Every method by name, and what a method is made of. */
export {
  type AutoencoderSettings,
  autoencoderOptions,
  decoderOutput,
  features,
  gaussianHead,
  reconstructionOf,
} from './autoencoder.ts';
export { covariateOptions } from './contrastive/family.ts';
export type { FamilyMethod, Objective } from './family.ts';
export { backgroundItems, classes, dataNames, items, labelledItems } from './inputs.ts';
export {
  type Adversary,
  type Context,
  type GroupOptimiser,
  type LearnedPrior,
  type Method,
  type Model,
  method,
  type Needs,
  type ParameterGroup,
  type Posterior,
  type Preset,
  type Settings,
  type TrainingStep,
} from './method.ts';
export { frozen, parametersOutside, parametersUnder, trainingStep } from './parameters.ts';
export { addMethod, isBuiltIn, methodNamed, methods } from './registry.ts';
export { type VaeParts, vaeMethod } from './vae/family.ts';
