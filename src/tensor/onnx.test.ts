import { BinaryReader, WireType } from '@bufbuild/protobuf/wire';
import ort from 'onnxruntime-node';
import { describe, expect, test } from 'vitest';
import { grad } from './grad.ts';
import { toOnnx, type WrittenGraph, writeGraph } from './onnx.ts';
import { relu, softmax, tanh } from './ops/activation.ts';
import { exp, greater } from './ops/elementwise.ts';
import { concat, gather } from './ops/layout.ts';
import { constant, input, parameter } from './ops/leaf.ts';
import { sizeOf } from './shape.ts';
import type { Tensor } from './tensor.ts';
import { evaluate, expectClose } from './testing/evaluate.ts';
import { representativeGraphs } from './testing/graphs.ts';
import { exportedPair, trainingStep } from './testing/training-step.ts';

const x = input('x', [3]);
const write = (outputs: Record<string, Tensor>) => writeGraph({ name: 'test', outputs });
const types = (graph: WrittenGraph) => graph.nodes.map(({ type }) => type);

describe('what is written, once', () => {
  test('equal sub-expressions are one node, wherever they were written', () => {
    const graph = write({ y: exp(x).plus(1).times(exp(x).plus(1)) });
    expect(types(graph).sort()).toEqual(['Add', 'Exp', 'Mul']);
  });

  test('equal ops with other options or other inputs are two nodes', () => {
    const a = input('a', [2, 3]);
    const graph = write({ y: concat([softmax(a, 0), softmax(a, 1), softmax(a.times(2), 1)], 0) });
    expect(types(graph).filter((type) => type === 'Softmax')).toHaveLength(3);
  });

  test('names with spaces do not make two nodes look equal', async () => {
    const ab = input('a b', []);
    const c = input('c', []);
    const a = input('a', []);
    const bc = input('b c', []);
    const values = await evaluate([ab.minus(c), a.minus(bc)], { 'a b': [5], c: [1], a: [7], 'b c': [2] });
    expect(values.map(([value]) => value)).toEqual([4, 5]);
  });

  test('equal constants are one initialiser; those that differ in a bit or in shape are not', () => {
    const long = Float32Array.from({ length: 100 }, (_, i) => i);
    const other = Float32Array.from(long);
    other[99] += 1e-5;
    const join = (values: Float32Array[]) =>
      concat(
        values.map((one) => constant(one, [100])),
        0,
      );
    expect(write({ y: join([long, long]) }).initialisers).toHaveLength(1);
    expect(write({ y: join([long, other]) }).initialisers).toHaveLength(2);
    const shapes = write({ y: x.plus(constant([1, 2, 3], [3])), z: x.plus(constant([1, 2, 3], [1, 3])) });
    expect(shapes.initialisers).toHaveLength(2);
  });

  test('a gradient shares the forward pass instead of computing it again', () => {
    const y = tanh(x).sum();
    const graph = write({ y, dx: grad(y, [x])[0] });
    expect(types(graph).filter((type) => type === 'Tanh')).toHaveLength(1);
  });

  test.each(representativeGraphs())(
    '%s: no node, input or constant that nothing needs, and no two equal nodes',
    (_, options) => {
      const graph = writeGraph(options);
      const used = new Set([...graph.nodes.flatMap(({ inputs }) => inputs), ...graph.outputs.map(({ name }) => name)]);
      const made = [
        ...graph.nodes.map(({ output }) => output),
        ...graph.inputs.map(({ name }) => name),
        ...graph.initialisers.map(({ name }) => name),
      ];
      expect(made.filter((name) => !used.has(name))).toEqual([]);
      expect(new Set(made).size).toBe(made.length);
      const known = new Set([...made, '']);
      expect([...used].filter((name) => !known.has(name))).toEqual([]);
      const contents = graph.nodes.map(({ type, inputs, attributes }) => JSON.stringify([type, inputs, attributes]));
      const copies = graph.nodes.filter(({ type }) => type === 'Identity').length;
      expect(contents.length - new Set(contents).size).toBeLessThanOrEqual(copies);
      expect(new Set(graph.nodes.map(({ name }) => name)).size).toBe(graph.nodes.length);
    },
  );
});

