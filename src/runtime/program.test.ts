import { afterAll, expect, test } from 'vitest';
import { batchNorm, build, constantly, initialValues, linear } from '../nn/index.ts';
import { stream } from '../random/index.ts';
import { input, matmul, parameter, type Tensor, tanh, wholeBatch } from '../tensor/index.ts';
import { adam, adamW, rmsprop, sgd } from '../training/session/optimisers.ts';
import { missingLibrary } from './node/backend.ts';
import { nodeBackend, openTeam } from './node/index.ts';
import { compile, NonFiniteError, type Program, type ProgramSpec } from './program.ts';
import type { Optimiser, Step } from './step.ts';

const backend = await nodeBackend();
const opened: Program[] = [];
afterAll(async () => {
  for (const program of opened) await program.close();
});

async function open(spec: ProgramSpec, workers = 1): Promise<Program> {
  const program = await compile(spec, { backend, workers, team: openTeam });
  opened.push(program);
  return program;
}

const rows = 8;
const features = 3;
const x = stream(1, 'x').normals(rows * features);

/** A small network with a term in which rows meet: the squared covariance of its codes. */
function coupled(workers: number, options: { clipNorm?: number; optimiser?: Optimiser } = {}): ProgramSpec {
  const b = build({ size: rows, workers });
  const code = tanh(linear(b.at('code'), b.rows('x', [features]), 5));
  const back = linear(b.at('back'), code, features);
  const error = back
    .minus(b.rows('x', [features]))
    .square()
    .sum(1)
    .mean();
  const all = wholeBatch(code);
  const centred = all.minus(all.mean(0, { keepDimensions: true }));
  const covariance = matmul(centred.transpose(), centred).times(1 / rows);
  const decorrelation = covariance.square().sum();
  const capacity = code.square().sum(1).mean().minus(0.5).abs();
  const group = (name: string, path: string) => ({
    name,
    parameters: [...b.declared].filter(([key]) => key.startsWith(path)).map(([, { tensor }]) => tensor),
    optimiser: options.optimiser ?? adam(),
  });
  const step: Step = {
    minimises: error.plus(decorrelation.times(3)).plus(capacity),
    terms: { error, decorrelation, capacity },
    groups: [group('encoder', 'code'), group('decoder', 'back')],
    clipNorm: options.clipNorm,
  };
  return { parameters: initialValues(b.declared, 4), steps: { train: step } };
}

const feeds = { x, 'encoder learning rate': 0.05, 'decoder learning rate': 0.02 };

async function trained(
  spec: ProgramSpec,
  workers: number,
  steps = 5,
): Promise<{ losses: number[]; weights: Map<string, Float32Array> }> {
  const program = await open(spec, workers);
  const losses = [];
  for (let i = 0; i < steps; i++) losses.push((await program.step('train', feeds)).loss);
  return { losses, weights: (await program.state()).parameters };
}

test.each([
  ['plain', {}],
  ['with a clipped gradient', { clipNorm: 0.1 }],
  ['with SGD and momentum', { optimiser: sgd({ momentum: 0.9 }) }],
])('a step whose rows meet does not depend on the number of workers: %s', async (_, options) => {
  const one = await trained(coupled(1, options), 1);
  for (const workers of [2, 4]) {
    const many = await trained(coupled(workers, options), workers);
    for (const [i, loss] of many.losses.entries()) expect(Math.abs(loss / one.losses[i] - 1)).toBeLessThan(1e-5);
    for (const [name, values] of one.weights) {
      values.forEach((value, i) => {
        expect(Math.abs(many.weights.get(name)![i] - value)).toBeLessThan(1e-4);
      });
    }
  }
});

test('an update in several pieces, whose last share runs past the end, does not depend on the number of workers', async () => {
  const spec = (workers: number): ProgramSpec => {
    const b = build({ size: rows, workers });
    const back = linear(b.at('back'), linear(b.at('wide'), b.rows('x', [features]), 45_001), 1);
    const parameters = [...b.declared.values()].map(({ tensor }) => tensor);
    return {
      parameters: initialValues(b.declared, 4),
      steps: {
        train: { minimises: back.square().mean(), terms: {}, groups: [{ name: 'all', parameters, optimiser: adam() }] },
      },
    };
  };
  const states = [];
  for (const workers of [1, 2]) {
    const program = await open(spec(workers), workers);
    for (let i = 0; i < 3; i++) await program.step('train', { x, 'all learning rate': 1e-3 });
    states.push(await program.state());
  }
  for (const [name, values] of states[0].parameters) {
    const other = states[1].parameters.get(name)!;
    const apart = values.reduce((most, value, i) => Math.max(most, Math.abs(value - other[i])), 0);
    expect(apart).toBeLessThan(1e-4);
  }
  expect(states[1].slots.get('train/all/first moment')!.length).toBe(5 * 45_001 + 1);
});

