/**
 * A run whose model is written by hand, with every kind of block, so that each picture is known beforehand. The ten numbers of
 * the code (y, u, s, z in this order) stand in the first ten pixels of a picture of 4 × 4, each through a sigmoid; the
 * encoder reads twice a pixel minus one back from there, and the class from the brightest of the first three.
 */
import { build } from '../../nn/index.ts';
import { concat, parameter, product, sigmoid, softmax, type Tensor, toOnnx } from '../../tensor/index.ts';
import { type ModelFile, writeModel } from '../model.ts';
import { createRun, type Run } from '../run.ts';

export const handMadeBlocks: ModelFile['blocks'] = [
  { name: 'y', size: 3, kind: 'categorical', role: 'class' },
  {
    name: 'u',
    size: 2,
    kind: 'gaussian',
    role: 'class-related',
    dependsOn: 'y',
    prior: {
      mean: [
        [0, 0],
        [1, -1],
        [3, -3],
      ],
      logVariance: [
        [0, 0],
        [0, 0],
        [-1, -1],
      ],
    },
  },
  { name: 's', size: 1, kind: 'gaussian', role: 'salient', neutral: [0.5], kl: [0.3] },
  { name: 'z', size: 4, kind: 'gaussian', role: 'shared', kl: [0.001, 2, 0.5, 1] },
];

export async function handMadeRun(root: string, { encodes = true } = {}): Promise<Run> {
  const run = await createRun(root, {
    command: 'untangle train parted-vae --data patches',
    method: 'by-hand',
    options: { beta: 4 },
    data: { target: { source: 'patches', fingerprint: 'f00d' } },
    training: { seed: 1, steps: 10, batchSize: 8, optimiser: 'adam', learningRate: 0.001, workers: 1, threads: 1 },
  });
  const b = build();
  const codes = handMadeBlocks.map(({ name, size }) => b.rows(name, [size]));
  const x = b.rows('x', [1, 4, 4]);
  const pixels = product(concat(codes, 1), parameter('to pixels', [10, 16]));
  const flat = x.reshape([x.shape[0], 16]);
  const encoder: Record<string, Tensor> = {};
  const parameters: Record<string, Float32Array> = { 'to pixels': ones(10, 16, 0) };
  let at = 0;
  for (const { name, size, kind } of handMadeBlocks) {
    const read = product(flat, parameter(`read ${name}`, [16, size]));
    parameters[`read ${name}`] = ones(16, size, at);
    at += size;
    if (kind === 'categorical') encoder[`${name} probabilities`] = softmax(read.times(10), 1);
    else {
      encoder[`${name} mean`] = read.times(2).minus(1);
      encoder[`${name} log variance`] = read.times(0).minus(1);
    }
  }
  const model = (name: string, outputs: Record<string, Tensor>) =>
    toOnnx({ name, outputs, parameters: (one) => parameters[one] });
  await writeModel(
    run.folder,
    {
      method: 'by-hand',
      title: 'A model by hand',
      step: 10,
      data: {
        name: 'patches',
        shape: { kind: 'image', channels: 1, height: 4, width: 4 },
        range: 'unit',
        classes: ['ape', 'bee', 'cat'],
      },
      blocks: handMadeBlocks,
      encodes,
    },
    {
      decoder: model('decoder', { x: sigmoid(pixels).reshape([pixels.shape[0], 1, 4, 4]) }),
      encoder: encodes ? model('encoder', encoder) : undefined,
    },
  );
  return run;
}

/** A matrix with ones where a row's and a column's number meet: row i and column i + shift, or the other way round. */
function ones(rows: number, columns: number, shift: number): Float32Array {
  const values = new Float32Array(rows * columns);
  for (let i = 0; i < Math.min(rows, columns); i++) {
    if (rows < columns) values[i * columns + i + shift] = 1;
    else values[(i + shift) * columns + i] = 1;
  }
  return values;
}
