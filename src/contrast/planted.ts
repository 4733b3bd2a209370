/**
 * Two piles whose truth is known: rows, counts or small pictures that share three factors, and in the target one more of a known size,
 * or none. What the verdict says of many such piles tells how often it errs.
 */
import type { Dataset, Opened, Transformation } from '../data/index.ts';
import { type ItemShape, itemSize } from '../model/index.ts';
import { type Stream, stream } from '../random/index.ts';

export interface Planted {
  kind: 'table' | 'counts' | 'pictures';
  /** Rows of the target; of the background as many if not said. */
  items: number;
  background?: number;
  /** The share of the target's variance that is the planted factor's; 0 for none. */
  share: number;
  /** Rows that a subject has, whose shared factors are half its own; 1 for rows that do not depend on each other. */
  repeats?: number;
  seed: number;
}

const columns = 30;
/** The columns that the planted factor moves. */
export const plantedColumns: readonly number[] = [0, 1, 2, 3, 4];
const shared = 3;
const side = 8;

/** @example plantedPiles({ kind: 'table', items: 300, share: 0.05, seed: 1 }) */
export function plantedPiles(planted: Planted): Extract<Opened, { kind: 'contrast' }> {
  const { items, background = items } = planted;
  const target = pile('target', items, planted);
  const other = pile('background', background, planted);
  return planted.kind === 'counts' ? asCounts(target, other) : { kind: 'contrast', target, background: other };
}

function pile(name: 'target' | 'background', length: number, { kind, share, repeats = 1, seed }: Planted): Dataset {
  const world = stream(seed, 'what planted piles share');
  const draws = stream(seed, `rows of the planted ${name}`);
  const shape: ItemShape =
    kind === 'pictures'
      ? { kind: 'image', channels: 1, height: side, width: side }
      : { kind: 'table', columns: Array.from({ length: columns }, (_, j) => `column ${j + 1}`) };
  const size = itemSize(shape);
  const loadings = world.normals(columns * shared);
  const x = new Float32Array(length * size);
  let subject: Float32Array = new Float32Array(shared);
  for (let i = 0; i < length; i++) {
    if (i % repeats === 0) subject = draws.normals(shared);
    const own = draws.normals(shared);
    const factors = own.map((value, k) => (repeats > 1 ? Math.SQRT1_2 * (value + subject[k]) : value));
    const salient = name === 'target' && share > 0 ? draws.normal() : 0;
    const row = x.subarray(i * size, (i + 1) * size);
    if (kind === 'pictures') paint(row, factors, salient * Math.sqrt(share), draws);
    else mix(row, loadings, factors, salient, share, draws);
    if (kind === 'counts') for (let j = 0; j < size; j++) row[j] = poisson(Math.exp(1.5 + 0.7 * row[j]), draws);
  }
  const offset = name === 'target' ? 0 : 1e6;
  return {
    name: `planted ${name}`,
    title: `planted ${name}`,
    shape,
    range: kind === 'pictures' ? 'unit' : 'real',
    length,
    fingerprint: JSON.stringify([name, kind, length, share, repeats, seed]),
    ...(repeats > 1 && {
      groups: {
        column: 'subject',
        values: Int32Array.from({ length }, (_, i) => offset + Math.floor(i / repeats)),
        shared: new Set<number>(),
      },
    }),
    gather(indices, out = new Float32Array(indices.length * size)) {
      for (let i = 0; i < indices.length; i++)
        out.set(x.subarray(indices[i] * size, (indices[i] + 1) * size), i * size);
      return out;
    },
  };
}

/** Both piles with their counts standardised together, as a table's are. */
function asCounts(target: Dataset, background: Dataset): Extract<Opened, { kind: 'contrast' }> {
  const rows = [target, background].map((data) => data.gather(Uint32Array.from({ length: data.length }, (_, i) => i)));
  const n = target.length + background.length;
  const sum = (j: number, of: (value: number) => number) =>
    rows.reduce((total, x) => total + x.reduce((part, value, e) => part + (e % columns === j ? of(value) : 0), 0), 0);
  const transformation: Transformation = {
    columns: Array.from({ length: columns }, (_, j) => {
      const mean = sum(j, (value) => value) / n;
      const deviation = Math.sqrt(sum(j, (value) => (value - mean) ** 2) / n);
      return { kind: 'number', name: `column ${j + 1}`, mean, deviation, fill: mean, counts: true };
    }),
    left: [],
    filled: {},
  };
  const standardised = (data: Dataset): Dataset => ({
    ...data,
    ...{ transformation },
    gather(indices, out) {
      const x = data.gather(indices, out);
      for (let e = 0; e < indices.length * columns; e++) {
        const column = transformation.columns[e % columns];
        if (column.kind === 'number') x[e] = (x[e] - column.mean) / column.deviation;
      }
      return x;
    },
  });
  return { kind: 'contrast', target: standardised(target), background: standardised(background) };
}

/** Unit variance in each column: three parts of four from what is shared, the rest noise; and what is planted beside it. */
function mix(
  row: Float32Array,
  loadings: Float32Array,
  factors: Float32Array,
  salient: number,
  share: number,
  draws: Stream,
): void {
  // A factor with this loading in five columns has `share` of the variance of all thirty and its own.
  const loading = Math.sqrt((share * columns) / (plantedColumns.length * Math.max(1e-9, 1 - share)));
  for (let j = 0; j < columns; j++) {
    let [value, square] = [0, 0];
    for (let k = 0; k < shared; k++) {
      value += loadings[j * shared + k] * factors[k];
      square += loadings[j * shared + k] ** 2;
    }
    row[j] = Math.sqrt(0.75 / square) * value + 0.5 * draws.normal();
    if (plantedColumns.includes(j)) row[j] += (j % 2 === 0 ? 1 : -1) * loading * salient;
  }
}

/** A blob of some place and size, and in a corner a spot that is planted. */
function paint(pixels: Float32Array, [a, b, c]: Float32Array, salient: number, draws: Stream): void {
  const [cx, cy, width] = [3.5 + 0.8 * a, 3.5 + 0.8 * b, 1.2 * Math.exp(0.2 * c)];
  for (let y = 0; y < side; y++)
    for (let xx = 0; xx < side; xx++) {
      const blob = Math.exp(-((xx - cx) ** 2 + (y - cy) ** 2) / (2 * width ** 2));
      const spot = xx < 2 && y < 2 ? 0.6 * salient : 0;
      pixels[y * side + xx] = Math.min(1, Math.max(0, 0.3 + 0.5 * blob + spot + 0.03 * draws.normal()));
    }
}

/** A Poisson draw by products of uniform numbers (Knuth), which is quick where rates are small. */
function poisson(rate: number, draws: Stream): number {
  const limit = Math.exp(-rate);
  let [count, product] = [0, draws.uniform()];
  while (product > limit) {
    product *= draws.uniform();
    count++;
  }
  return count;
}