test('batch statistics and the running ones do not depend on the number of workers', async () => {
  const spec = (workers: number): ProgramSpec => {
    const b = build({ size: rows, workers });
    const y = batchNorm(b.at('norm'), linear(b.at('layer'), b.rows('x', [features]), 4));
    const target = b.rows('target', [4]);
    const loss = y.minus(target).square().sum(1).mean();
    const trainable = [...b.declared.values()].filter((one) => one.trainable).map((one) => one.tensor);
    const train = {
      minimises: loss,
      terms: {},
      groups: [{ name: 'all', parameters: trainable, optimiser: sgd() }],
      assigns: b.assigns,
    };
    return { parameters: initialValues(b.declared, 9), steps: { train } };
  };
  const target = stream(2, 'target').normals(rows * 4);
  const results: Map<string, Float32Array>[] = [];
  for (const workers of [1, 2]) {
    const program = await open(spec(workers), workers);
    for (let i = 0; i < 3; i++) await program.step('train', { x, target, 'all learning rate': 0.1 });
    results.push((await program.state()).parameters);
  }
  expect(results[0].get('norm.running mean')![0]).not.toBe(0);
  for (const [name, values] of results[0]) {
    values.forEach((value, i) => {
      expect(Math.abs(results[1].get(name)![i] - value)).toBeLessThan(1e-5);
    });
  }
});

test('a program goes on from a saved state exactly as if it had not stopped', async () => {
  for (const workers of [1, 2]) {
    const whole = await open(coupled(workers), workers);
    for (let i = 0; i < 6; i++) await whole.step('train', feeds);
    const first = await open(coupled(workers), workers);
    for (let i = 0; i < 3; i++) await first.step('train', feeds);
    const second = await open(coupled(workers), workers);
    await second.load(await first.state());
    for (let i = 0; i < 3; i++) await second.step('train', feeds);
    expect(await second.state()).toEqual(await whole.state());
  }
});

test('a saved state that lacks what the optimiser remembers is refused, and says what it lacks', async () => {
  const program = await open(coupled(1));
  await program.step('train', feeds);
  const saved = await program.state();
  await program.step('train', feeds);
  const now = await program.state();
  const slots = new Map([...saved.slots].filter(([name]) => !name.startsWith('train/decoder/')));
  await expect(program.load({ ...saved, slots })).rejects.toThrow(
    'The saved optimiser lacks “train/decoder/first moment”, “train/decoder/second moment”.',
  );
  expect(await program.state()).toEqual(now);
});

/** One parameter p with the loss ½ Σ a p², whose optimisation can be followed by hand. */
function quadratic(optimiser: Optimiser): ProgramSpec {
  const p = parameter('p', [2]);
  const loss = p
    .square()
    .times(input('a', [2]))
    .sum()
    .times(0.5);
  return {
    parameters: [{ name: 'p', shape: [2], initial: Float32Array.of(1, -2) }],
    steps: { train: { minimises: loss, terms: {}, groups: [{ name: 'p', parameters: [p], optimiser }] } },
  };
}

// Expected values: torch.optim of PyTorch 1.13.1 on the same quadratic, three steps of rate 0.1 (tools/fixtures_optimisers.py).
const followed = (await import('./fixtures/optimisers.json', { with: { type: 'json' } })).default;
test.each([
  ['adam', adam()],
  ['adam betas', adam({ beta1: 0.5, beta2: 0.99 })],
  ['adamW', adamW({ decay: 0.1 })],
  ['sgd', sgd()],
  ['sgd momentum', sgd({ momentum: 0.9 })],
  ['rmsprop', rmsprop()],
] as const)('%s moves parameters as PyTorch does', async (name, optimiser) => {
  const program = await open(quadratic(optimiser));
  for (const expected of followed.paths[name]) {
    await program.step('train', { a: Float32Array.of(1, 3), 'p learning rate': 0.1 });
    const p = (await program.state()).parameters.get('p')!;
    expected.forEach((value, i) => {
      expect(Math.abs(p[i] - value)).toBeLessThan(1e-6);
    });
  }
});

test('a loss that is not finite is noticed in its step, named, and leaves the state as it was', async () => {
  const program = await open(quadratic(sgd()));
  await program.step('train', { a: Float32Array.of(1, 1), 'p learning rate': 0.1 });
  const before = await program.state();
  const failing = program.step('train', { a: Float32Array.of(Number.NaN, 1), 'p learning rate': 0.1 });
  await expect(failing).rejects.toThrow(NonFiniteError);
  await expect(failing).rejects.toThrow('Step 2 of “train” is not finite: loss = NaN.');
  expect(await program.state()).toEqual(before);
});

