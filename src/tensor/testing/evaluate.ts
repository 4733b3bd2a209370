/** Numbers for symbolic tensors: runs them through ONNX Runtime, and differentiates them by central differences. */
import ort from 'onnxruntime-node';
import { expect } from 'vitest';
import { stream } from '../../random/index.ts';
import { grad } from '../grad.ts';
import { writeGraph } from '../onnx.ts';
import { input } from '../ops/leaf.ts';
import { encodeModel } from '../protobuf.ts';
import { type Shape, sizeOf } from '../shape.ts';
import { whole } from '../spread.ts';
import type { Tensor } from '../tensor.ts';

/** What an input or parameter is fed. */
export type Feed = readonly number[] | Float32Array | BigInt64Array;
export type Feeds = Record<string, Feed>;

/** A compiled graph: values of its tensors for given feeds, as often as wanted. */
export interface Evaluator {
  run(feeds: Feeds): Promise<Float32Array[]>;
  close(): Promise<void>;
}

/** What a graph is written with, besides its outputs. */
export interface Writing {
  given?: ReadonlyMap<Tensor, string>;
  worker?: number;
  workers?: number;
}

/**
 * The values of tensors. Truth values come as 0 and 1, whole numbers as floats.
 *
 * @example const [y, dx] = await evaluate([loss, ...grad(loss, [x])], { x: [1, 2, 3] })
 */
export async function evaluate(tensors: readonly Tensor[], feeds: Feeds = {}, writing?: Writing) {
  const evaluator = await evaluatorOf(tensors, writing);
  try {
    return await evaluator.run(feeds);
  } finally {
    await evaluator.close();
  }
}

/** Compiles tensors, for many runs. */
export async function evaluatorOf(tensors: readonly Tensor[], writing: Writing = {}): Promise<Evaluator> {
  const outputs = Object.fromEntries(tensors.map((tensor, i) => [`output ${i}`, tensor]));
  const graph = writeGraph({ name: 'test', outputs, ...writing });
  const { sources } = graph;
  const session = await ort.InferenceSession.create(encodeModel(graph), {
    intraOpNumThreads: 1,
    interOpNumThreads: 1,
    logSeverityLevel: 3,
  });
  return {
    async run(feeds) {
      const batch = batchOf(sources, feeds);
      const fed = Object.fromEntries(
        [...sources].map(([name, { shape }]) => [name, fedTensor(feeds[name], shape, batch)]),
      );
      const results = await session.run(fed);
      return tensors.map((tensor, i) => {
        const { data, dims } = results[`output ${i}`];
        expect(dims, `the shape of ${tensor.label ?? tensor.op.name}`).toEqual(sized(tensor.shape, batch));
        if (data instanceof Float32Array) return Float32Array.from(data);
        if (data instanceof BigInt64Array || data instanceof Uint8Array) return Float32Array.from(data, Number);
        throw new Error(`an output of type ${results[`output ${i}`].type}`);
      });
    },
    close: () => session.release(),
  };
}

/** The free batch size, by the feed that has one. */
function batchOf(sources: ReadonlyMap<string, Tensor>, feeds: Feeds): number {
  for (const [name, { shape }] of sources) {
    if (feeds[name] === undefined) throw new Error(`“${name}” is not fed`);
    const [free, ...item] = shape;
    if (free === 'batch') return feeds[name].length / sizeOf(item);
  }
  return 1;
}

function sized(shape: Shape, batch: number): number[] {
  return shape.map((dimension) => (dimension === 'batch' ? batch : dimension));
}

function fedTensor(feed: Feed, shape: Shape, batch: number) {
  if (feed instanceof BigInt64Array) return new ort.Tensor('int64', feed, sized(shape, batch));
  return new ort.Tensor('float32', Float32Array.from(feed), sized(shape, batch));
}

/** That each number is as expected within `tolerance`, of itself or of 1, whichever is larger. */
export function expectClose(actual: ArrayLike<number>, expected: ArrayLike<number>, tolerance = 1e-5, what = 'values') {
  expect(actual.length, `how many ${what}`).toBe(expected.length);
  for (let i = 0; i < expected.length; i++) {
    if (Math.abs(actual[i] - expected[i]) <= tolerance * Math.max(1, Math.abs(expected[i]))) continue;
    if (Object.is(actual[i], expected[i])) continue;
    expect.fail(`${what}: ${actual[i]} at place ${i}, where ${expected[i]} is expected`);
  }
}

/** An input for `checkGradient`: a shape, to be filled with normal numbers, or numbers of one's own. */
export interface Variable {
  shape: readonly number[];
  values?: Float32Array;
}

/**
 * That `grad` agrees with central differences for a formula of any shape, under a fixed random weighting of its entries.
 * Differences of the fourth order with h = 1/32 leave 10⁻⁵ to rounding in single precision and 10⁻⁶ to curvature; the
 * formula must have no kink within 1/16 of its inputs.
 */
export async function checkGradient(
  formula: (...inputs: Tensor[]) => Tensor,
  variables: readonly Variable[],
  tolerance = 1e-3,
): Promise<void> {
  const random = stream(1, 'gradient check');
  const inputs = variables.map(({ shape }, i) => input(`variable ${i}`, shape));
  const values = variables.map(({ shape, values }) => values ?? random.normals(sizeOf(shape)));
  const output = formula(...inputs);
  const weights = input('weights', output.shape, { spread: output.spread.kind === 'rows' ? output.spread : whole });
  const feeds: Feeds = Object.fromEntries(values.map((numbers, i) => [`variable ${i}`, numbers]));
  feeds.weights = random.normals(sizeOf(output.shape));
  const gradients = await evaluate(grad(output.times(weights).sum(), inputs), feeds);
  const forward = await evaluatorOf([output]);
  const h = 1 / 32;
  for (const [i, gradient] of gradients.entries()) {
    const moved = Float32Array.from(values[i]);
    /** Σ wᵢ yᵢ in double precision, so that only the outputs themselves are rounded. */
    const at = async (place: number, value: number) => {
      const kept = moved[place];
      moved[place] = value;
      const [y] = await forward.run({ ...feeds, [`variable ${i}`]: moved });
      moved[place] = kept;
      return y.reduce((sum, one, j) => sum + one * Number(feeds.weights[j]), 0);
    };
    const differences = new Float64Array(gradient.length);
    for (let place = 0; place < gradient.length; place++) {
      const x = values[i][place];
      const near = (await at(place, x + h)) - (await at(place, x - h));
      const far = (await at(place, x + 2 * h)) - (await at(place, x - 2 * h));
      differences[place] = (8 * near - far) / (12 * h);
    }
    const scale = differences.reduce((largest, one) => Math.max(largest, Math.abs(one)), 1);
    expectClose(gradient, differences, tolerance * scale, `gradient in input ${i}`);
  }
  await forward.close();
}
