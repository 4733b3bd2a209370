// @ts-check
/**
 * A folder of pictures → a trained model → pictures of what it learned.
 *
 *   node examples/train-your-own-images.js FOLDER [STEPS]
 *
 * The pictures may be of any size and format; each is cut to a square and scaled to 32 × 32. The run is written to runs/, where
 * `untangle evaluate`, `untangle picture` and `untangle export` find it too.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { data, drawing, training, use } from 'untangle';

const [folder, steps = '5000'] = process.argv.slice(2);
if (folder === undefined) {
  console.error('Which folder of pictures? As in: node examples/train-your-own-images.js ~/Pictures/birds');
  process.exit(2);
}

// The same as: untangle train beta-vae --data FOLDER --size 32 --crop --set beta=2 --steps STEPS
const framing = { size: 32, crop: /** @type {const} */ (true), skipBad: true };
const { run, notes } = await training.prepareRun({
  method: 'beta-vae',
  data: folder,
  choice: framing,
  set: ['beta=2', 'latents=12', `steps=${steps}`],
});
for (const note of notes) console.log(note);
console.log(`Training in ${run.folder}`);
await training.trainInChild(run, {
  onProgress: ({ step, steps: all, left, terms }) =>
    process.stdout.write(`\r${step}/${all}, ${Math.round(left)} s left, loss ${terms.loss.toFixed(1)}   `),
});

const model = await use.TrainedModel.open(run.folder);
const { shape, range, name } = model.file.data;
const [block] = model.file.blocks;
if (shape.kind !== 'image') throw new Error('Pictures have the shape of images.');
const images = (/** @type {Float32Array} */ values) => ({ values, shape, range });

// Reconstructions of the first pictures.
const opened = await data.openData(folder, framing);
if (opened.kind !== 'single') throw new Error('A folder is one set.');
const originals = opened.data.gather(Array.from({ length: Math.min(10, opened.data.length) }, (_, i) => i));
const [codes] = await model.encode(originals);
const again = await model.decode({ [block.name]: codes.values });

// Each dimension moved alone through quantiles of its prior, the most telling one first.
const quantiles = [0.02, 0.1, 0.25, 0.5, 0.75, 0.9, 0.98];
const places = [-2.05, -1.28, -0.67, 0, 0.67, 1.28, 2.05];
const kl = block.kl ?? [];
const order = [...Array(block.size).keys()].sort((a, b) => kl[b] - kl[a]);
const moved = new Float32Array(order.length * places.length * block.size);
order.forEach((dimension, row) => {
  places.forEach((place, column) => {
    moved[(row * places.length + column) * block.size + dimension] = place;
  });
});
const traversed = await model.decode({ [block.name]: moved });
await model.close();

const out = join(run.folder, 'pictures');
await mkdir(out, { recursive: true });
const drawn = {
  reconstruction: drawing.reconstructionTable({
    sets: [{ originals: images(originals), reconstructions: images(again) }],
    title: name,
  }),
  traversal: drawing.traversalTable({
    dimensions: order.map((index) => ({ block: block.name, index, kl: kl[index] })),
    quantiles,
    images: images(traversed),
    title: name,
  }),
};
for (const [picture, one] of Object.entries(drawn)) {
  await writeFile(join(out, `${picture}.png`), drawing.toPng(one));
  console.log(`\n${join(out, picture)}.png`);
}