test('a feed that is missing, extra, of the wrong type or size is named', async () => {
  const program = await open(quadratic(sgd()));
  const rate = { 'p learning rate': 0.1 };
  await expect(program.step('train', rate)).rejects.toThrow('“train” was not fed “a”, which is float32 of shape [2].');
  await expect(program.step('train', { ...rate, a: new Float32Array(2), b: 1 })).rejects.toThrow(
    '“train” takes no “b”',
  );
  await expect(program.step('train', { ...rate, a: new Float32Array(3) })).rejects.toThrow('was fed 3 numbers for “a”');
  await expect(program.step('train', { ...rate, a: new BigInt64Array(2) })).rejects.toThrow('was fed int64 for “a”');
  await expect(program.step('test', {})).rejects.toThrow('no step “test”, only train');
});

test('weights that do not fit the model are refused by name', async () => {
  const program = await open(quadratic(sgd()));
  const state = { slots: new Map(), counts: {} };
  const load = (parameters: [string, Float32Array][]) => program.load({ ...state, parameters: new Map(parameters) });
  await expect(load([])).rejects.toThrow('lack the values of “p”');
  await expect(load([['p', new Float32Array(3)]])).rejects.toThrow('hold 3 values for “p”, which has shape [2]');
  await expect(
    load([
      ['p', new Float32Array(2)],
      ['q', new Float32Array(1)],
    ]),
  ).rejects.toThrow('hold “q”, which this model does not have');
});

test('functions see the parameters as the last step left them, for any number of rows', async () => {
  const b = build();
  const doubled: Tensor = b.rows('x', [2]).times(b.parameter('p', [2], constantly(3)));
  const p = b.declared.get('p')!.tensor;
  const program = await open({
    parameters: initialValues(b.declared, 1),
    functions: { scale: { y: doubled }, both: { y: doubled.plus(b.rows('w', [2])) } },
    steps: { train: { minimises: p.sum(), terms: {}, groups: [{ name: 'p', parameters: [p], optimiser: sgd() }] } },
  });
  expect(Array.from((await program.run('scale', { x: Float32Array.of(1, 2) })).y)).toEqual([3, 6]);
  await program.step('train', { 'p learning rate': 1 });
  expect(Array.from((await program.run('scale', { x: Float32Array.of(1, 2, 3, 4) })).y)).toEqual([2, 4, 6, 8]);
  await expect(program.run('scale', { x: new Float32Array(3) })).rejects.toThrow('was fed 3 numbers for “x”');
  await expect(program.run('both', { x: new Float32Array(4), w: new Float32Array(2) })).rejects.toThrow(
    /“both” was fed [12] rows of “[wx]” but [12] of “[wx]”/,
  );
});

test('the WebAssembly runtime gives the same numbers as the native one', async () => {
  const ort = await import('onnxruntime-web');
  const { webBackend } = await import('./web/backend.ts');
  ort.env.wasm.numThreads = 1;
  const web = await compile(coupled(1), { backend: webBackend(ort) });
  const native = await open(coupled(1));
  for (let i = 0; i < 5; i++) {
    const [a, b] = [await web.step('train', feeds), await native.step('train', feeds)];
    for (const [name, value] of Object.entries(b)) {
      expect(Math.abs(a[name] - value)).toBeLessThan(1e-4 * Math.max(1, Math.abs(value)));
    }
  }
});

test('a platform without the native library is told what to do', () => {
  const error = missingLibrary(new Error('no such file'));
  expect(error.message).toContain(`${process.platform}-${process.arch}: no such file`);
  expect(error.hint).toContain('onnxruntime-web');
});

test.each([1, 2])(
  'an input that a method calls as the trainer calls its own is fed all the same (%i workers)',
  async (workers) => {
    const spec = (names: { count: string; scale: string; vector: string }): ProgramSpec => {
      const b = build({ size: rows, workers });
      const code = linear(b.at('code'), b.rows('x', [features]), 2);
      const error = code
        .minus(input(names.count, []))
        .times(input(names.scale, []))
        .minus(input(names.vector, [2]))
        .square()
        .sum(1)
        .mean();
      const parameters = [...b.declared.values()].map(({ tensor }) => tensor);
      const groups = [{ name: 'model', parameters, optimiser: adam() }];
      return {
        parameters: initialValues(b.declared, 4),
        steps: { train: { minimises: error, terms: {}, groups, clipNorm: 0.5 } },
      };
    };
    const losses = [];
    for (const names of [
      { count: 'a', scale: 'b', vector: 'c' },
      { count: 'step count', scale: 'gradient scale', vector: 'model first moment' },
    ]) {
      const program = await open(spec(names), workers);
      const own = { [names.count]: 3, [names.scale]: 0.7, [names.vector]: Float32Array.of(0.2, -0.4) };
      const given = [];
      for (let i = 0; i < 4; i++)
        given.push((await program.step('train', { x, 'model learning rate': 0.05, ...own })).loss);
      losses.push(given);
    }
    expect(losses[1]).toEqual(losses[0]);
    expect(losses[0][3]).toBeLessThan(losses[0][0]);
  },
);
