/** Layers, initialisers, and the papers’ architectures as data. */

export { type Build, build, type Declared, initialValues } from './build.ts';
export { constantly, glorot, type Initialiser, normal, orthogonal, torchDefault, uniform } from './initialisers.ts';
export { apply, batchNorm, channelNorm, dropout, dropRows, flatten, type Layer, linear } from './layers.ts';
export {
  addNetwork,
  discriminatorLayers,
  type Network,
  type NetworkMaker,
  networkFor,
  networks,
} from './networks.ts';
