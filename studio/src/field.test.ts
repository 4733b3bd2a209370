import { expect, test } from 'vitest';
import type { Property } from '../../src/options/index.ts';
import type { MethodFacts } from './api.ts';
import { changedSettings, problemWith } from './field.tsx';
import { commandOf, startRequestOf } from './start-request.ts';

const properties: Record<string, Property> = {
  steps: { default: 10_000, type: 'integer', minimum: 1 },
  beta: { default: 4, anyOf: [{ type: 'number', minimum: 0 }, { type: 'string' }] },
  optimiser: { default: 'adam', enum: ['adam', 'sgd'] },
  channels: { default: [32, 64], type: 'array' },
};

test('only what differs from the defaults, or from the preset, is sent', () => {
  const typed = { steps: '10000', beta: ' 8 ', optimiser: 'adam', channels: '32,64' };
  expect(changedSettings(properties, {}, typed)).toEqual(['beta=8']);
  expect(changedSettings(properties, { beta: 8, steps: 500 }, typed)).toEqual(['steps=10000']);
  expect(changedSettings(properties, {}, {})).toEqual([]);
});

test('a field says what it takes when something else is typed', () => {
  expect(problemWith(properties.steps, '2.5')).toBe('A whole number, please.');
  expect(problemWith(properties.steps, '0')).toBe('At least 1.');
  expect(problemWith(properties.beta, 'much')).toBe('A number, or a schedule such as linear(0,4,10000), please.');
  for (const fine of ['', '4', 'linear(0,4,100)', 'linear:0:4:100'])
    expect(problemWith(properties.beta, fine)).toBeUndefined();
});

test('the request holds what concerns the method, and the command line says the same', () => {
  const method: MethodFacts = {
    name: 'rb-vae',
    title: 'Rb-VAE',
    summary: '',
    needs: 'target+background',
    paper: { cite: '', equations: '' },
    options: { $schema: '', type: 'object', properties, additionalProperties: false },
    presets: {},
  };
  const choices = {
    method: 'rb-vae',
    data: 'scans.csv',
    background: '',
    where: 'ill = 1',
    backgroundWhere: 'ill = 0',
    size: ' 32 ',
    crop: false,
    grey: true,
    label: '',
    exclude: 'age, sex',
    labels: '9',
    preset: '',
    seed: '2',
    name: 'first',
  };
  const request = startRequestOf(method, choices, ['beta=8'], true);
  expect(request).toEqual({
    method: 'rb-vae',
    data: 'scans.csv',
    where: 'ill = 1',
    backgroundWhere: 'ill = 0',
    size: 32,
    grey: true,
    exclude: ['age', 'sex'],
    seed: 2,
    set: ['beta=8'],
    name: 'first',
  });
  expect(commandOf(request, 'runs')).toBe(
    "untangle train rb-vae --data scans.csv --where 'ill = 1' --background-where 'ill = 0' --size 32 --grey --exclude age,sex --set beta=8 --seed 2 --out runs/first",
  );
});
