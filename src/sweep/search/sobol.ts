/**
 * Sobol's sequence with Owen's scrambling: points that fill the cube more evenly than random ones, in any number. Direction
 * numbers are Joe and Kuo's ("Constructing Sobol sequences with better two-dimensional projections", 2008); the scrambling is
 * the nested one of Owen ("Randomly permuted (t,m,s)-nets and (t,s)-sequences", 1995), in which a bit is turned or not by what
 * stands before it.
 */
import { UntangleError } from '../../errors.ts';
import { philox, type Quad, stream } from '../../random/index.ts';

/** How many dimensions the table of direction numbers has. */
const sobolDimensions = 32;

const bits = 32;

/**
 * `count` points in [0, 1)^dimensions, scrambled by `seed`; the sequence as Sobol has it where the seed is undefined. The first
 * points of a longer sequence are those of a shorter one.
 *
 * @example sobol(3, 2) // [[0, 0], [0.5, 0.5], [0.75, 0.25]]
 */
export function sobol(count: number, dimensions: number, seed?: number): number[][] {
  if (dimensions > sobolDimensions)
    throw new UntangleError(
      `A Sobol search has at most ${sobolDimensions} dimensions; this one would have ${dimensions}.`,
      {
        kind: 'call',
        hint: 'Search at random, or fix some of the settings.',
      },
    );
  const columns = Array.from({ length: dimensions }, (_, dimension) => {
    const words = sequence(count, directionsOf(dimension));
    return seed === undefined ? words : scrambled(words, stream(seed, `scrambling of dimension ${dimension}`).word());
  });
  return Array.from({ length: count }, (_, i) => columns.map((words) => words[i] / 2 ** bits));
}

/** The one-dimensional sequence in Gray code's order (Antonov and Saleev): each word differs from the last by one direction. */
function sequence(count: number, directions: Uint32Array): Uint32Array {
  const words = new Uint32Array(count);
  for (let i = 1; i < count; i++) words[i] = words[i - 1] ^ directions[trailingZeros(i)];
  return words;
}

const trailingZeros = (i: number) => 31 - Math.clz32(i & -i);

/** The directions of a dimension as words, by the recurrence of its primitive polynomial. */
function directionsOf(dimension: number): Uint32Array {
  const [polynomial, ...starts] = table[dimension];
  const degree = 31 - Math.clz32(polynomial);
  const odd = [...starts];
  for (let k = odd.length; k < bits; k++) {
    if (degree === 0) {
      odd.push(1);
      continue;
    }
    // m_k = 2 a_1 m_(k−1) ⊕ 4 a_2 m_(k−2) ⊕ … ⊕ 2^s m_(k−s) ⊕ m_(k−s); numbers pass 32 bits only above what is kept.
    let next = BigInt(odd[k - degree]) ^ (BigInt(odd[k - degree]) << BigInt(degree));
    for (let i = 1; i < degree; i++) if ((polynomial >> (degree - i)) & 1) next ^= BigInt(odd[k - i]) << BigInt(i);
    odd.push(Number(next));
  }
  return Uint32Array.from(odd, (m, k) => m * 2 ** (bits - 1 - k));
}

/** Turns bits from the highest down, each by a random bit that belongs to the bits above it. */
function scrambled(words: Uint32Array, key: number): Uint32Array {
  const block: Quad = [0, 0, 0, 0];
  return words.map((word) => {
    let turned = 0;
    for (let depth = 0; depth < bits; depth++) {
      const above = depth === 0 ? 0 : word >>> (bits - depth);
      philox(block, above, depth, 0, 0, key, 0);
      turned |= (block[0] & 1) << (bits - 1 - depth);
    }
    return word ^ turned;
  });
}

/** A dimension's primitive polynomial over two elements, its bits from the highest power down, and its first odd numbers m_k. */
const table: readonly (readonly number[])[] = [
  [1, 1],
  [3, 1],
  [7, 1, 3],
  [11, 1, 3, 1],
  [13, 1, 1, 1],
  [19, 1, 1, 3, 3],
  [25, 1, 3, 5, 13],
  [37, 1, 1, 5, 5, 17],
  [41, 1, 1, 5, 5, 5],
  [47, 1, 1, 7, 11, 19],
  [55, 1, 1, 5, 1, 1],
  [59, 1, 1, 1, 3, 11],
  [61, 1, 3, 5, 5, 31],
  [67, 1, 3, 3, 9, 7, 49],
  [91, 1, 1, 1, 15, 21, 21],
  [97, 1, 3, 1, 13, 27, 49],
  [103, 1, 1, 1, 15, 7, 5],
  [109, 1, 3, 1, 15, 13, 25],
  [115, 1, 1, 5, 5, 19, 61],
  [131, 1, 3, 7, 11, 23, 15, 103],
  [137, 1, 3, 7, 13, 13, 15, 69],
  [143, 1, 1, 3, 13, 7, 35, 63],
  [145, 1, 3, 5, 9, 1, 25, 53],
  [157, 1, 3, 1, 13, 9, 35, 107],
  [167, 1, 3, 1, 5, 27, 61, 31],
  [171, 1, 1, 5, 11, 19, 41, 61],
  [185, 1, 3, 5, 3, 3, 13, 69],
  [191, 1, 1, 7, 13, 1, 19, 1],
  [193, 1, 3, 7, 5, 13, 19, 59],
  [203, 1, 1, 3, 9, 25, 29, 41],
  [211, 1, 3, 5, 13, 23, 1, 55],
  [213, 1, 3, 7, 3, 13, 59, 17],
];
