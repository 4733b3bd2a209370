/** The language of a model: its blocks and their roles, and what an item is. */
export {
  type Block,
  blockKinds,
  type Kind,
  type ModelBlock,
  outputsOf,
  type Role,
  roles,
  withDependencies,
} from './block.ts';
export {
  type Codes,
  composed,
  deviationsOf,
  type Gaussian,
  largest,
  largestOfRows,
  oneHot,
  priorOf,
  randomCodes,
  repeated,
  startingCodes,
  traversed,
  withChosenClasses,
  withClass,
  withValue,
} from './codes.ts';
export { type Covariate, covariateRows, covariatesInput, covariatesSize, usualRows } from './covariate.ts';
export {
  type Factor,
  type Factors,
  type ImageShape,
  type ItemShape,
  itemSize,
  type Labels,
  type TableShape,
  tensorShape,
  type ValueRange,
} from './item.ts';
