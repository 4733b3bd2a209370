export * from './autoencoder.ts';
export * from './inputs.ts';
export * from './method.ts';
export { frozen, parametersOutside, parametersUnder } from './parameters.ts';
export { methodNamed, methods } from './registry.ts';
export { type Objective, type VaeParts, type VaeSettings, vaeMethod, vaeOptions } from './vae.ts';
