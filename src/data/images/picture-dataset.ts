/** A set of picture files, and what is known of them, as a dataset. */

import type { Factor, Factors, Labels, ValueRange } from '../../model/index.ts';
import type { Dataset } from '../dataset.ts';
import { fingerprint } from '../fingerprint.ts';
import type { PictureSet } from './picture-files.ts';

/** The dataset of a picture set; its fingerprint covers labels and factors too. */
export function pictureDataset(
  set: PictureSet,
  known: {
    name: string;
    title: string;
    range?: ValueRange;
    labels?: Labels;
    factors?: Factors;
    split?: Dataset['split'];
  },
): Dataset {
  const { labels, factors, range = 'unit' } = known;
  return {
    ...known,
    range,
    shape: set.shape,
    length: set.length,
    gather: set.gather,
    fingerprint: fingerprint(
      set.fingerprint,
      JSON.stringify([range, labels?.names, factors?.factors]),
      labels?.values ?? '',
      factors?.values ?? '',
    ),
  };
}

/** Factors of `length` items, of which `valueAt` knows factor k of item i. */
export function factorTable(factors: Factor[], length: number, valueAt: (i: number, k: number) => number): Factors {
  const values = new Float32Array(length * factors.length);
  for (let i = 0, at = 0; i < length; i++) for (let k = 0; k < factors.length; k++) values[at++] = valueAt(i, k);
  return { factors, values };
}
