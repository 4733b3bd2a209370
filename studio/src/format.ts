/** Numbers, times and roles for people. */
import type { Role } from '../../src/model/index.ts';
import type { Property } from '../../src/options/index.ts';

/** @example numberText(0.012345) // '0.0123' */
export function numberText(value: number | undefined, digits = 3): string {
  if (value === undefined) return '–';
  if (!Number.isFinite(value)) return Number.isNaN(value) ? 'not a number' : value > 0 ? '∞' : '−∞';
  const size = Math.abs(value);
  if (size >= 1e5 || (size > 0 && size < 1e-4)) return value.toExponential(1).replace('-', '−');
  const text = Number.isInteger(value) ? value.toLocaleString('en') : trimmed(value, size, digits);
  return text.replace('-', '−');
}

function trimmed(value: number, size: number, digits: number): string {
  const places = Math.max(0, Math.min(6, digits - 1 - Math.floor(Math.log10(size || 1))));
  return value.toFixed(places);
}

/** @example signedText(-0.5) // '−0.50' */
export function signedText(value: number): string {
  const text = value.toFixed(2).replace('-', '−');
  return text === '−0.00' ? '0.00' : text;
}

/** How long ago, roughly. */
export function ago(iso: string, now = Date.now()): string {
  const past = (now - Date.parse(iso)) / 1000;
  if (past < 90) return 'just now';
  if (past < 5400) return `${Math.round(past / 60)} min ago`;
  if (past < 129_600) return `${Math.round(past / 3600)} h ago`;
  return new Date(iso).toLocaleDateString('en', { day: 'numeric', month: 'short', year: 'numeric' });
}

export function value(given: unknown): string {
  if (typeof given === 'number') return String(Number(given.toPrecision(6))).replace('-', '−');
  if (Array.isArray(given)) return given.join(', ') || 'none';
  if (typeof given === 'object' && given !== null) return JSON.stringify(given);
  return given === undefined ? '–' : String(given);
}

/** A default as it would be typed. */
export function typed(given: Property['default']): string {
  return given === undefined || given === null ? '' : `${given}`;
}

export const roleTexts: Record<Role, string> = {
  shared: 'shared by all items',
  salient: 'what the target adds',
  class: 'the class',
  'class-related': 'belongs to a class',
};

export const needs = {
  data: 'Learns from data alone, without labels.',
  'target+background': 'Needs two sets: a target, and a background that lacks what is sought.',
  labels: 'Needs a label for every item.',
  'few-labels': 'Learns from few labels, or none.',
};
