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
