/** A model's encoder and decoder in the browser, by onnxruntime-web on the CPU. */
import * as ort from 'onnxruntime-web/wasm';
import {
  type Codes,
  covariatesInput,
  covariatesSize,
  itemSize,
  type ModelBlock,
  outputsOf,
  tensorShape,
  usualRows,
} from '../../src/model/index.ts';
import type { ModelFile } from '../../src/runs/index.ts';
import { webBackend } from '../../src/runtime/web/index.ts';

export interface BrowserModel {
  file: ModelFile;
  /** Whether the decoder takes this block; some only reach it through others. */
  takes(block: ModelBlock): boolean;
  /** Items one after the other, from codes of `count` rows. */
  decode(codes: Codes, count: number): Promise<Float32Array>;
  /** Means, or probabilities of classes, of items that lie one after the other. */
  encode(items: Float32Array): Promise<Codes>;
}

/** Loads a model: its decoder at once, its encoder when it is first needed. `runtime` is where onnxruntime-web's files lie. */
export async function loadModel(
  file: ModelFile,
  networkOf: (network: 'encoder.onnx' | 'decoder.onnx') => Promise<Uint8Array>,
  runtime: ort.Env.WasmPrefixOrFilePaths,
): Promise<BrowserModel> {
  // One thread needs no special headers, and is quick enough for a picture a frame.
  ort.env.wasm.numThreads = 1;
  ort.env.wasm.wasmPaths = runtime;
  const backend = webBackend(ort);
  const opened = async (network: 'encoder.onnx' | 'decoder.onnx') => {
    const bytes = await networkOf(network);
    return await backend.open(bytes).catch((cause) => {
      const hint = 'It may be damaged; going on from the checkpoint writes it again.';
      throw new Error(`This model’s ${network} can’t be opened. ${hint}`, { cause });
    });
  };
  const decoder = await opened('decoder.onnx');
  const openEncoder = async () => opened('encoder.onnx');
  let encoder: ReturnType<typeof openEncoder> | undefined;
  // A session that runs refuses a second call, and all share one thread: they take turns.
  let last: Promise<unknown> = Promise.resolve();
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const result = last.then(work);
    last = result.catch(() => {});
    return result;
  };
  const sides = tensorShape(file.data.shape);
  const bound = (values: Float32Array, ...shape: number[]) => backend.bind(values, shape, 'float32');
  const takes = (block: ModelBlock) => decoder.inputNames.includes(block.name);
  // Nobody says which age or batch is meant: the usual one.
  const { covariates = [] } = file.data;
  const usual = (graph: typeof decoder, count: number): Parameters<typeof decoder.run>[0] =>
    graph.inputNames.includes(covariatesInput)
      ? { [covariatesInput]: bound(usualRows(covariates, count), count, covariatesSize(covariates)) }
      : {};
  return {
    file,
    takes,
    decode: (codes, count) =>
      inTurn(async () => {
        const taken = file.blocks.filter(takes);
        const feeds = Object.fromEntries(taken.map(({ name, size }) => [name, bound(codes[name], count, size)]));
        return numbers((await decoder.run({ ...feeds, ...usual(decoder, count) }, { x: null })).x);
      }),
    encode: (items) =>
      inTurn(async () => {
        encoder ??= openEncoder();
        const outputs = file.blocks.map((block) => [block.name, outputsOf(block).values] as const);
        const count = items.length / itemSize(file.data.shape);
        const graph = await encoder;
        const results = await graph.run(
          { x: bound(items, count, ...sides), ...usual(graph, count) },
          Object.fromEntries(outputs.map(([, output]) => [output, null])),
        );
        return Object.fromEntries(outputs.map(([name, output]) => [name, numbers(results[output])]));
      }),
  };
}

function numbers({ data }: { readonly data: unknown }): Float32Array {
  if (data instanceof Float32Array) return data.slice();
  throw new Error('The model’s files give values that are not numbers.');
}
