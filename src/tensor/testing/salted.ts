/** Numbers that scripts in Python draw by the same rule, so that no fixture has to hold them. */

/** `count` numbers in [−1, 1) that follow from a salt alone, or from a name. */
export function salted(count: number, salt: number | string): Float32Array {
  const from = typeof salt === 'number' ? salt : ofName(salt);
  return Float32Array.from({ length: count }, (_, i) => {
    let h = Math.imul(i + from * 7919 + 1, 2654435761) >>> 0;
    h = (h ^ (h >>> 15)) >>> 0;
    h = Math.imul(h, 2246822519) >>> 0;
    h = (h ^ (h >>> 13)) >>> 0;
    return h / 2 ** 31 - 1;
  });
}

const ofName = (name: string) =>
  [...name].reduce((sum, letter, i) => sum + (i + 1) * letter.charCodeAt(0), 0) % 100_000;
