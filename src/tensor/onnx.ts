/** Writes graphs of symbolic tensors as ONNX: each node once, equal nodes once, nothing that no output needs. */
import { UntangleError } from '../errors.ts';
import { isInput, isKept, isParameter } from './ops/leaf.ts';
import { inOrder } from './passes/order.ts';
import {
  type AttributeValue,
  elementTypes,
  encodeModel,
  type OnnxGraph,
  type OnnxNode,
  type OnnxTensor,
  type OnnxValue,
} from './protobuf.ts';
import { type DataType, sizeOf } from './shape.ts';
import { show } from './spread.ts';
import type { Tensor } from './tensor.ts';

/** What an op's `write` may do: add nodes and constants to the graph. */
export interface GraphWriter {
  /** Which worker's graph this is, and how many there are. */
  readonly worker: number;
  readonly workers: number;
  /** Adds a node; `tensor` or `hint` names its value. */
  node(
    type: string,
    inputs: string[],
    tensor?: Tensor,
    attributes?: Record<string, AttributeValue>,
    hint?: string,
  ): string;
  initialiser(data: Float32Array | BigInt64Array, dimensions: number[], label?: string): string;
  integers(values: number[]): string;
  scalar(value: number): string;
  zeros(dimensions: number[]): string;
  dataType(type: DataType): number;
}

export interface GraphOptions {
  name: string;
  outputs: Record<string, Tensor>;
  /** Tensors that are fed to this graph under a name, in place of being computed in it. */
  given?: ReadonlyMap<Tensor, string>;
  worker?: number;
  workers?: number;
  metadata?: Record<string, string>;
  /** Values that take the place of parameters, for a graph that stands by itself. */
  parameters?: (name: string) => Float32Array;
}

/** A graph as ONNX nodes, with what it has to be fed. */
export interface WrittenGraph extends OnnxGraph {
  /** The symbolic tensors behind the graph's inputs, by name. */
  sources: Map<string, Tensor>;
}

/** The bytes of an ONNX file for a graph. @example toOnnx({ name: 'decoder', outputs: { image } }) */
export function toOnnx(options: GraphOptions): Uint8Array {
  return encodeModel(writeGraph(options));
}

/** Writes the graph that computes `outputs`. */
export function writeGraph(options: GraphOptions): WrittenGraph {
  const { given = new Map(), worker = 0, workers = 1 } = options;
  const nodes: OnnxNode[] = [];
  const initialisers = new Map<string, OnnxTensor>();
  const inputs = new Map<string, OnnxValue>();
  const sources = new Map<string, Tensor>();
  const taken = new Map<string, number>();
  const equalNodes = new Map<string, string>();
  for (const name of Object.keys(options.outputs)) taken.set(name, 1);

  function unique(base: string): string {
    const times = taken.get(base) ?? 0;
    taken.set(base, times + 1);
    if (times === 0) return base;
    return unique(`${base}_${times + 1}`);
  }

  function feed(name: string, tensor: Tensor): string {
    const known = inputs.get(name);
    if (Object.hasOwn(options.outputs, name))
      throw new UntangleError(`The input ${show(tensor)} and an output are both called “${name}”.`);
    if (known === undefined) {
      inputs.set(name, { name, shape: tensor.shape, type: tensor.type });
      sources.set(name, tensor);
      taken.set(name, 1);
    } else if (known.type !== tensor.type || known.shape.join() !== tensor.shape.join()) {
      throw new UntangleError(
        `Two inputs are called “${name}”: ${show(tensor)} and one of shape [${known.shape.join(', ')}].`,
      );
    } else if (isWhat(sources.get(name)!) !== isWhat(tensor)) {
      throw new UntangleError(
        `Two inputs are called “${name}”: one is ${isWhat(sources.get(name)!)}, the other ${isWhat(tensor)}.`,
      );
    }
    return name;
  }

  const graph: GraphWriter = {
    worker,
    workers,
    node(type, nodeInputs, tensor, attributes = {}, hint = type) {
      const key = JSON.stringify([type, nodeInputs, attributes]);
      const equal = equalNodes.get(key);
      if (equal !== undefined) return equal;
      const output = unique(tensor?.label ?? tensor?.op.name ?? hint);
      nodes.push({ type, name: `${type}: ${output}`, inputs: nodeInputs, output, attributes });
      equalNodes.set(key, output);
      return output;
    },
    initialiser(data, dimensions, label) {
      const kind = data instanceof Float32Array ? 'f' : 'i';
      const content = hash(new Uint8Array(data.buffer, data.byteOffset, data.byteLength));
      const key = `${kind}[${dimensions.join()}]${content}`;
      const known = initialisers.get(key);
      if (known !== undefined) return known.name;
      const name = unique(label ?? (data.length === 1 ? `constant ${data[0]}` : 'constant'));
      initialisers.set(key, { name, dimensions, data });
      return name;
    },
    integers: (values) =>
      graph.initialiser(
        BigInt64Array.from(values, (v) => BigInt(v)),
        [values.length],
      ),
    scalar: (value) => graph.initialiser(Float32Array.of(value), []),
    zeros: (dimensions) => graph.initialiser(new Float32Array(dimensions.reduce((a, b) => a * b, 1)), dimensions),
    dataType: (type) => elementTypes[type],
  };

  /** The name that a tensor is fed under, if it is fed. */
  function feedName(tensor: Tensor): string | undefined {
    if (given.has(tensor)) return given.get(tensor);
    if (isInput(tensor.op)) return tensor.op.input;
    return isParameter(tensor.op) && options.parameters === undefined ? tensor.op.parameter : undefined;
  }
  const isKeptByProgram = ({ op }: Tensor) => isInput(op) && isKept(op.is);

  const names = new Map<Tensor, string>();
  function write(tensor: Tensor): string {
    if (isParameter(tensor.op)) {
      const { parameter } = tensor.op;
      return graph.initialiser(parameterValues(options, tensor, parameter), tensor.shape.map(Number), parameter);
    }
    return tensor.op.write(
      tensor,
      tensor.inputs.map((input) => names.get(input)!),
      graph,
    );
  }
  const order = inOrder(Object.values(options.outputs), (tensor) => given.has(tensor));
  // Feeds first: their names are given, and all others make way for them, also what the program feeds itself.
  const feeds = order.filter((tensor) => feedName(tensor) !== undefined);
  const called = new Set(feeds.filter((tensor) => !isKeptByProgram(tensor)).map(feedName));
  for (const tensor of feeds) {
    const name = feedName(tensor)!;
    names.set(tensor, feed(isKeptByProgram(tensor) && called.has(name) ? `${name} of the program` : name, tensor));
  }
  for (const tensor of order) if (!names.has(tensor)) names.set(tensor, write(tensor));

  const outputs = nameOutputs(options.outputs, names, nodes, new Set([...inputs.keys()]), initialisers);
  return {
    name: options.name,
    nodes,
    inputs: [...inputs.values()],
    outputs,
    initialisers: [...initialisers.values()],
    metadata: options.metadata,
    sources,
  };
}

