/** What the page and the worker of a training in the tab say to each other. */
import type { ImageFacts } from './image.ts';

export const liveMethods = ['beta-vae', 'vae', 'dip-vae-ii'] as const;
export type LiveMethod = (typeof liveMethods)[number];

export interface LiveStart {
  kind: 'start';
  method: LiveMethod;
  /** Items one after the other. */
  items: Float32Array;
  facts: ImageFacts;
  latents: number;
  seed: number;
  /** Where the runtime's files lie. */
  runtime: string;
  /** Numbers of the method that differ from its defaults. */
  numbers: Record<string, number>;
}

export type ToWorker = LiveStart | { kind: 'pause' } | { kind: 'go' } | { kind: 'number'; name: string; value: number };

/** How far it has come. */
export interface LiveStep {
  kind: 'steps';
  /** The step of each line, and its terms. */
  lines: { step: number; terms: Record<string, number> }[];
  /** Steps a second. */
  rate: number;
}

/** What the model makes of things now. */
export interface LivePicture {
  kind: 'picture';
  step: number;
  /** KL of each dimension, in nats. */
  kl: number[];
  /** A row of `stripLength` items for each dimension. */
  traversals: Float32Array;
  given: Float32Array;
  reconstructions: Float32Array;
}

export type FromWorker = LiveStep | LivePicture | { kind: 'failed'; sentence: string };

export const stripLength = 11;
export const reconstructed = 10;
