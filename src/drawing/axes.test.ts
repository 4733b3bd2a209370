import { expect, test } from 'vitest';
import { domainOf, plot, scaleFor, widened } from './axes.ts';
import { linearTicks } from './ticks.ts';

const texts = (ticks: { text: string }[]) => ticks.map(({ text }) => text);

test('a logarithmic axis has powers of ten, and numbers between where it is short', () => {
  expect(texts(scaleFor([0.5, 5000], 0, 100, 'log').ticks)).toEqual(['1', '10', '100', '1000']);
  expect(texts(scaleFor([8, 60], 0, 100, 'log').ticks)).toEqual(['10', '20', '50']);
  expect(texts(scaleFor([31, 39], 0, 100, 'log', 4).ticks)).toEqual(['32', '34', '36', '38']);
  expect(texts(scaleFor([1e-6, 1], 0, 100, 'log', 3).ticks)).toEqual(['10⁻⁶', '10⁻⁴', '0.01', '1']);
});

test('values are placed in proportion, and those that can’t be are left out', () => {
  const linear = scaleFor([10, 20], 100, 200);
  expect([linear.at(10), linear.at(15), linear.at(Number.NaN)]).toEqual([100, 150, undefined]);
  const log = scaleFor([1, 100], 0, 10, 'log');
  expect([log.at(10), log.at(0), log.at(-1)]).toEqual([5, undefined, undefined]);
  expect(scaleFor([3, 3], 0, 10).at(3)).toBe(5);
});

test('a domain leaves out what its axis can’t show, and says so where nothing is left', () => {
  expect(domainOf([3, Number.NaN, -2, Number.POSITIVE_INFINITY])).toEqual([-2, 3]);
  expect(domainOf([3, 0, -2, 0.5], 'log')).toEqual([0.5, 3]);
  expect(() => domainOf([0, -1], 'log')).toThrow('None of the values can be shown on a logarithmic axis');
  expect(() => domainOf([])).toThrow('linear axis');
});

test('a lone value gets an axis around it', () => {
  expect(widened([5, 5])).toEqual([4.5, 5.5]);
  expect(widened([0, 0])).toEqual([-1, 1]);
  expect(widened([4, 4], 'log')).toEqual([4 / 1.5, 6]);
});

test('numbers at the ends of what a computer can hold get an axis too', () => {
  expect(linearTicks([0, 5e-324], 5)).toHaveLength(1);
  expect(linearTicks([-1.7e308, 1.7e308], 5).length).toBeGreaterThan(0);
  const domain = widened([1e-308, 1e308], 'log');
  expect(scaleFor(domain, 0, 100, 'log').ticks.length).toBeLessThan(12);
});

test('a plot says what its axes are, with units, and makes room for its widest tick', () => {
  const options = { width: 200, height: 100, x: { label: 'step', domain: [0, 10] as const } };
  const narrow = plot({ ...options, y: { label: 'loss', unit: 'nats', domain: [0, 5] } });
  const wide = plot({ ...options, y: { label: 'loss', domain: [0, 0.00005] } });
  const shown = narrow.shapes.filter((shape) => shape.kind === 'text').map(({ text }) => text);
  expect(shown).toEqual(expect.arrayContaining(['loss (nats)', 'step', '0', '10']));
  expect(narrow.area.right - narrow.area.left).toBe(200);
  expect(wide.area.left).toBeGreaterThan(narrow.area.left);
});
