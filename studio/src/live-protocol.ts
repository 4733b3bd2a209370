/** What the page and the worker of a training in the tab say to each other. */
import type { ImageFacts } from './image.ts';

/** The items of a training in the tab, one after the other, with what is known of them. */
export interface LiveData {
  items: Float32Array;
  facts: ImageFacts;
  /** Items that lack what a contrastive method is to find. */
  background?: Float32Array;
  labels?: { names: string[]; values: number[] };
}

export interface LiveStart {
  kind: 'start';
  method: string;
  data: LiveData;
  /** Settings as typed, such as `beta=4`. */
  set: string[];
  seed: number;
  /** Where the runtime's files lie. */
  runtime: string;
}

export type ToWorker = LiveStart | { kind: 'pause' } | { kind: 'go' } | { kind: 'number'; name: string; value: number };

/** How far it has come. */
export interface LiveStep {
  kind: 'steps';
  /** The step of each line, and its terms. */
  lines: { step: number; terms: Record<string, number> }[];
  /** Steps a second. */
  rate: number;
  /** Weights and learning rates of the next step, which can be moved. */
  numbers: Record<string, number>;
}

/** What the model makes of things now. */
export interface LivePicture {
  kind: 'picture';
  step: number;
  /** Every dimension of the code, with its KL in nats and `stripLength` items along it. */
  dimensions: { name: string; kl: number; items: Float32Array }[];
  given: Float32Array;
  /** None where the model has no encoder. */
  reconstructions?: Float32Array;
}

export type FromWorker = LiveStep | LivePicture | { kind: 'failed'; sentence: string };

export const stripLength = 11;
export const reconstructed = 10;
