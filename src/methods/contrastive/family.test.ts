import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { build } from '../../nn/index.ts';
import { grad, type Tensor } from '../../tensor/index.ts';
import { evaluate } from '../../tensor/testing/evaluate.ts';
import { noisesOf } from '../../tensor/testing/noises.ts';
import { salted } from '../../tensor/testing/salted.ts';
import type { Context, Method, Model } from '../method.ts';
import { methodNamed } from '../registry.ts';
import { constantSettings } from '../testing/settings.ts';

interface Case {
  method: string;
  settings: Record<string, string | number | boolean>;
  loss: number;
  terms: Record<string, number>;
  gradients: Record<string, { norm: number; first: number[] }>;
  /** The best assignment, where the method needs it. */
  partners?: number[];
}

/** Written by tools/fixtures_contrastive.py with PyTorch, which draws weights, items and noise by the same rules. */
const fixture: {
  batch: number;
  columns: number;
  z: number;
  s: number;
  order: number[];
  bothOrder: number[];
  cases: Case[];
} = JSON.parse(readFileSync(new URL('../fixtures/contrastive.json', import.meta.url), 'utf8'));
const { batch, columns, z, s, order, bothOrder } = fixture;
const context: Context = {
  item: { kind: 'table', columns: Array.from({ length: columns }, (_, j) => `${j}`) },
  range: 'real',
  items: 100,
  variables: [],
  labelled: 0,
};

function built(method: Method, given: Case['settings']): Model {
  return method.build(context, constantSettings(method.options, { zLatents: z, sLatents: s, ...given }));
}

/** What the graph leaves to a solver. */
function partnersIn(tensor: Tensor, seen = new Set<Tensor>()): Tensor[] {
  if (seen.has(tensor)) return [];
  seen.add(tensor);
  const below = tensor.inputs.flatMap((one) => partnersIn(one, seen));
  return tensor.op.name === 'partners' ? [...below, tensor] : below;
}

async function evaluated(known: Case) {
  const b = build({ size: batch, workers: 1 });
  const [step] = built(methodNamed(known.method), known.settings).steps(b);
  const parameters = step.groups.flatMap((group) => group.parameters);
  const gradients = grad(step.minimises, parameters);
  const terms = Object.values(step.terms);
  const feeds: Record<string, Float32Array | BigInt64Array> = {
    x: salted(batch * columns, 'x'),
    background: salted(batch * columns, 'background'),
  };
  for (const { name, count, distribution: kind } of noisesOf([step.minimises, ...terms])) {
    const plain = salted(count, name);
    feeds[name] =
      kind === 'permutation'
        ? BigInt64Array.from(count === batch ? order : bothOrder, BigInt)
        : typeof kind === 'object'
          ? plain.map((value) => (value > -0.5 ? 1 / 0.75 : 0))
          : plain;
  }
  for (const [name, { tensor }] of b.declared) {
    const shape = tensor.shape.map(Number);
    const bound = Math.fround(1 / Math.sqrt(shape[shape.length - 1]));
    const count = shape.reduce((product, size) => product * size, 1);
    feeds[name] = salted(count, name).map((value) => value * bound);
  }
  const given = new Map(partnersIn(step.minimises).map((tensor) => [tensor, 'partners']));
  if (known.partners) feeds.partners = BigInt64Array.from(known.partners, BigInt);
  const results = await evaluate([step.minimises, ...terms, ...gradients], feeds, { given });
  const names = [...b.declared].map(([name, { tensor }]) => [tensor, name] as const);
  const nameOf = new Map<Tensor, string>(names);
  return {
    loss: results[0][0],
    terms: Object.fromEntries(Object.keys(step.terms).map((name, i) => [name, results[1 + i][0]])),
    gradients: new Map(parameters.map((one, i) => [nameOf.get(one), results[1 + terms.length + i]])),
  };
}

test.each(fixture.cases.map((known) => [known.method, JSON.stringify(known.settings), known] as const))(
  '%s %s has PyTorch’s terms, loss, and gradient in every parameter of model and adversaries',
  async (_, __, known) => {
    const { loss, terms, gradients } = await evaluated(known);
    expect(loss / known.loss).toBeCloseTo(1, 5);
    expect(Object.keys(terms).sort()).toEqual(Object.keys(known.terms).sort());
    for (const [name, value] of Object.entries(known.terms)) expect(terms[name], name).toBeCloseTo(value, 3);
    expect([...gradients.keys()].sort()).toEqual(Object.keys(known.gradients).sort());
    for (const [name, { norm, first }] of Object.entries(known.gradients)) {
      const found = gradients.get(name) ?? new Float32Array();
      expect(Math.hypot(...found) / norm, name).toBeCloseTo(1, 4);
      for (const [i, value] of first.entries()) expect(Math.abs(found[i] - value) / norm, name).toBeLessThan(1e-4);
    }
  },
);

test('the neutral code of Rb-VAE is its learned reference, that of the others is not given', () => {
  const neutralOf = (name: string) => built(methodNamed(name), {}).neutral?.(build());
  expect(neutralOf('rb-vae')?.s.shape).toEqual([1, s]);
  expect(neutralOf('srb-vae')?.s.label ?? '').toBe('reference');
  expect(neutralOf('contrastive-correct')).toBeUndefined();
});

const sizes = { 'grassy-mnist': [3, 28], celeba: [3, 64], 'styled-mnist': [3, 64], affectnet: [3, 96] };

test.each(['contrastive-vae', 'contrastive-correct', 'cvae-tc', 'mm-cvae', 'sep-vae', 'clvm', 'rb-vae', 'srb-vae'])(
  'the presets of %s fit the images of their data',
  (name) => {
    const method = methodNamed(name);
    for (const [preset, [channels, side]] of Object.entries(sizes)) {
      const given = method.presets[preset];
      if (given === undefined) continue;
      const options = constantSettings(method.options, given);
      const item = { kind: 'image', channels, height: side, width: side } as const;
      const model = method.build({ ...context, item, range: 'symmetric' }, options);
      const b = build();
      const codes = Object.fromEntries(model.blocks.map((block) => [block.name, b.rows(block.name, [block.size])]));
      expect(model.decode(b, codes).shape).toEqual(['batch', channels, side, side]);
      expect(model.blocks.map(({ size }) => size)).toEqual([given.zLatents, given.sLatents]);
      const posteriors = Object.values(model.encode?.(b, b.rows('x', [channels, side, side])) ?? {});
      expect(posteriors.map((one) => one.kind === 'gaussian' && one.mean.shape[1])).toEqual([
        given.zLatents,
        given.sLatents,
      ]);
    }
  },
);