describe('names that a person recognises', () => {
  test('a labelled tensor, an input, a parameter and an output keep their names', () => {
    const w = parameter('encoder.weight', [3]);
    const graph = write({ loss: relu(x.times(w).named('scaled')).sum() });
    expect(graph.inputs.map(({ name }) => name)).toEqual(['x', 'encoder.weight']);
    expect(graph.nodes.map(({ name }) => name)).toEqual([
      'Mul: scaled',
      'Relu: relu',
      'ReduceSum: sum',
      'Reshape: loss',
    ]);
    expect(graph.outputs.map(({ name }) => name)).toEqual(['loss']);
  });

  test('a gradient is called d of what it is the gradient in', () => {
    const w = parameter('w', [3]);
    const y = relu(x.times(w)).named('hidden').square().sum();
    const graph = write({ y, step: w.minus(grad(y, [w])[0]) });
    const made = graph.nodes.map(({ output }) => output);
    expect(made).toContain('d hidden');
    expect(made).toContain('d w');
  });

  test('a label that is also an input’s or an output’s name gives way', async () => {
    const labelled = exp(input('z', [])).named('x');
    const y = labelled.plus(input('x', [])).named('y').times(2);
    const graph = write({ y });
    expect(graph.inputs.map(({ name }) => name)).toEqual(['z', 'x']);
    expect(graph.nodes.map(({ output }) => output)).toEqual(['x_2', 'y_2', 'y']);
    const [value] = await evaluate([y], { z: [0], x: [3] });
    expect([...value]).toEqual([8]);
  });

  test('the first name that a tensor gets stays', () => {
    expect(exp(x).named('z').named('layer3 out').label).toBe('z');
  });

  test('three tensors of one label are told apart by numbers', () => {
    const [a, b, c] = [exp(x).named('h'), tanh(x).named('h'), relu(x).named('h')];
    const graph = write({ y: a.plus(b).plus(c) });
    expect(graph.nodes.map(({ output }) => output).filter((name) => name.startsWith('h'))).toEqual(['h', 'h_2', 'h_3']);
  });

  test('a parameter that is written into the graph keeps its name', () => {
    const w = parameter('decoder.bias', [3]);
    const graph = writeGraph({ name: 't', outputs: { y: x.plus(w) }, parameters: () => Float32Array.of(1, 2, 3) });
    expect(graph.initialisers.map(({ name }) => name)).toEqual(['decoder.bias']);
    expect(graph.inputs.map(({ name }) => name)).toEqual(['x']);
  });
});

describe('outputs of every kind', () => {
  test('inputs, constants, and the same tensor twice can be outputs', async () => {
    const y = exp(x);
    const one = constant([1, 2], [2]);
    const values = await evaluate([x, x, one, one, y, y, exp(x), y.plus(1)], { x: [0, 1, 2] });
    expect([...values[0]]).toEqual([0, 1, 2]);
    expect(values[1]).toEqual(values[0]);
    expect([...values[2]]).toEqual([1, 2]);
    expect(values[3]).toEqual(values[2]);
    expectClose(values[4], [1, Math.E, Math.E ** 2], 1e-6);
    expect(values[5]).toEqual(values[4]);
    expect(values[6]).toEqual(values[4]);
    expectClose(values[7], [2, 1 + Math.E, 1 + Math.E ** 2], 1e-6);
  });

  test('whole numbers and truth values come out as they are', async () => {
    const labels = input('labels', [3], { type: 'int64' });
    const values = await evaluate([labels, labels.plus(1), greater(labels, 1)], {
      labels: BigInt64Array.of(0n, 1n, 2n),
    });
    expect(values.map((value) => [...value])).toEqual([
      [0, 1, 2],
      [1, 2, 3],
      [0, 0, 1],
    ]);
  });

  test('a tensor that is given needs nothing of what it was made from', async () => {
    const hidden = exp(input('far', [2])).named('hidden');
    const [value] = await evaluate(
      [hidden.plus(1)],
      { 'given hidden': [1, 2] },
      { given: new Map([[hidden, 'given hidden']]) },
    );
    expect([...value]).toEqual([2, 3]);
  });
});

