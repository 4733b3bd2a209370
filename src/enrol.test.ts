import { expect, test } from 'vitest';
import { enrol } from './enrol.ts';

test('a registry takes a new name once, and the same thing again, but nothing else of that name', () => {
  const registry: Record<string, { size: number }> = { known: { size: 1 } };
  const mine = { size: 2 };
  enrol(registry, 'method', 'mine', mine);
  enrol(registry, 'method', 'mine', mine);
  expect(registry.mine).toBe(mine);
  expect(() => enrol(registry, 'method', 'mine', { size: 2 })).toThrow('There is a method “mine” already.');
  expect(() => enrol(registry, 'network', 'known', mine)).toThrow('There is a network “known” already.');
  expect(registry.known).toEqual({ size: 1 });
});

test.each(['', 'Mine', 'my method', '-mine', '../mine', '__proto__', 'constructor:'])('“%s” is no name', (name) => {
  const registry: Record<string, number> = {};
  expect(() => enrol(registry, 'metric', name, 1)).toThrow(`“${name}” can't be the name of a metric.`);
  expect(Object.keys(registry)).toEqual([]);
});
