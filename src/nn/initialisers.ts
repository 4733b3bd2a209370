/** Where parameters begin. Each is a rule from a parameter's shape and a random stream to its first values. */
import type { Stream } from '../random/index.ts';

export type Initialiser = (shape: readonly number[], source: Stream) => Float32Array;

/** The same number everywhere. */
export function constantly(value: number): Initialiser {
  return (shape) => new Float32Array(sizeOf(shape)).fill(value);
}

/** Normal numbers of a given deviation. */
export function normal(deviation = 1): Initialiser {
  return (shape, source) => source.normals(sizeOf(shape)).map((value) => value * deviation);
}

/** Uniform numbers in (−bound, bound). */
export function uniform(bound: number): Initialiser {
  return (shape, source) => source.uniforms(sizeOf(shape)).map((value) => (2 * value - 1) * bound);
}

/**
 * PyTorch's default for weights of linear and convolution layers: uniform in ±1/√fan, where the fan is the size of all axes
 * of the weight but the first. Their biases have the same bound.
 */
export function torchDefault(fan?: number): Initialiser {
  return (shape, source) => uniform(1 / Math.sqrt(fan ?? fanOf(shape)))(shape, source);
}

/** Glorot and Bengio's uniform: ±√(6 / (fan in + fan out)). */
export const glorot: Initialiser = (shape, source) => {
  const field = sizeOf(shape.slice(2));
  return uniform(Math.sqrt(6 / ((shape[0] + shape[1]) * field)))(shape, source);
};

/** Rows (or columns, if there are fewer) that are orthonormal, by Gram and Schmidt on normal numbers. */
export function orthogonal(gain = 1): Initialiser {
  return (shape, source) => {
    const rows = shape[0];
    const columns = sizeOf(shape.slice(1));
    const [count, length] = rows <= columns ? [rows, columns] : [columns, rows];
    const basis: Float64Array[] = [];
    for (let i = 0; i < count; i++) basis.push(nextDirection(basis, length, source));
    const values = new Float32Array(rows * columns);
    for (let r = 0; r < rows; r++) {
      for (let c = 0; c < columns; c++) values[r * columns + c] = gain * (rows <= columns ? basis[r][c] : basis[c][r]);
    }
    return values;
  };
}

/** A random unit vector that is orthogonal to those in `basis`; two passes keep it so in floating point. */
function nextDirection(basis: readonly Float64Array[], length: number, source: Stream): Float64Array {
  const vector = Float64Array.from({ length }, () => source.normal());
  for (let pass = 0; pass < 2; pass++) {
    for (const other of basis) {
      const overlap = dot(vector, other);
      for (let i = 0; i < length; i++) vector[i] -= overlap * other[i];
    }
  }
  const norm = Math.sqrt(dot(vector, vector));
  return vector.map((value) => value / norm);
}

function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i] * b[i];
  return sum;
}

export function fanOf(shape: readonly number[]): number {
  return sizeOf(shape.slice(1));
}

function sizeOf(shape: readonly number[]): number {
  return shape.reduce((product, dimension) => product * dimension, 1);
}
