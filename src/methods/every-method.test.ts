/** What every method has to pass, whoever wrote it: each is trained on a small problem once, and looked at from all sides. */
import ort from 'onnxruntime-node';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Block } from '../model/index.ts';
import { build, networks } from '../nn/index.ts';
import { stream } from '../random/index.ts';
import type { ProgramState } from '../runtime/index.ts';
import { toOnnx } from '../tensor/index.ts';
import { resolveSettings } from '../training/session/settings.ts';
import { meanOf, trainBriefly } from '../training/testing/briefly.ts';
import { methods } from './registry.ts';
import { classMeans, distance, drawnOfClasses, meanPicture } from './testing/classes.ts';
import { smallProblem, someCodes } from './testing/problems.ts';

const steps = 150;
const early = 3;

describe.each(Object.values(methods).map((method) => [method.name, method] as const))('%s', (name, method) => {
  let trained: Awaited<ReturnType<typeof trainBriefly>>;
  /** Of two players: how far what is drawn is from the data, before any step. */
  let farAtFirst: number | undefined;
  /** Before any step, after a few steps, after twice as many, and at the end. */
  const states: ProgramState[] = [];

  beforeAll(async () => {
    trained = await trainBriefly(method, { ...(await smallProblem(method)), steps: 0 });
    const { session, history } = trained;
    states.push(copied(await session.state()));
    farAtFirst = await distanceDrawn(trained);
    for (let step = 1; step <= steps; step++) {
      history.push(await session.step());
      if (step === early || step === 2 * early || step === steps) states.push(copied(await session.state()));
    }
  }, 60_000);
  afterAll(() => trained.session.close());

  test('what it minimises falls, on held-out items too', async () => {
    const { session, history } = trained;
    // Two players fall and rise; what is drawn comes near.
    if (farAtFirst !== undefined) {
      expect(await distanceDrawn(trained)).toBeLessThan(0.7 * farAtFirst);
      return;
    }
    const told = 'reconstruction' in history[0] ? 'reconstruction' : 'classification';
    const first = meanOf(history, told, 0, 10);
    const watched = await session.validationTerms();
    for (const last of [meanOf(history, told, steps - 20), watched?.[told]]) expect(last).toBeLessThan(0.8 * first);
    expect(meanOf(history, 'loss', steps - 20)).toBeLessThan(meanOf(history, 'loss', 0, 10));
  });

  test('every term is logged by its name in every step, and is a number', async () => {
    const { session, history } = trained;
    const { model } = session.assembled;
    const made = model.steps(build({ size: 16, workers: 1 }));
    const losses = made.map((step, i) => (i === made.length - 1 ? 'loss' : `${step.name} loss`));
    const names = [...losses, ...made.flatMap(({ terms }) => Object.keys(terms))];
    expect(new Set(names).size).toBe(names.length);
    for (const terms of history) {
      expect(Object.keys(terms).sort()).toEqual([...names].sort());
      for (const [term, value] of Object.entries(terms)) expect(Number.isFinite(value), term).toBe(true);
    }
    expect(Object.keys((await session.validationTerms()) ?? {})).toEqual(
      expect.arrayContaining(names.slice(made.length)),
    );
  });

  test('every parameter that can learn is in one group of a step, learns, and stays finite', () => {
    const b = build({ size: 16, workers: 1 });
    const groups = trained.session.assembled.model.steps(b).map((step) => step.groups);
    const [before, , , after] = states.map(({ parameters }) => parameters);
    for (const [parameter, { tensor, trainable }] of b.declared) {
      const owners = groups.map((all) => all.filter(({ parameters }) => parameters.includes(tensor)).length);
      expect(Math.max(...owners), parameter).toBe(trainable ? 1 : 0);
      const values = after.get(parameter) ?? new Float32Array([Number.NaN]);
      expect(values.every(Number.isFinite), parameter).toBe(true);
      if (trainable) expect(isSame(values, before.get(parameter)), parameter).toBe(false);
    }
  });

  test('encoder and decoder speak of its blocks, and the exported files give the numbers of the program', async () => {
    const { session, data } = trained;
    const { model, functions, program } = session.assembled;
    const parameters = (parameter: string) => states[3].parameters.get(parameter)!;
    const rows = 4;
    const x = data.target.data.gather(Uint32Array.of(0, 1, 2, 3));
    if (functions.encode) {
      expect(Object.keys(functions.encode).sort()).toEqual(model.blocks.flatMap(outputsOf).sort());
      const file = toOnnx({ name: 'encoder', outputs: functions.encode, parameters });
      const shape = functions.encode[outputsOf(model.blocks[0])[0]].shape;
      expect(shape).toEqual(['batch', model.blocks[0].size]);
      expectSame(await runFile(file, { x }), await program.run('encode', { x }));
    }
    const taken = (await program.inputsOf('decode')).map((input) => input.name);
    const known = model.blocks.filter((block) => taken.includes(block.name));
    const codes = Object.fromEntries(known.map((block) => [block.name, someCodes(block, rows)]));
    expect(Object.keys(codes).sort()).toEqual(taken.sort());
    const file = toOnnx({ name: 'decoder', outputs: functions.decode, parameters });
    const drawn = await program.run('decode', codes);
    expect(drawn.x.length).toBe(x.length);
    expectSame(await runFile(file, codes), drawn);
  });

  test('it goes on from a saved state to the same weights, bit for bit', async () => {
    const { session } = await trainBriefly(method, { ...(await smallProblem(method)), steps: 0 });
    await session.load(states[1], early);
    for (let step = 0; step < early; step++) await session.step();
    const resumed = await session.state();
    for (const kind of ['parameters', 'slots'] as const)
      for (const [parameter, values] of states[2][kind])
        expect(isSame(values, resumed[kind].get(parameter)), parameter).toBe(true);
    await session.close();
  });

  test('two workers take the steps that one takes', async () => {
    const { session, history } = await trainBriefly(method, {
      ...(await smallProblem(method)),
      steps: early,
      workers: 2,
    });
    await session.close();
    for (const [step, terms] of history.entries())
      for (const [term, value] of Object.entries(terms)) {
        const alone = trained.history[step][term];
        expect(Math.abs(value - alone), `${term} of step ${step}`).toBeLessThan(1e-4 * Math.max(1, Math.abs(alone)));
      }
  });

  test('its presets name options that exist and values that they take', () => {
    for (const [preset, given] of Object.entries(method.presets)) {
      const { options, training } = resolveSettings(method, { preset });
      const all = { ...training, ...options };
      for (const [option, value] of Object.entries(given))
        expect(all[option], `${option} of ${name} ${preset}`).toEqual(value);
      expect(Object.keys(networks)).toContain(options.network);
    }
  });

  test('what it has of ours is among its options, and said to be so', () => {
    for (const option of method.ours ?? []) expect(Object.keys(method.options)).toContain(option);
  });
});

