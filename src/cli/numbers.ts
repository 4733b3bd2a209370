/** Options of the command line that are numbers. */
import { UntangleError } from '../errors.ts';

/** A whole number in a range, or a sentence. */
export function wholeNumber(option: string, text: string, least = 0, most = Number.MAX_SAFE_INTEGER): number {
  const value = Number(text);
  if (Number.isInteger(value) && text.trim() !== '' && value >= least && value <= most) return value;
  const range = most === Number.MAX_SAFE_INTEGER ? `of at least ${least}` : `from ${least} to ${most}`;
  throw new UntangleError(`${option} takes a whole number ${range}, not “${text}”.`, { kind: 'call' });
}

/** A positive number, or a sentence. */
export function positiveNumber(option: string, text: string): number {
  const value = Number(text);
  if (Number.isFinite(value) && value > 0) return value;
  throw new UntangleError(`${option} takes a number above zero, not “${text}”.`, { kind: 'call' });
}

/**
 * Seeds as typed: numbers and ranges with commas between them, each once.
 *
 * @example seedNumbers('1..3,7') // [1, 2, 3, 7]
 */
export function seedNumbers(text: string): number[] {
  const all = text.split(',').flatMap((part) => {
    const { from, to } = /^\s*(?<from>\d+)\s*\.\.\s*(?<to>\d+)\s*$/.exec(part)?.groups ?? {};
    if (from === undefined) return [wholeNumber('--seeds', part)];
    const [first, last] = [wholeNumber('--seeds', from), wholeNumber('--seeds', to)];
    if (last < first || last - first >= 10_000)
      throw new UntangleError(`--seeds takes ranges such as 1..5, not “${part.trim()}”.`, { kind: 'call' });
    return Array.from({ length: last - first + 1 }, (_, i) => first + i);
  });
  return [...new Set(all)];
}
