import { expect, test } from 'vitest';
import { methodNamed } from '../methods/index.ts';
import { resolveSettings } from '../training/session/index.ts';
import { foundPresets } from './found.ts';

const all = Object.entries(foundPresets).flatMap(([method, presets]) =>
  Object.entries(presets).map(([preset, values]) => [method, preset, values] as const),
);

test.each(all)('%s takes %s, which is not one of its paper’s settings', (name, preset, values) => {
  const method = methodNamed(name);
  expect(Object.keys(method.presets)).not.toContain(preset);
  expect(() => resolveSettings(method, { preset })).toThrow(`There is no preset “${preset}”.`);
  const { options, training } = resolveSettings(method, { preset, presets: foundPresets[name] });
  expect({ ...options, ...training }).toMatchObject(values);
});
