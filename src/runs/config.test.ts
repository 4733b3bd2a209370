import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { resolveOptions } from '../options/index.ts';
import { integer, number } from '../options/options.ts';
import { readConfigFile } from './config.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'untangle-config-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const schema = {
  beta: number('weight of the KL', { default: 1, min: 0 }),
  gamma: number('weight of the TC', { default: 1 }),
  latent: integer('size of z', { default: 10, min: 1 }),
  channels: integer('channels', { default: 32, min: 1 }),
};
const presets = { dsprites: { beta: 4, gamma: 4, latent: 5 } };

function configFile(name: string, text: string): Promise<Awaited<ReturnType<typeof readConfigFile>>> {
  writeFileSync(join(folder, name), text);
  return readConfigFile(join(folder, name));
}

test('defaults, preset, file and --set lie over each other in this order', async () => {
  const { path, options } = await configFile('a.yaml', 'options:\n  gamma: 2\n  latent: 6\n');
  const { stored, values } = resolveOptions(schema, {
    presets,
    preset: 'dsprites',
    file: { path, values: options },
    set: ['latent=7'],
  });
  expect(stored).toEqual({ beta: 4, gamma: 2, latent: 7, channels: 32 });
  expect(values.beta).toEqual({ kind: 'constant', value: 4 });
  expect(resolveOptions(schema, {}).stored).toEqual({ beta: 1, gamma: 1, latent: 10, channels: 32 });
});

test('a YAML file and a JSON file say the same', async () => {
  const yaml = await configFile(
    'a.yml',
    '# my run\nmethod: beta-vae\nseed: 3\noptions:\n  beta: linear(0,4,10000)\n  gamma: 1e-3\n',
  );
  const json = await configFile(
    'a.json',
    '{"method":"beta-vae","seed":3,"options":{"beta":"linear(0,4,10000)","gamma":0.001}}',
  );
  expect(yaml.settings).toEqual({ method: 'beta-vae', seed: 3 });
  expect(yaml.options).toEqual({ beta: 'linear(0,4,10000)', gamma: 0.001 });
  expect({ ...json, path: '' }).toEqual({ ...yaml, path: '' });
});

test('an empty file, and one without options, leave the defaults', async () => {
  expect(await configFile('a.yaml', '')).toMatchObject({ settings: {}, options: {} });
  expect(await configFile('b.yaml', '# nothing\n')).toMatchObject({ settings: {}, options: {} });
  expect(await configFile('c.yaml', 'options:\n')).toMatchObject({ settings: {}, options: {} });
});

test('an unknown name is refused with its place and the nearest name', () => {
  const refused = { file: { path: 'x.yaml', values: { bta: 1 } } };
  expect(() => resolveOptions(schema, refused, 'option of beta-vae')).toThrow(
    'In “x.yaml”: There is no option of beta-vae “bta”.',
  );
  expect(() => resolveOptions(schema, { presets, preset: 'dsprite' })).toThrow('There is no preset “dsprite”.');
  expect(() => resolveOptions(schema, { presets, preset: 'toString' })).toThrow('There is no preset “toString”.');
  expect(() => resolveOptions(schema, { presets: { a: { beta: -1 } }, preset: 'a' })).toThrow(
    'In the preset “a”: The option',
  );
  expect(() => resolveOptions(schema, { set: ['latnt=1'] })).toThrow('There is no option “latnt”.');
});

test('a file that is no config file is refused with a sentence', async () => {
  await expect(configFile('a.yaml', 'options:\n  beta: [1\n')).rejects.toThrow(
    /a\.yaml” can't be read: .*line \d+, column \d+\)\.$/,
  );
  await expect(configFile('b.yaml', 'a: 1\na: 2\n')).rejects.toThrow('Map keys must be unique (line 2, column 1).');
  await expect(configFile('c.json', '[1,2]')).rejects.toThrow('it is not a list of names with values.');
  await expect(configFile('d.yaml', 'options: 3\n')).rejects.toThrow(
    'what stands under “options” is not a list of names',
  );
  await expect(configFile('e.txt', '')).rejects.toThrow('is not a config file by its name');
  await expect(readConfigFile(join(folder, 'missing.yaml'))).rejects.toThrow('There is no config file');
  await expect(configFile('f.yaml', 'x'.repeat(1_000_001))).rejects.toThrow('at most 1000000 are expected');
});

test('aliases that would unfold without end are refused', async () => {
  const lines = ['a0: &a0 [x,x,x,x,x,x,x,x,x,x]'];
  for (let i = 1; i < 9; i++)
    lines.push(
      `a${i}: &a${i} [${Array(10)
        .fill(`*a${i - 1}`)
        .join(',')}]`,
    );
  await expect(configFile('bomb.yaml', lines.join('\n'))).rejects.toThrow("can't be read: Excessive alias count");
});
