/** An inference function: named outputs over inputs whose batch dimension may be free, with the parameters as they are at the time. */
import { UntangleError } from '../errors.ts';
import { encodeModel, isInput, isParameter, phasesOf, type Shape, type Tensor, writeGraph } from '../tensor/index.ts';
import type { Backend, Bound, OpenGraph, Provider, Values } from './backend.ts';
import { checkFeed, checkNames, type Feed, type Feeds } from './feeds.ts';
import { solve } from './solve.ts';

export interface InferenceFunction {
  /** What it has to be fed. */
  feeds: readonly Feed[];
  run(feeds: Feeds): Promise<Record<string, Float32Array>>;
  close(): Promise<void>;
}

/** A graph of a function; most functions are one, those with something to solve are several. */
interface FunctionGraph {
  graph: OpenGraph;
  parameters: Record<string, Bound>;
  /** What it takes from outside and from earlier phases, by name. */
  inputs: string[];
  outputs: string[];
  solves: { from: string; to: string; shape: number[] }[];
}

interface Compiled {
  graphs: FunctionGraph[];
  feeds: Feed[];
  /** The value behind each output. */
  outputs: Record<string, string>;
}

/** Compiles a function; `parameter` gives the place where a parameter's values are at every run. */
export async function openFunction(
  name: string,
  outputs: Record<string, Tensor>,
  options: { backend: Backend; provider?: Provider; threads?: number },
  parameter: (name: string) => Bound,
): Promise<InferenceFunction> {
  const compiled = await compileFunction(name, outputs, options, parameter);
  return {
    feeds: compiled.feeds,
    run: (feeds) => runFunction(name, compiled, options.backend, feeds),
    async close() {
      for (const { graph } of compiled.graphs) await graph.close();
    },
  };
}

async function compileFunction(
  name: string,
  outputs: Record<string, Tensor>,
  { backend, provider, threads }: { backend: Backend; provider?: Provider; threads?: number },
  parameter: (name: string) => Bound,
): Promise<Compiled> {
  const labels = new Map(Object.entries(outputs).map(([output, tensor]) => [tensor, output]));
  const label = (tensor: Tensor) => labels.get(tensor) ?? `${tensor.label ?? tensor.op.name} #${tensor.id}`;
  const received = new Map<Tensor, string>();
  const feeds = new Map<string, Feed>();
  const graphs: FunctionGraph[] = [];
  for (const { results, exchanges } of phasesOf(Object.values(outputs), 1)) {
    const named = Object.fromEntries(results.map((tensor) => [label(tensor), tensor]));
    const written = writeGraph({ name, outputs: named, given: received });
    const parameters: Record<string, Bound> = {};
    const inputs: string[] = [];
    for (const [inputName, tensor] of written.sources) {
      if (isParameter(tensor.op)) {
        parameters[inputName] = parameter(tensor.op.parameter);
        continue;
      }
      inputs.push(inputName);
      const { op, shape, type } = tensor;
      if (!received.has(tensor) && isInput(op)) feeds.set(inputName, { name: inputName, shape, type, is: op.is });
    }
    const graph = await backend.open(encodeModel(written), { provider, threads });
    const solves = exchanges.map((node) => ({
      from: label(node.inputs[0]),
      to: label(node),
      shape: node.shape.map(Number),
    }));
    graphs.push({ graph, parameters, inputs, outputs: Object.keys(named), solves });
    for (const tensor of [...results, ...exchanges]) received.set(tensor, label(tensor));
  }
  return {
    graphs,
    feeds: [...feeds.values()],
    outputs: Object.fromEntries(Object.entries(outputs).map(([output, tensor]) => [output, label(tensor)])),
  };
}

async function runFunction(
  name: string,
  compiled: Compiled,
  backend: Backend,
  feeds: Feeds,
): Promise<Record<string, Float32Array>> {
  const values = boundFeeds(name, compiled, backend, feeds);
  for (const { graph, parameters, inputs, outputs, solves } of compiled.graphs) {
    const bound = { ...parameters, ...Object.fromEntries(inputs.map((input) => [input, values[input]])) };
    Object.assign(values, await graph.run(bound, Object.fromEntries(outputs.map((output) => [output, null]))));
    for (const { from, to, shape } of solves) {
      const found = new BigInt64Array(shape.reduce((product, size) => product * size, 1));
      solve('partners', numbersOf(values[from]), found);
      values[to] = backend.bind(found, shape, 'int64');
    }
  }
  return Object.fromEntries(
    Object.entries(compiled.outputs).map(([output, value]) => [output, numbersOf(values[value])]),
  );
}

/** What was fed, as the runtime takes it; all feeds with a free batch dimension have as many rows. */
function boundFeeds(name: string, compiled: Compiled, backend: Backend, feeds: Feeds): Record<string, Bound> {
  checkNames(
    name,
    feeds,
    compiled.feeds.map((feed) => feed.name),
  );
  const values: Record<string, Bound> = {};
  let first: { name: string; rows: number } | undefined;
  for (const feed of compiled.feeds) {
    const { name: feedName, shape, type } = feed;
    const fed = feeds[feedName];
    const rows = rowsOf(shape, fed);
    const sized = shape.map((dimension) => (dimension === 'batch' ? rows : dimension));
    values[feedName] = backend.bind(checkFeed(name, { ...feed, shape: sized }, fed), sized, type);
    if (!shape.includes('batch')) continue;
    first ??= { name: feedName, rows };
    if (rows !== first.rows)
      throw new UntangleError(`“${name}” was fed ${rows} rows of “${feedName}” but ${first.rows} of “${first.name}”.`);
  }
  return values;
}

/** How many rows a feed has where their number is free. */
function rowsOf(shape: Shape, fed: Values | number | undefined): number {
  const fixed = shape.reduce<number>((size, dimension) => (dimension === 'batch' ? size : size * dimension), 1);
  return fed === undefined || typeof fed === 'number' ? 1 : Math.max(1, Math.floor(fed.length / fixed));
}

function numbersOf(value: Bound): Float32Array {
  const { data } = value;
  if (data instanceof Float32Array) return data;
  if (data instanceof BigInt64Array || data instanceof Uint8Array) return Float32Array.from(data, Number);
  throw new UntangleError(`An output holds ${value.type}, not numbers.`);
}
