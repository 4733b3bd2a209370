/**
 * Streams of random numbers, each addressed by (seed, purpose, step). Nothing is remembered between steps: a run that is
 * resumed at step n draws the same numbers as one that was never stopped.
 */
import { philox, type Quad } from './philox.ts';

/** A generator at one address. Draws advance it; `stream` with the same address starts it anew. */
export interface Stream {
  /** The next unsigned 32-bit word. */
  word(): number;
  /** A number in [0, 1) with 53 random bits. */
  uniform(): number;
  /** A standard normal number. */
  normal(): number;
  /** A whole number in 0 … n−1, without bias. */
  integer(n: number): number;
  /** `count` standard normal numbers, as a step's noise is fed. */
  normals(count: number): Float32Array;
  /** `count` uniform numbers in [0, 1). */
  uniforms(count: number): Float32Array;
  /** `count` standard Gumbel numbers, −ln(−ln u). */
  gumbels(count: number): Float32Array;
  /** A dropout mask: 1/(1 − p) with probability 1 − p, otherwise 0. */
  keepMask(count: number, p: number): Float32Array;
  /** A uniformly random order of 0 … n−1 (Fisher and Yates). */
  permutation(n: number): Uint32Array;
}

/**
 * Opens the stream at (seed, purpose, step).
 *
 * @example stream(7, 'noise of z', 120).normals(64 * 10)
 */
export function stream(seed: number, purpose: string, step = 0): Stream {
  const [k0, k1] = keyOf(seed, purpose);
  const stepLow = step >>> 0;
  const stepHigh = Math.floor(step / 2 ** 32) >>> 0;
  const block: Quad = [0, 0, 0, 0];
  let counter = 0;
  let used = 4;
  let spare = Number.NaN;

  function word(): number {
    if (used === 4) {
      philox(block, counter >>> 0, Math.floor(counter / 2 ** 32), stepLow, stepHigh, k0, k1);
      counter++;
      used = 0;
    }
    return block[used++];
  }

  function uniform(): number {
    const high = word() >>> 5;
    const low = word() >>> 6;
    return (high * 67108864 + low) / 9007199254740992;
  }

  /** Box and Muller's transform; its second number is kept for the next call. */
  function normal(): number {
    if (!Number.isNaN(spare)) {
      const kept = spare;
      spare = Number.NaN;
      return kept;
    }
    const radius = Math.sqrt(-2 * Math.log(openUniform()));
    const angle = 2 * Math.PI * (word() / 4294967296);
    spare = radius * Math.sin(angle);
    return radius * Math.cos(angle);
  }

  /** A uniform number in (0, 1), of which a logarithm can be taken. */
  function openUniform(): number {
    return (word() + 0.5) / 4294967296;
  }

  function integer(n: number): number {
    const limit = 4294967296 - (4294967296 % n);
    let value = word();
    while (value >= limit) value = word();
    return value % n;
  }

  return {
    word,
    uniform,
    normal,
    integer,
    normals: (count) => filled(count, normal),
    uniforms: (count) => filled(count, () => (word() >>> 8) / 16777216),
    gumbels: (count) => filled(count, () => -Math.log(-Math.log(openUniform()))),
    keepMask: (count, p) => {
      const threshold = p * 4294967296;
      return filled(count, () => (word() < threshold ? 0 : 1 / (1 - p)));
    },
    permutation: (n) => {
      const order = new Uint32Array(n);
      for (let i = 0; i < n; i++) order[i] = i;
      for (let i = n - 1; i > 0; i--) {
        const j = integer(i + 1);
        const kept = order[i];
        order[i] = order[j];
        order[j] = kept;
      }
      return order;
    },
  };
}

/** Numbers drawn one after the other; a plain loop, since a step's noise may be a million of them. */
function filled(count: number, draw: () => number): Float32Array {
  const values = new Float32Array(count);
  for (let i = 0; i < count; i++) values[i] = draw();
  return values;
}

/** The key of (seed, purpose): the seed's own key, at a counter that spells the purpose. */
function keyOf(seed: number, purpose: string): [number, number] {
  const block: Quad = [0, 0, 0, 0];
  let k0 = seed >>> 0;
  let k1 = Math.floor(seed / 2 ** 32) >>> 0;
  const padded = purpose.padEnd(Math.ceil((purpose.length + 1) / 8) * 8, '\0');
  for (let i = 0; i < padded.length; i += 8) {
    const pair = (at: number) => padded.charCodeAt(i + at) | (padded.charCodeAt(i + at + 1) << 16);
    philox(block, pair(0), pair(2), pair(4), pair(6), k0, k1);
    k0 = block[0];
    k1 = block[1];
  }
  return [k0, k1];
}
