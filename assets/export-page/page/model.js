/**
 * The exported model in the browser: `model.json` and the ONNX files, run by onnxruntime-web on the CPU. Codes are an array of
 * numbers for each block, one row after the other.
 */
import * as ort from './ort.wasm.bundle.min.mjs';

// One thread needs no worker and no special headers, so that any static server will do.
ort.env.wasm.numThreads = 1;
// The JavaScript half of the runtime is in the bundle; naming the other half alone keeps it from being looked for.
ort.env.wasm.wasmPaths = { wasm: new URL('ort-wasm-simd-threaded.wasm', import.meta.url).href };

export async function loadModel(base) {
  const response = await fetch(new URL('model.json', base));
  if (!response.ok) throw new Error(`model.json could not be loaded (${response.status}).`);
  const facts = await response.json();
  const session = (name) => ort.InferenceSession.create(new URL(name, base).href);
  const decoder = await session('decoder.onnx');
  let encoder;
  // Sessions take turns: one that runs refuses a second call.
  let last = Promise.resolve();
  const inTurn = (work) => {
    const result = last.then(work);
    last = result.catch(() => {});
    return result;
  };

  return {
    facts,
    /** Whether the decoder takes this block; some reach it through others alone. */
    takes: ({ name }) => decoder.inputNames.includes(name),
    /** Items, one after the other, from codes of `count` rows. */
    decode: (codes, count) =>
      inTurn(async () => {
        const feeds = Object.fromEntries(
          facts.blocks
            .filter(({ name }) => decoder.inputNames.includes(name))
            .map(({ name, size }) => [name, new ort.Tensor('float32', codes[name], [count, size])]),
        );
        const { x } = await decoder.run(feeds, ['x']);
        return x.data;
      }),
    /** The means or probabilities of one item's code. The encoder is loaded with the first call. */
    encode: (item) =>
      inTurn(async () => {
        encoder ??= await session('encoder.onnx');
        const { shape } = facts.data;
        const sides = shape.kind === 'image' ? [shape.channels, shape.height, shape.width] : [shape.columns.length];
        const results = await encoder.run({ x: new ort.Tensor('float32', item, [1, ...sides]) });
        return Object.fromEntries(
          facts.blocks.map(({ name, kind }) => [
            name,
            Float32Array.from(results[kind === 'gaussian' ? `${name} mean` : `${name} probabilities`].data),
          ]),
        );
      }),
  };
}
