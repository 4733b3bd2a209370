import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { build } from '../nn/index.ts';
import { grad, type Tensor } from '../tensor/index.ts';
import { evaluate } from '../tensor/testing/evaluate.ts';
import { noisesOf } from '../tensor/testing/noises.ts';
import { salted } from '../tensor/testing/salted.ts';
import type { Context, Model } from './method.ts';
import { methodNamed } from './registry.ts';
import { constantSettings } from './testing/settings.ts';

interface Case {
  method: string;
  settings: Record<string, number | boolean | string | number[]>;
  classes: number[];
  labelled: boolean;
  steps: {
    name: string;
    loss: number;
    terms: Record<string, number>;
    gradients: Record<string, { norm: number; first: number[] }>;
  }[];
}

/** Written by tools/fixtures_class_methods.py with PyTorch, which draws weights, items, classes and noise by the same rules. */
const fixture: { batch: number; columns: number; cases: Case[] } = JSON.parse(
  readFileSync(new URL('./fixtures/classes.json', import.meta.url), 'utf8'),
);
const { batch, columns } = fixture;

function modelOf({ method, settings, classes, labelled }: Case): Model {
  const context: Context = {
    item: { kind: 'table', columns: Array.from({ length: columns }, (_, j) => `${j}`) },
    range: 'real',
    items: 100,
    variables: classes.map((count, k) => ({ name: `v${k}`, classes: Array.from({ length: count }, (_, i) => `${i}`) })),
    labelled: labelled ? 5 : 0,
  };
  const { options, build: make } = methodNamed(method);
  return make(context, constantSettings(options, settings));
}

/** Classes by row and variable, as the script takes them. */
function knownClasses(classes: readonly number[]): BigInt64Array {
  return BigInt64Array.from({ length: batch * classes.length }, (_, at) => {
    const [row, k] = [Math.floor(at / classes.length), at % classes.length];
    return BigInt((row * 7 + 3 * k) % classes[k]);
  });
}

async function evaluated(known: Case) {
  const b = build({ size: batch, workers: 1 });
  const steps = modelOf(known).steps(b);
  const feeds: Record<string, Float32Array | BigInt64Array> = {
    x: salted(batch * columns, 'x'),
    'labelled x': salted(batch * columns, 'labelled x'),
    y: knownClasses(known.classes),
    'labelled y': knownClasses(known.classes),
  };
  for (const { name, count } of noisesOf(steps.map(({ minimises }) => minimises))) feeds[name] = salted(count, name);
  const nameOf = new Map<Tensor, string>();
  for (const [name, { tensor }] of b.declared) {
    const shape = tensor.shape.map(Number);
    const bound = Math.fround(1 / Math.sqrt(shape[shape.length - 1]));
    const count = shape.reduce((product, size) => product * size, 1);
    feeds[name] = salted(count, name).map((value) => value * bound);
    nameOf.set(tensor, name);
  }
  const results = [];
  for (const { name, minimises, terms, groups } of steps) {
    const parameters = groups.flatMap((group) => group.parameters);
    const gradients = grad(minimises, parameters);
    const [loss, ...values] = await evaluate([minimises, ...Object.values(terms), ...gradients], feeds);
    const keys = Object.keys(terms);
    results.push({
      name,
      loss: loss[0],
      terms: Object.fromEntries(keys.map((key, i) => [key, values[i][0]])),
      gradients: new Map(parameters.map((one, i) => [nameOf.get(one), values[keys.length + i]])),
    });
  }
  return results;
}

test.each(fixture.cases.map((known) => [known.method, JSON.stringify(known.classes), known] as const))(
  '%s with classes %s has PyTorch’s terms, loss, and gradient in every parameter of every step',
  async (_, __, known) => {
    const steps = await evaluated(known);
    expect(steps.map(({ name }) => name)).toEqual(known.steps.map(({ name }) => name));
    for (const [at, { loss, terms, gradients }] of steps.entries()) {
      const expected = known.steps[at];
      expect(loss / expected.loss).toBeCloseTo(1, 5);
      expect(Object.keys(terms).sort()).toEqual(Object.keys(expected.terms).sort());
      for (const [name, value] of Object.entries(expected.terms)) expect(terms[name], name).toBeCloseTo(value, 4);
      expect([...gradients.keys()].sort()).toEqual(Object.keys(expected.gradients).sort());
      for (const [name, { norm, first }] of Object.entries(expected.gradients)) {
        const found = gradients.get(name) ?? new Float32Array();
        expect(Math.abs(Math.hypot(...found) - norm) / Math.max(norm, 1e-3), name).toBeLessThan(1e-4);
        for (const [i, value] of first.entries())
          expect(Math.abs(found[i] - value) / Math.max(norm, 1e-3), name).toBeLessThan(1e-4);
      }
    }
  },
);
