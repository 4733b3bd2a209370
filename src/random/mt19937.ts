/**
 * The Mersenne Twister MT19937 (Matsumoto and Nishimura, 1998) with the draws of numpy's legacy `RandomState`, so that
 * reference numbers computed there can be drawn again here, number for number. New code draws from `stream`.
 */
import { UntangleError } from '../errors.ts';

const size = 624;
const shift = 397;

/** A generator that draws what `numpy.random.RandomState(seed)` draws, in the same order. */
export interface Mt19937 {
  /** The next unsigned 32-bit word. */
  u32(): number;
  /** A whole number in low … high−1: `randint(low, high)`. */
  randint(low: number, high: number): number;
  /** A number in [0, 1) with 53 random bits. */
  random_sample(): number;
  /** A standard normal number by Marsaglia's polar method; the second of each pair is kept for the next call. */
  standard_normal(): number;
  /** Puts the values in a random order, in place. */
  shuffle(values: { [index: number]: number; readonly length: number }): void;
  /** A random order of 0 … n−1. */
  permutation(n: number): Int32Array;
}

/**
 * Opens the generator of a seed in 0 … 2³²−1.
 *
 * @example mt19937(0).randint(1, 11) // 6
 */
export function mt19937(seed: number): Mt19937 {
  if (!Number.isInteger(seed) || seed < 0 || seed > 0xffffffff)
    throw new UntangleError(`The seed of a Mersenne Twister was ${seed}.`, {
      kind: 'call',
      hint: 'It is a whole number from 0 to 4294967295.',
    });
  const state = new Uint32Array(size);
  state[0] = seed;
  for (let i = 1; i < size; i++) {
    const previous = state[i - 1] ^ (state[i - 1] >>> 30);
    state[i] = Math.imul(previous, 1812433253) + i;
  }
  let used = size;
  let spare = Number.NaN;

  function u32(): number {
    if (used === size) {
      twist(state);
      used = 0;
    }
    let word = state[used++];
    word ^= word >>> 11;
    word ^= (word << 7) & 0x9d2c5680;
    word ^= (word << 15) & 0xefc60000;
    word ^= word >>> 18;
    return word >>> 0;
  }

  /** 0 … max: the lowest bits that can hold max, drawn again while they exceed it. No word is drawn for max 0. */
  function upTo(max: number): number {
    if (max === 0) return 0;
    const mask = 0xffffffff >>> Math.clz32(max);
    for (;;) {
      const value = (u32() & mask) >>> 0;
      if (value <= max) return value;
    }
  }

  function randint(low: number, high: number): number {
    const span = high - 1 - low;
    if (!Number.isSafeInteger(low) || !Number.isSafeInteger(high) || span < 0 || span > 0xffffffff)
      throw new UntangleError(`A whole number was asked for from ${low} up to, not including, ${high}.`, {
        kind: 'call',
        hint: 'Both ends are whole, the second is larger, and at most 2³² values lie between them.',
      });
    return low + upTo(span);
  }

  function random_sample(): number {
    const high = u32() >>> 5;
    const low = u32() >>> 6;
    return (high * 67108864 + low) / 9007199254740992;
  }

  function standard_normal(): number {
    if (!Number.isNaN(spare)) {
      const kept = spare;
      spare = Number.NaN;
      return kept;
    }
    for (;;) {
      const a = 2 * random_sample() - 1;
      const b = 2 * random_sample() - 1;
      const square = a * a + b * b;
      if (square >= 1 || square === 0) continue;
      const stretch = Math.sqrt((-2 * Math.log(square)) / square);
      spare = stretch * a;
      return stretch * b;
    }
  }

  function shuffle(values: { [index: number]: number; readonly length: number }): void {
    for (let i = values.length - 1; i > 0; i--) {
      const j = upTo(i);
      const kept = values[i];
      values[i] = values[j];
      values[j] = kept;
    }
  }

  function permutation(n: number): Int32Array {
    const order = Int32Array.from({ length: n }, (_, i) => i);
    shuffle(order);
    return order;
  }

  return { u32, randint, random_sample, standard_normal, shuffle, permutation };
}

/** The next 624 words of the recurrence. */
function twist(state: Uint32Array): void {
  for (let i = 0; i < size; i++) {
    const joined = (state[i] & 0x80000000) | (state[(i + 1) % size] & 0x7fffffff);
    state[i] = state[(i + shift) % size] ^ (joined >>> 1) ^ (joined & 1 ? 0x9908b0df : 0);
  }
}
