/** Numbers as people read them on an axis or beside a picture: a true minus sign, few digits, k and M for large ones. */

import type { Better } from '../metrics/index.ts';

/** Which way is better, after the name of a number; nothing where neither is. */
export function betterArrow(better: Better = 'neither'): string {
  return { higher: '↑', lower: '↓', neither: '' }[better];
}

/** A number with a fixed count of decimals. */
export function decimals(value: number, digits: number): string {
  if (!Number.isFinite(value)) return Number.isNaN(value) ? '–' : value > 0 ? '∞' : '−∞';
  const text = value.toFixed(digits);
  return (Number(text) === 0 ? text.replace('-', '') : text).replace('-', '−');
}

/**
 * A number with about three significant digits.
 *
 * @example readable(12345) // '12.3k'
 */
export function readable(value: number): string {
  if (!Number.isFinite(value)) return decimals(value, 0);
  const size = Math.abs(value);
  if (size >= 1e9 || (size > 0 && size < 1e-3)) return powerText(value);
  if (size >= 1e6) return `${trimmed(value / 1e6, 3)}M`;
  if (size >= 1e4) return `${trimmed(value / 1e3, 3)}k`;
  return trimmed(value, size >= 1000 ? 4 : 3);
}

/** @example percent(0.125) // '13 %' */
export function percent(share: number): string {
  return `${(100 * share).toFixed(0)} %`;
}

/** @example power(0.00025) // '2.5×10⁻⁴' */
export function powerText(value: number): string {
  const [mantissa, exponent] = value.toExponential(2).split('e');
  const digits = [...String(Number(exponent))].map((digit) => superscripts[digit]).join('');
  const factor = trimmed(Number(mantissa), 3);
  return factor === '1' ? `10${digits}` : factor === '−1' ? `−10${digits}` : `${factor}×10${digits}`;
}

const superscripts: Record<string, string> = {
  '-': '⁻',
  '0': '⁰',
  '1': '¹',
  '2': '²',
  '3': '³',
  '4': '⁴',
  '5': '⁵',
  '6': '⁶',
  '7': '⁷',
  '8': '⁸',
  '9': '⁹',
};

function trimmed(value: number, significant: number): string {
  return String(Number(value.toPrecision(significant))).replace('-', '−');
}
