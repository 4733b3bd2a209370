// @ts-check
/**
 * Makes the pictures of docs/pictures.md into docs/images: `npm run build && node tools/example-pictures.js`.
 * Principal components stand in for a trained model, so that the pictures need no run and are the same on every machine.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { pca, project, tsne } from '../dist/analysis/index.js';
import { openData } from '../dist/data/index.js';
import * as pictures from '../dist/drawing/index.js';
import { stream } from '../dist/random/index.js';

const folder = new URL('../docs/images/', import.meta.url);
mkdirSync(folder, { recursive: true });
const range = (/** @type {number} */ n) => Array.from({ length: n }, (_, i) => i);

/** @param {string} name @param {import('../dist/drawing/index.js').Drawing} drawing */
function save(name, drawing) {
  const png = pictures.toPng(drawing);
  writeFileSync(new URL(`${name}.png`, folder), png);
  console.log(`${name}.png`, drawing.width, '×', drawing.height, Math.round(png.length / 1024), 'kB');
}

const opened = await openData('mnist');
const grassy = await openData('grassy-mnist', { grey: true });
if (opened.kind !== 'single' || grassy.kind !== 'contrast') throw new Error('MNIST is one set, Grassy MNIST is two');
const { data } = opened;
const { shape, range: valueRange, labels } = data;
if (shape.kind !== 'image' || labels === undefined) throw new Error('MNIST has images and labels');
const digitOf = (/** @type {number} */ i) => labels.names[labels.values[i]];
const images = (/** @type {Float32Array} */ values) => ({ values, shape, range: valueRange });
const items = (/** @type {number[]} */ indices) => images(data.gather(indices));

const n = 2000;
const d = shape.height * shape.width;
const k = 20;
const model = pca({ x: data.gather(range(n)), n, d, components: k });
const deviations = Array.from(model.variances, Math.sqrt);
/** As a linear VAE has it: with noise s² in every pixel, KL_j is ½ ln(λ_j / s²) on average. */
const noise = (model.totalVariance - model.variances.reduce((sum, value) => sum + value)) / (d - k);
const kls = Array.from(model.variances, (variance) => Math.log(variance / noise) / 2);
/** Codes of unit variance. @param {number[]} indices */
function encode(indices) {
  const scores = project(model, data.gather(indices), indices.length);
  return indices.map((_, i) => deviations.map((deviation, j) => scores[i * k + j] / deviation));
}
/** @param {number[][]} codes */
function decode(codes) {
  const values = new Float32Array(codes.length * d);
  codes.forEach((code, i) => {
    for (let p = 0; p < d; p++) {
      values[i * d + p] = code.reduce((sum, z, j) => sum + z * deviations[j] * model.axes[j * d + p], model.mean[p]);
    }
  });
  return images(values);
}
const between = (/** @type {number[]} */ a, /** @type {number[]} */ b, /** @type {number} */ part) =>
  a.map((value, j) => value + (b[j] - value) * part);

save(
  'contact-sheet',
  pictures.contactSheet({ items: items(range(16)), captions: range(16).map(digitOf), title: 'MNIST' }),
);
const { target, background } = grassy;
if (target.shape.kind !== 'image') throw new Error('Grassy MNIST has images');
const grassShape = { shape: target.shape, range: target.range };
const spread = range(8).map((i) => i * 5500 + 17);
save(
  'contact-sheet-contrast',
  pictures.contactSheet({
    items: { values: target.gather(spread), ...grassShape },
    background: { items: { values: background.gather(range(8)), ...grassShape } },
    title: 'Grassy MNIST',
  }),
);

const ten = range(10);
save(
  'reconstruction',
  pictures.reconstructionTable({ sets: [{ originals: items(ten), reconstructions: decode(encode(ten)) }] }),
);

const quantiles = [0.025, 0.1, 0.25, 0.5, 0.75, 0.9, 0.975];
const places = [-1.96, -1.28, -0.67, 0, 0.67, 1.28, 1.96];
const start = 7;
const [from] = encode([start]);
const traversal = {
  dimensions: range(5).map((index) => ({ block: 'shared', index, kl: kls[index] })),
  quantiles,
  images: decode(range(5).flatMap((i) => places.map((z) => from.map((value, j) => (j === i ? 1.5 * z : value))))),
  start: items([start]),
};
save('traversal', pictures.traversalTable(traversal));
const fine = range(15).map((i) => (i + 0.5) / 15);
const frames = pictures.traversalFrames({
  ...traversal,
  quantiles: fine,
  images: decode(
    range(5).flatMap((i) =>
      fine.map((q) => from.map((value, j) => (j === i ? 3 * Math.log(q / (1 - q)) * 0.55 : value))),
    ),
  ),
});
writeFileSync(
  new URL('traversal-animated.png', folder),
  pictures.encodeApng(
    frames.map((frame) => pictures.rasterise(frame)),
    80,
  ),
);

const random = stream(1, 'example pictures');
save('samples', pictures.samplesTable({ images: decode(range(20).map(() => Array.from(random.normals(k)))) }));
save(
  'samples-by-class',
  pictures.samplesTable({
    images: items(
      [3, 7].flatMap((digit) =>
        range(n)
          .filter((i) => labels.values[i] === digit)
          .slice(0, 8),
      ),
    ),
    rows: ['three', 'seven'],
  }),
);

