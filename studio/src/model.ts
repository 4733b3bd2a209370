/** A run's encoder and decoder in the browser, by onnxruntime-web on the CPU. */
import * as ort from 'onnxruntime-web/wasm';
import { type Codes, itemSize, type ModelBlock, outputsOf, tensorShape } from '../../src/model/index.ts';
import type { ModelFile } from '../../src/runs/index.ts';
import { api } from './api.ts';

// One thread needs no special headers, and is quick enough for a picture a frame.
ort.env.wasm.numThreads = 1;
ort.env.wasm.wasmPaths = new URL('ort/', document.baseURI).href;

export interface BrowserModel {
  file: ModelFile;
  /** Whether the decoder takes this block; some only reach it through others. */
  takes(block: ModelBlock): boolean;
  /** Items one after the other, from codes of `count` rows. */
  decode(codes: Codes, count: number): Promise<Float32Array>;
  /** Means, or probabilities of classes, of items that lie one after the other. */
  encode(items: Float32Array): Promise<Codes>;
}

const opened = new Map<string, Promise<BrowserModel>>();

/** Opens the model of a run as it is at its step; a newer one takes the place of an older. */
export function openModel(name: string, file: ModelFile): Promise<BrowserModel> {
  const key = `${file.step} ${name}`;
  const known = opened.get(key);
  if (known) return known;
  const model = load(name, file);
  opened.set(key, model);
  model.catch(() => opened.delete(key));
  return model;
}

async function load(name: string, file: ModelFile): Promise<BrowserModel> {
  const decoder = await session(name, 'decoder.onnx');
  let encoder: Promise<ort.InferenceSession> | undefined;
  // A session that runs refuses a second call, and all share one thread: they take turns.
  let last: Promise<unknown> = Promise.resolve();
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const result = last.then(work);
    last = result.catch(() => {});
    return result;
  };
  const sides = tensorShape(file.data.shape);
  const takes = (block: ModelBlock) => decoder.inputNames.includes(block.name);
  return {
    file,
    takes,
    decode: (codes, count) =>
      inTurn(async () => {
        const feeds = Object.fromEntries(
          file.blocks
            .filter(takes)
            .map((block) => [block.name, new ort.Tensor('float32', codes[block.name], [count, block.size])]),
        );
        const { x } = await decoder.run(feeds, ['x']);
        return numbers(x);
      }),
    encode: (items) =>
      inTurn(async () => {
        encoder ??= session(name, 'encoder.onnx');
        const count = items.length / itemSize(file.data.shape);
        const results = await (await encoder).run({ x: new ort.Tensor('float32', items, [count, ...sides]) });
        return Object.fromEntries(file.blocks.map((block) => [block.name, numbers(results[outputsOf(block).values])]));
      }),
  };
}

async function session(name: string, file: 'encoder.onnx' | 'decoder.onnx'): Promise<ort.InferenceSession> {
  return await ort.InferenceSession.create(await api.modelFile(name, file), {
    executionProviders: ['wasm'],
    graphOptimizationLevel: 'all',
  });
}

function numbers({ data }: ort.Tensor): Float32Array {
  if (data instanceof Float32Array) return data.slice();
  throw new Error('The model’s files give values that are not numbers.');
}