/** What a fed tensor is: inputs of one name have to be the same thing. */
function isWhat({ op }: Tensor): string {
  return isInput(op) ? op.is.kind : op.name;
}

/** The values that take a parameter's place in a graph that stands by itself. */
function parameterValues({ parameters }: GraphOptions, tensor: Tensor, name: string): Float32Array {
  const values = parameters?.(name);
  if (values === undefined || values.length !== sizeOf(tensor.shape))
    throw new UntangleError(`The parameter ${show(tensor)} is given ${values?.length ?? 'no'} values.`);
  return values;
}

/** Gives each output its name; a value that is fed, constant or an output already gets a copy. */
function nameOutputs(
  outputs: Record<string, Tensor>,
  names: Map<Tensor, string>,
  nodes: OnnxNode[],
  fed: Set<string>,
  initialisers: Map<string, OnnxTensor>,
): OnnxValue[] {
  const constants = new Set([...initialisers.values()].map((tensor) => tensor.name));
  const renamed = new Map<string, string>();
  const copies: OnnxNode[] = [];
  for (const [name, tensor] of Object.entries(outputs)) {
    const value = names.get(tensor)!;
    if (fed.has(value) || constants.has(value) || renamed.has(value)) {
      const source = renamed.get(value) ?? value;
      copies.push({ type: 'Identity', name: `Identity: ${name}`, inputs: [source], output: name, attributes: {} });
    } else {
      renamed.set(value, name);
    }
  }
  for (const node of nodes) {
    node.inputs = node.inputs.map((input) => renamed.get(input) ?? input);
    const name = renamed.get(node.output);
    if (name === undefined) continue;
    node.output = name;
    node.name = `${node.type}: ${name}`;
  }
  nodes.push(...copies);
  return Object.entries(outputs).map(([name, tensor]) => ({ name, shape: tensor.shape, type: tensor.type }));
}

/** Two 32-bit FNV-1a hashes of bytes, enough to tell large constants of one graph apart. */
function hash(bytes: Uint8Array): string {
  let a = 0x811c9dc5;
  let b = 0x9747b28c;
  for (const byte of bytes) {
    a = Math.imul(a ^ byte, 0x01000193);
    b = Math.imul(b ^ byte, 0x85ebca6b);
  }
  return `${bytes.length}:${a >>> 0}:${b >>> 0}`;
}
