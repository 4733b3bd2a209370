/** Two-set problems with known factors for the contrastive methods' tests, and what is read off a trained model's codes. */
import { fitLeastSquares, fitLogistic, predict, predictRegression } from '../../analysis/index.ts';
import type { Dataset, Opened } from '../../data/index.ts';
import { markedShapes, shapesDataset } from '../../data/sets/shapes.ts';
import { stream } from '../../random/index.ts';
import type { Session } from '../../training/session/session.ts';

export type Contrast = Extract<Opened, { kind: 'contrast' }>;

/** The shapes of `shapes-contrast` at 8 × 8, which train in a quarter of the time. */
export function smallShapes(): Contrast {
  return { kind: 'contrast', target: markedShapes(8), background: shapesDataset(8) };
}

/** The place of a factor among those of the shapes. */
export const markCorner = 5;

/**
 * Tables of 12 columns: three shared factors in all of them, and in the target's first six a salient one, the fourth factor, with
 * a little noise.
 */
export function mixedTables(items = 1500): Contrast {
  return {
    kind: 'contrast',
    target: mixedTable('mixed target', items, 1),
    background: mixedTable('mixed background', items, 0),
  };
}

function mixedTable(name: string, length: number, salient: number): Dataset {
  const [columns, shared] = [12, 3];
  const weights = stream(7, 'mixing').normals(columns * (shared + 1));
  const source = stream(1, name);
  const x = new Float32Array(length * columns);
  const values = new Float32Array(length * (shared + 1));
  for (let i = 0; i < length; i++) {
    const known = source.normals(shared + 1);
    known[shared] *= salient;
    values.set(known, i * (shared + 1));
    for (let j = 0; j < columns; j++) {
      const of = weights.subarray(j * (shared + 1), (j + 1) * (shared + 1));
      let value = 0.1 * source.normal() + (j < columns / 2 ? of[shared] * known[shared] : 0);
      for (let k = 0; k < shared; k++) value += (of[k] * known[k]) / Math.sqrt(shared);
      x[i * columns + j] = value;
    }
  }
  return {
    name,
    title: name,
    shape: { kind: 'table', columns: Array.from({ length: columns }, (_, j) => `column ${j}`) },
    range: 'real',
    length,
    fingerprint: name,
    factors: {
      factors: Array.from({ length: shared + 1 }, (_, k) => ({ name: `factor ${k}`, kind: 'continuous', size: 0 })),
      values,
    },
    gather(indices, out = new Float32Array(indices.length * columns)) {
      for (let i = 0; i < indices.length; i++)
        out.set(x.subarray(indices[i] * columns, (indices[i] + 1) * columns), i * columns);
      return out;
    },
  };
}

export interface ContrastCodes {
  n: number;
  z: Float32Array;
  s: Float32Array;
  /** ‖μ_s‖² and ‖σ_s‖², each as a mean over items. */
  salientMean: number;
  salientVariance: number;
}

/** The posterior means of every third item. */
export async function codesOf(session: Session, data: Dataset): Promise<ContrastCodes & { items: Uint32Array }> {
  const items = Uint32Array.from({ length: Math.floor(data.length / 3) }, (_, i) => 3 * i);
  const n = items.length;
  const out = await session.assembled.program.run('encode', { x: data.gather(items) });
  return {
    items,
    n,
    z: out['z mean'],
    s: out['s mean'],
    salientMean: sum(out['s mean'], (value) => value * value) / n,
    salientVariance: sum(out['s log variance'], Math.exp) / n,
  };
}

/** The share of the second half of items whose factor a linear classifier, fitted to the first half, tells from codes. */
export function told(codes: Float32Array, data: Dataset, items: Uint32Array, factor: number): number {
  const y = Int32Array.from(known(data, items, factor));
  const { d, half, first, second } = halves(codes, items.length);
  const classes = Math.max(...y) + 1;
  const found = predict(fitLogistic({ x: first, n: half, d, y: y.subarray(0, half), classes }), second, half, d);
  let right = 0;
  for (let i = 0; i < half; i++) if (found[i] === y[half + i]) right++;
  return right / half;
}

/** The share of a factor's variance in the second half of items that a regression, fitted to the first, explains from codes. */
export function explained(codes: Float32Array, data: Dataset, items: Uint32Array, factor: number): number {
  const y = known(data, items, factor);
  const { d, half, first, second } = halves(codes, items.length);
  const found = predictRegression(fitLeastSquares({ x: first, n: half, d, y: y.subarray(0, half) }), second, half, d);
  let [error, total] = [0, 0];
  for (let i = 0; i < half; i++) {
    error += (found[i] - y[half + i]) ** 2;
    total += y[half + i] ** 2;
  }
  return 1 - error / total;
}

function known({ factors }: Dataset, items: Uint32Array, factor: number): Float64Array {
  const width = factors?.factors.length ?? 0;
  return Float64Array.from(items, (i) => factors?.values[i * width + factor] ?? Number.NaN);
}

function halves(codes: Float32Array, n: number) {
  const d = codes.length / n;
  const half = Math.floor(n / 2);
  const x = Float64Array.from(codes);
  return { d, half, first: x.subarray(0, half * d), second: x.subarray(half * d, 2 * half * d) };
}

function sum(values: Float32Array, f: (value: number) => number): number {
  return values.reduce((total, value) => total + f(value), 0);
}
