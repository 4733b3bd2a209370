import { expect, test } from 'vitest';
import { decimals, powerText, readable } from './numbers.ts';

test('numbers have a true minus sign, and zero has none', () => {
  expect(decimals(-1.256, 2)).toBe('−1.26');
  expect(decimals(-0.001, 2)).toBe('0.00');
  expect(decimals(Number.NaN, 2)).toBe('–');
  expect(decimals(Number.NEGATIVE_INFINITY, 2)).toBe('−∞');
});

test('readable numbers have three digits that count', () => {
  expect([0, 1.1, -0.25, 123.456, 1234, 12345, 2_500_000].map(readable)).toEqual([
    '0',
    '1.1',
    '−0.25',
    '123',
    '1234',
    '12.3k',
    '2.5M',
  ]);
});

test('very small and very large numbers are powers of ten', () => {
  expect(readable(0.00025)).toBe('2.5×10⁻⁴');
  expect(powerText(1e12)).toBe('10¹²');
  expect(powerText(-1e-6)).toBe('−10⁻⁶');
});
