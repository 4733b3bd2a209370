export { type AdamOptions, adam, adamW, optimisers, rmsprop, sgd } from './optimisers.ts';
