/**
 * A slider on a decoder, in a page of your own. Export a run beside this file and serve the folder:
 *
 *   untangle export RUN examples/traverse-in-the-browser/export
 *   python3 -m http.server --directory examples/traverse-in-the-browser
 */
import * as ort from './export/page/ort.wasm.bundle.min.mjs';

ort.env.wasm.numThreads = 1;
ort.env.wasm.wasmPaths = { wasm: new URL('export/page/ort-wasm-simd-threaded.wasm', import.meta.url).href };

const model = await (await fetch('export/model.json')).json();
const decoder = await ort.InferenceSession.create('export/decoder.onnx');
const { channels, height, width } = model.data.shape;

// The dimension that carries most, by its KL.
const block = model.blocks.find(({ kind, kl }) => kind === 'gaussian' && kl);
const dimension = block.kl.indexOf(Math.max(...block.kl));
const slider = document.getElementById('slider');
const canvas = Object.assign(document.getElementById('picture'), { width, height });
document.getElementById('name').textContent = `${block.name} ${dimension}`;

async function draw() {
  const feeds = {};
  for (const { name, size } of model.blocks)
    if (decoder.inputNames.includes(name)) feeds[name] = new ort.Tensor('float32', new Float32Array(size), [1, size]);
  feeds[block.name].data[dimension] = Number(slider.value);
  const { x } = await decoder.run(feeds);
  const image = new ImageData(width, height);
  const low = model.data.range === 'symmetric' ? -1 : 0;
  for (let pixel = 0; pixel < width * height; pixel++) {
    for (let colour = 0; colour < 3; colour++) {
      const value = x.data[(channels === 3 ? colour : 0) * width * height + pixel];
      image.data[4 * pixel + colour] = (255 * (value - low)) / (1 - low);
    }
    image.data[4 * pixel + 3] = 255;
  }
  canvas.getContext('2d').putImageData(image, 0, 0);
}

// One picture after the other: a session that is running takes no second call.
let drawing = draw();
slider.addEventListener('input', () => {
  drawing = drawing.then(draw);
});
