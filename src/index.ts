/** untangle: learn disentangled representations of images and tables. Each room is also a subpath, as in `untangle/metrics`. */

export * as analysis from './analysis/index.ts';
export * as contrast from './contrast/index.ts';
export * as data from './data/index.ts';
export * as drawing from './drawing/index.ts';
export { UntangleError } from './errors.ts';
export * as explain from './explain/index.ts';
export * as methods from './methods/index.ts';
export * as metrics from './metrics/index.ts';
export * as model from './model/index.ts';
export * as nn from './nn/index.ts';
export * as objectives from './objectives/index.ts';
export * as options from './options/index.ts';
export * as pictures from './pictures/index.ts';
export * as plugins from './plugins/index.ts';
export * as random from './random/index.ts';
export * as runs from './runs/index.ts';
export * as runtime from './runtime/node/index.ts';
export * as studies from './studies/index.ts';
export * as tensor from './tensor/index.ts';
export * as training from './training/index.ts';
export * as use from './use/index.ts';