describe('names that clash are refused', () => {
  test('two inputs of one name must have one shape and type', () => {
    const message = 'Two inputs are called “x”: “x” [4] and one of shape [3].';
    expect(() => write({ y: concat([x, input('x', [4])], 0) })).toThrow(message);
    const whole = exp(x).plus(1);
    expect(() => write({ y: gather(whole, input('x', [3], { type: 'int64' })) })).toThrow('Two inputs are called “x”');
    expect(types(write({ y: x.plus(input('x', [3])) }))).toEqual(['Add']);
  });

  test('two inputs of one name must be the same thing', () => {
    const noise = input('x', [3], { is: { kind: 'noise', distribution: 'normal' } });
    expect(() => write({ y: x.plus(noise) })).toThrow('Two inputs are called “x”: one is data, the other noise.');
  });

  test('an output can’t have an input’s name', () => {
    expect(() => write({ x: x.plus(1) })).toThrow('The input “x” [3] and an output are both called “x”.');
  });

  test('a parameter must get as many values as it has', () => {
    const outputs = { y: x.plus(parameter('w', [3])) };
    expect(() => writeGraph({ name: 't', outputs, parameters: () => new Float32Array(2) })).toThrow(
      'The parameter “w” [3] is given 2 values.',
    );
  });
});

describe('the bytes', () => {
  test('IR version 8, opset 17 of the standard domain, the graph’s name and metadata', () => {
    const bytes = toOnnx({ name: 'decoder', outputs: { y: exp(x) }, metadata: { method: 'beta-vae' } });
    const model = fields(bytes);
    expect(model.get(1)).toEqual([8]);
    expect(model.get(2)?.map(text)).toEqual(['untangle']);
    const [opset] = (model.get(8) ?? []).map(nested);
    expect(opset.get(2)).toEqual([17]);
    const [graph] = (model.get(7) ?? []).map(nested);
    expect(graph.get(2)?.map(text)).toEqual(['decoder']);
    const [entry] = (model.get(14) ?? []).map(nested);
    expect([entry.get(1)?.map(text), entry.get(2)?.map(text)]).toEqual([['method'], ['beta-vae']]);
  });

  test('the same formula gives the same bytes twice', () => {
    const make = () => toOnnx({ name: 'step', outputs: trainingStep({ size: 4, workers: 1 }) });
    expect(Buffer.compare(make(), make())).toBe(0);
  });

  test('ONNX Runtime reads the inputs and outputs back as they were declared', async () => {
    const { encoder } = exportedPair();
    const parameters = (name: string) => new Float32Array(sizeOf(write(encoder).sources.get(name)!.shape));
    const session = await ort.InferenceSession.create(toOnnx({ name: 'encoder', outputs: encoder, parameters }));
    expect(session.inputNames).toEqual(['image']);
    expect(session.outputNames).toEqual(['mean', 'log variance']);
    expect(session.inputMetadata).toEqual([
      { name: 'image', isTensor: true, type: 'float32', shape: ['batch', 1, 12, 12] },
    ]);
    await session.release();
  });
});

/** A protobuf message's fields: numbers, or the bytes of strings and messages inside. */
type Fields = Map<number, (number | Uint8Array)[]>;

function fields(bytes: Uint8Array): Fields {
  const reader = new BinaryReader(bytes);
  const found: Fields = new Map();
  while (reader.pos < reader.len) {
    const [number, wire] = reader.tag();
    const list = found.get(number) ?? [];
    if (wire === WireType.Varint) list.push(Number(reader.int64()));
    else if (wire === WireType.LengthDelimited) list.push(reader.bytes());
    else reader.skip(wire, number);
    found.set(number, list);
  }
  return found;
}

const text = (value: number | Uint8Array) =>
  typeof value === 'number' ? String(value) : new TextDecoder().decode(value);
const nested = (value: number | Uint8Array) => fields(typeof value === 'number' ? new Uint8Array() : value);
