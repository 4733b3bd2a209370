/** What a dimension of a model does, measured on what its decoder makes, and told in words. */
export { type ExplainedModel, explainDimension, explainTraversals, traversalsOf } from './explain-dimension.ts';
export type { Explanation } from './explanation.ts';
