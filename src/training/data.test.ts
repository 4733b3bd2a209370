import { expect, test } from 'vitest';
import { openData } from '../data/index.ts';
import { type Method, methodNamed } from '../methods/index.ts';
import { partData } from './data.ts';

const needing = (needs: Method['needs']): Method => ({ ...methodNamed('vae'), title: 'A method', needs });
const shapes = await openData('shapes');

test('parts do not overlap and hold everything', () => {
  const { target, context } = partData(shapes, needing('data'), { seed: 1, validation: 0.1 });
  const { train, validation, test: held } = target.split;
  expect(new Set([...train, ...validation, ...held]).size).toBe(target.data.length);
  expect(context.items).toBe(train.length);
});

test('a few-label method sees as many labels as it is given, some of every class', () => {
  const { labelled, variables, context } = partData(shapes, needing('few-labels'), {
    seed: 1,
    validation: 0.1,
    labels: 12,
  });
  expect(labelled.length).toBe(12);
  expect(context.labelled).toBe(12);
  expect(new Set(Array.from(labelled, (i) => variables[0].values[i])).size).toBe(variables[0].classes.length);
});

test('a method that learns from labels alone trains on labelled items alone', () => {
  const { target, context } = partData(shapes, needing('labels'), { seed: 1, validation: 0.1, labels: 30 });
  expect(target.split.train.length).toBe(30);
  expect(context.items).toBe(30);
});

test('factors can take the place of labels, several at once', () => {
  const { context, variables, target } = partData(shapes, needing('few-labels'), {
    seed: 1,
    validation: 0.1,
    labels: 20,
    labelFactors: ['shape', 'scale'],
  });
  expect(context.variables.map(({ name }) => name)).toEqual(['shape', 'scale']);
  const factors = target.data.factors!;
  const column = factors.factors.findIndex(({ name }) => name === 'scale');
  expect(variables[1].values[17]).toBe(factors.values[17 * factors.factors.length + column]);
});

test('what does not fit is told in a sentence', () => {
  const settings = { seed: 1, validation: 0.1 };
  expect(() => partData(shapes, needing('target+background'), settings)).toThrow(
    'A method compares a target with a background; shapes is one set.',
  );
  expect(() => partData(shapes, needing('few-labels'), { ...settings, labelFactors: ['shap'] })).toThrow(
    'There is no discrete factor of shapes “shap”.',
  );
  if (shapes.kind !== 'single') throw new Error('one set');
  const { labels: _, ...unlabelled } = shapes.data;
  const opened = { kind: 'single', data: unlabelled } as const;
  expect(() => partData(opened, needing('labels'), settings)).toThrow('A method needs labels; shapes has none.');
  expect(() => partData(opened, needing('few-labels'), { ...settings, labels: 5 })).toThrow('no labels to take 5 of');
});