const ends = encode([1, 3, 5, 7]);
const lines = [0, 2].flatMap((line) => range(7).map((step) => between(ends[line], ends[line + 1], step / 6)));
save('interpolation', pictures.interpolationLines({ images: decode(lines), ends: items([1, 3, 5, 7]), lines: 2 }));
const square = range(6).flatMap((r) =>
  range(6).map((c) => ends[0].map((value, j) => value + ((ends[3][j] - value) * (j % 2 === 0 ? r : c)) / 5)),
);
save(
  'corners-interpolation',
  pictures.interpolationSquare({
    images: decode(square),
    columns: 6,
    across: 'salient 0',
    down: 'salient 1',
    corners: ['z₁ with s₁', undefined, undefined, 'z₁ with s₂'],
  }),
);

const keep = [1, 3, 7, 15];
const take = [0, 2, 4, 8, 12];
const kept = encode(keep);
const taken = encode(take);
save(
  'transfer',
  pictures.transferTable({
    keep: { items: items(keep), block: 'shared' },
    take: { items: items(take), block: 'salient' },
    images: decode(kept.flatMap((a) => taken.map((b) => a.map((value, j) => (j < 5 ? b[j] : value))))),
  }),
);
const grass = background.gather(range(6));
const digits = data.gather(range(6));
const mixed = grass.map((value, i) => 0.5 * value + 0.5 * digits[i]);
save(
  'swap',
  pictures.swapTable({
    items: images(mixed),
    parts: [
      { label: '[z, s]', images: images(mixed.map((value, i) => 0.9 * value + 0.1 * grass[i])) },
      { label: '[z, 0]', images: images(grass.map((value) => 0.5 * value)) },
      { label: '[0, s]', images: images(digits.map((value) => 0.5 * value + 0.15)) },
    ],
  }),
);

const axis = range(121).map((i) => -4 + i / 15);
const bell = (/** @type {number} */ mean, /** @type {number} */ deviation) =>
  axis.map((u) => Math.exp(-((u - mean) ** 2) / (2 * deviation ** 2)) / (deviation * Math.sqrt(2 * Math.PI)));
const positions = range(7).map((i) => -3 + i);
save(
  'prior',
  pictures.densityStrip({
    dimension: 'u 0',
    axis,
    densities: [
      { name: 'upright', values: bell(-1.6, 0.7) },
      { name: 'slanting', values: bell(1.4, 0.9) },
    ],
    positions,
    images: decode(positions.map((u) => from.map((value, j) => (j === 1 ? u : value)))),
  }),
);

const embedded = 1500;
const codes = encode(range(embedded));
const { embedding } = tsne({ x: Float64Array.from(codes.flat()), n: embedded, d: k, seed: 1 });
const values = Array.from(labels.values.subarray(0, embedded));
save(
  'embedding-label',
  pictures.pointMap({ points: embedding, colour: { kind: 'label', names: labels.names, values }, size: 320 }),
);
save(
  'embedding-factor',
  pictures.pointMap({
    points: embedding,
    colour: { kind: 'factor', name: 'shared 0', values: codes.map(([first]) => first) },
    size: 320,
  }),
);

const steps = range(400).map((i) => 75 * (i + 1));
const curve = (/** @type {number} */ low, /** @type {number} */ high, /** @type {number} */ jitter) =>
  steps.map((step) => (low + (high - low) * Math.exp(-step / 2500)) * (1 + jitter * random.normal()));
save(
  'line-chart',
  pictures.lineChart({
    series: [
      { name: 'loss', x: steps, y: curve(108, 400, 0.04) },
      { name: 'reconstruction', x: steps, y: curve(83, 390, 0.05) },
      { name: 'KL', x: steps, y: curve(24, 4, 0.03) },
      { name: 'covariance', x: steps, y: curve(0.5, 20, 0.2) },
    ],
    x: { label: 'step' },
    y: { label: 'term', unit: 'nats', scale: 'log' },
    smoothing: 0.8,
    width: 380,
    height: 220,
  }),
);
const bars = (/** @type {number} */ from, /** @type {number} */ to) =>
  range(to - from).map((i) => ({ label: String(i), value: kls[from + i] }));
save(
  'bar-chart',
  pictures.barChart({
    groups: [
      { name: 'shared', bars: bars(0, 10) },
      { name: 'salient', bars: bars(10, 15) },
    ],
    value: { label: 'KL', unit: 'nats' },
  }),
);
save(
  'bar-chart-named',
  pictures.barChart({
    groups: [
      {
        name: 'salient 0',
        bars: [
          { label: 'SOD1_N', value: 0.42 },
          { label: 'pERK_N', value: 0.31 },
          { label: 'Tau_N', value: -0.08 },
          { label: 'CaNA_N', value: -0.25 },
        ],
      },
    ],
    value: { label: 'move from the 5% to the 95% quantile', unit: 'expression level' },
  }),
);
save(
  'scatter-chart',
  pictures.scatterChart({
    series: [
      {
        name: 'β-VAE',
        joined: true,
        points: [1, 4, 16, 60].map((beta, i) => ({
          x: 18 + 14 * i,
          y: 0.12 + 0.03 * i - 0.006 * i * i,
          label: String(beta),
        })),
      },
      {
        name: 'DIP-VAE-II',
        joined: true,
        points: [5, 50, 500].map((lambda, i) => ({
          x: 16 + 5 * i,
          y: 0.16 + 0.04 * i,
          label: String(lambda),
          yDeviation: 0.01,
        })),
      },
    ],
    x: { label: 'reconstruction error per image' },
    y: { label: 'SAP score' },
    width: 320,
    height: 200,
  }),
);
const factors = ['shape', 'scale', 'orientation', 'position x', 'position y'];
save(
  'heat-map',
  pictures.heatMap({
    values: random.uniforms(30).map((value) => value ** 4),
    rows: range(6).map((i) => `shared ${i}`),
    columns: factors,
    measure: 'SAP',
  }),
);