/** What an encoder says of a block. */
function outputsOf({ name, kind }: Block): string[] {
  return kind === 'gaussian' ? [`${name} mean`, `${name} log variance`] : [`${name} probabilities`];
}

/**
 * Of a generator and its discriminator: how far the mean of what is drawn of the first class is from that class's mean, or of all
 * classes from the mean of the data where no class is known.
 */
async function distanceDrawn({ session, data }: Awaited<ReturnType<typeof trainBriefly>>) {
  const made = session.assembled.model.steps(build({ size: 16, workers: 1 }));
  if (!made.some(({ terms }) => 'generator' in terms)) return undefined;
  const rows = 64;
  const drawn = await drawnOfClasses(session, rows, stream(1, 'noise').normals(rows * 64));
  const means = drawn.map((one) => meanPicture(one, rows));
  if (data.variables.length > 0) return distance(means[0], classMeans(data)[0]);
  const all = means[0].map((_, j) => means.reduce((sum, one) => sum + one[j] / means.length, 0));
  const { data: items } = data.target;
  const known = Uint32Array.from({ length: items.length }, (_, i) => i);
  return distance(all, meanPicture(items.gather(known), known.length));
}

/** Bit for bit. */
function isSame(one: Float32Array, other: Float32Array | undefined): boolean {
  const bytes = ({ buffer, byteOffset, byteLength }: Float32Array) => Buffer.from(buffer, byteOffset, byteLength);
  return other !== undefined && bytes(one).equals(bytes(other));
}

async function runFile(file: Uint8Array, feeds: Record<string, Float32Array>) {
  const session = await ort.InferenceSession.create(file, { intraOpNumThreads: 1, logSeverityLevel: 3 });
  const shapes = new Map(session.inputMetadata.map((input) => [input.name, 'shape' in input ? input.shape : []]));
  const fed = Object.entries(feeds).map(([name, values]) => {
    const item = (shapes.get(name) ?? []).slice(1).map(Number);
    const size = item.reduce((product, side) => product * side, 1);
    return [name, new ort.Tensor('float32', values, [values.length / size, ...item])];
  });
  const results = await session.run(Object.fromEntries(fed.filter(([name]) => shapes.has(String(name)))));
  await session.release();
  return Object.fromEntries(
    Object.entries(results).map(([name, { data }]) => [name, Float32Array.from(data as Float32Array)]),
  );
}

function expectSame(found: Record<string, Float32Array>, expected: Record<string, Float32Array>) {
  expect(Object.keys(found).sort()).toEqual(Object.keys(expected).sort());
  for (const [output, values] of Object.entries(expected))
    for (const [i, value] of values.entries())
      expect(Math.abs(found[output][i] - value), output).toBeLessThan(1e-4 * Math.max(1, Math.abs(value)));
}

function copied({ parameters, slots, ...rest }: ProgramState): ProgramState {
  const copies = (map: ReadonlyMap<string, Float32Array>) =>
    new Map([...map].map(([key, values]) => [key, values.slice()]));
  return { ...rest, parameters: copies(parameters), slots: copies(slots) };
}
