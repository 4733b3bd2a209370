import { expect, test } from 'vitest';
import { linearTicks, ticksOf } from './ticks.ts';

const texts = (ticks: { text: string }[]) => ticks.map(({ text }) => text);
const values = (ticks: { value: number }[]) => ticks.map(({ value }) => Number(value.toPrecision(12)));

test('ticks are round numbers with the digits that they need', () => {
  expect(texts(linearTicks([0, 10], 5))).toEqual(['0', '2', '4', '6', '8', '10']);
  expect(texts(linearTicks([0.12, 0.33], 4))).toEqual(['0.15', '0.20', '0.25', '0.30']);
  expect(texts(linearTicks([-1, 1], 4))).toEqual(['−1.0', '−0.5', '0', '0.5', '1.0']);
  expect(texts(linearTicks([0, 30_000], 3))).toEqual(['0', '10k', '20k', '30k']);
  expect(texts(linearTicks([0, 5e6], 5))).toEqual(['0', '1M', '2M', '3M', '4M', '5M']);
  expect(texts(linearTicks([0, 4e-5], 2))).toEqual(['0', '2×10⁻⁵', '4×10⁻⁵']);
  expect(texts(linearTicks([7, 7], 5))).toEqual(['7']);
});

test('an axis has round numbers, and powers of ten if it is logarithmic', () => {
  expect(values(ticksOf([0, 1500], 'linear', 4))).toEqual([0, 500, 1000, 1500]);
  expect(values(ticksOf([-0.03, 0.11], 'linear', 4))).toEqual([0, 0.05, 0.1]);
  expect(values(ticksOf([0.02, 3000], 'log', 10))).toEqual([0.1, 1, 10, 100, 1000]);
  expect(values(ticksOf([12, 70], 'log', 4))).toEqual([20, 50]);
  expect(values(ticksOf([3, 3], 'linear', 4))).toEqual([3]);
});

test('ticks that are near each other are told apart', () => {
  expect(texts(ticksOf([546.8, 547.2], 'linear', 2))).toEqual(['546.8', '547.0', '547.2']);
});
