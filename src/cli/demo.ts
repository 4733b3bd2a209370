/**
 * `untangle demo`, the first thing that a newcomer runs: trains DIP-VAE-II on MNIST for a set time, measures what it
 * learned on the test digits, and draws it.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import type { Dataset } from '../data/dataset.ts';
import { openMnist } from '../data/mnist.ts';
import { type Scores, scoreAll } from '../metrics/index.ts';
import { apply, type Build, build, type Item, initialValues, linear, networkFor } from '../nn/index.ts';
import { type GaussianPosterior, klToStandardNormal, sample } from '../objectives/gaussian.ts';
import { reconstruction } from '../objectives/likelihood.ts';
import { aggregateCovariance, distanceToIdentity } from '../objectives/moments.ts';
import { barChart, reconstruction as drawReconstruction, lineChart, toPng, traversal } from '../pictures/index.ts';
import { stream } from '../random/index.ts';
import { compile, nodeBackend, openTeam, type Program } from '../runtime/index.ts';
import { sigmoid, type Tensor } from '../tensor/index.ts';
import { adam } from '../train/optimisers.ts';
import { positiveNumber, wholeNumber } from './numbers.ts';
import { print, printJson, progress, say, seconds } from './terminal.ts';

const latents = 10;
const batch = 64;
const rate = 1e-3;
const lambda = 5;
const item: Item = { kind: 'image', channels: 1, height: 28, width: 28 };

interface Options {
  minutes: string;
  seed: string;
  out: string;
  json?: boolean;
}

export async function demo(options: Options): Promise<void> {
  const minutes = positiveNumber('--minutes', options.minutes);
  const seed = wholeNumber('--seed', options.seed);
  const digits = await openMnist();
  const workers = availableParallelism() >= 2 ? 2 : 1;
  const program = await dipVae(workers, seed);
  say(
    `Training DIP-VAE-II on MNIST for ${seconds(minutes * 60_000)}, ${workers} worker(s), seed ${seed}. Ctrl-C ends the training early.`,
  );
  const history = await train(program, digits, minutes * 60_000, seed);
  const test = await encodeTest(program, digits);
  const scores = measure(digits, test, seed);
  const files = await draw(program, digits, test, klOf(scores), history, options.out);
  await program.close();
  const last = history[history.length - 1];
  if (options.json) {
    printJson({
      seed,
      steps: last.step,
      loss: last.loss,
      reconstruction: last.reconstruction,
      kl: last.kl,
      ...scores,
      files,
    });
    return;
  }
  print(
    `${last.step} steps: reconstruction ${last.reconstruction.toFixed(1)} nats, KL ${last.kl.toFixed(1)} nats, covariance terms ${last.moments.toFixed(2)}.`,
  );
  for (const one of scores.results) print(`${one.title}: ${one.score.toFixed(3)}`);
  print(`Pictures:\n${files.map((file) => `  ${file}`).join('\n')}`);
}

/** Encoder and decoder of PartedVAE's kind, sized for 28×28. */
function encode(b: Build, x: Tensor): GaussianPosterior {
  const features = apply(b.at('encoder'), networkFor('auto', item).encoder, x);
  return {
    mean: linear(b.at('mean'), features, latents),
    logVariance: linear(b.at('log variance'), features, latents),
  };
}

function decode(b: Build, z: Tensor): Tensor {
  return apply(b.at('decoder'), networkFor('auto', item).decoder, z);
}

/** DIP-VAE-II (Kumar et al. 2018, Eq. 7): the ELBO, with the covariance of the aggregate posterior drawn to the identity. */
async function dipVae(workers: number, seed: number): Promise<Program> {
  const b = build({ size: batch, workers });
  const x = b.rows('x', [1, 28, 28]);
  const posterior = encode(b, x);
  const error = reconstruction(decode(b, sample(posterior, b.noise('z', [latents], 'normal'))), x, 'bernoulli');
  const kl = klToStandardNormal(posterior).sum(1).mean();
  const { offDiagonal, diagonal } = distanceToIdentity(aggregateCovariance(posterior));
  const moments = offDiagonal.plus(diagonal);
  const used = build();
  const code = encode(used, used.rows('x', [1, 28, 28]));
  const image = sigmoid(decode(used, used.rows('z', [latents])));
  const parameters = [...b.declared.values()].map(({ tensor }) => tensor);
  return compile(
    {
      parameters: initialValues(b.declared, seed),
      steps: {
        train: {
          minimises: error.plus(kl).plus(moments.times(lambda)),
          terms: { reconstruction: error, kl, moments },
          groups: [{ name: 'model', parameters, optimiser: adam() }],
        },
      },
      functions: { encode: { mean: code.mean, logVariance: code.logVariance }, decode: { image } },
    },
    { backend: await nodeBackend(), workers, team: openTeam, threads: availableParallelism() },
  );
}

interface Moment {
  step: number;
  loss: number;
  reconstruction: number;
  kl: number;
  moments: number;
}

/** Trains until the time is over, or until Ctrl-C. */
async function train(program: Program, digits: Dataset, milliseconds: number, seed: number): Promise<Moment[]> {
  const indices = digits.split!.train;
  const perEpoch = Math.floor(indices.length / batch);
  const x = new Float32Array(batch * 28 * 28);
  const line = progress();
  const history: Moment[] = [];
  const started = performance.now();
  let stopped = false;
  const stop = () => {
    stopped = true;
  };
  process.once('SIGINT', stop);
  let order: Uint32Array = new Uint32Array(0);
  for (let step = 0; !stopped; step++) {
    const passed = performance.now() - started;
    if (passed >= milliseconds && step > 0) break;
    if (step % perEpoch === 0) order = stream(seed, 'order of items', step / perEpoch).permutation(indices.length);
    const at = (step % perEpoch) * batch;
    digits.gather(
      Array.from(order.subarray(at, at + batch), (place) => indices[place]),
      x,
    );
    const terms = await program.step('train', {
      x,
      z: stream(seed, 'z', step).normals(batch * latents),
      'model learning rate': rate,
    });
    const { loss, reconstruction: error, kl, moments } = terms;
    history.push({ step: step + 1, loss, reconstruction: error, kl, moments });
    line.at(
      passed / milliseconds,
      `step ${step + 1}, ${Math.round((1000 * (step + 1)) / passed)} a second, loss ${loss.toFixed(1)}, reconstruction ${error.toFixed(1)}, KL ${kl.toFixed(1)}`,
    );
  }
  process.removeListener('SIGINT', stop);
  line.end();
  return history;
}

interface Encoded {
  mean: Float32Array;
  logVariance: Float32Array;
  n: number;
}

async function encodeTest(program: Program, digits: Dataset): Promise<Encoded> {
  const indices = digits.split!.test;
  const n = indices.length;
  const mean = new Float32Array(n * latents);
  const logVariance = new Float32Array(n * latents);
  for (let start = 0; start < n; start += 500) {
    const part = await program.run('encode', { x: digits.gather(indices.subarray(start, start + 500)) });
    mean.set(part.mean, start * latents);
    logVariance.set(part.logVariance, start * latents);
  }
  return { mean, logVariance, n };
}

function measure(digits: Dataset, { mean, logVariance, n }: Encoded, seed: number): Scores {
  const codes = { values: mean, n, d: latents, logVariance };
  const values = Uint16Array.from(digits.split!.test, (index) => digits.labels!.values[index]);
  const labels = { names: digits.labels!.names, values };
  return scoreAll({ codes, labels }, { names: ['linear-probe', 'kl'] }, { seed });
}

/** Traversals, reconstructions, KL of each dimension and the course of the terms. */
async function draw(
  program: Program,
  digits: Dataset,
  test: Encoded,
  kl: number[],
  history: Moment[],
  out: string,
): Promise<string[]> {
  await mkdir(out, { recursive: true });
  const { shape, range } = digits;
  if (shape.kind !== 'image') throw new Error('MNIST holds images');
  const images = (values: Float32Array) => ({ values, shape, range });
  const ordered = kl.map((_, i) => i).sort((a, b) => kl[b] - kl[a]);
  const quantiles = [0.02, 0.1, 0.25, 0.4, 0.5, 0.6, 0.75, 0.9, 0.98];
  const steps = [-2.054, -1.282, -0.674, -0.253, 0, 0.253, 0.674, 1.282, 2.054];
  const z = new Float32Array(latents * steps.length * latents);
  ordered.forEach((dimension, row) => {
    steps.forEach((value, column) => {
      z[(row * steps.length + column) * latents + dimension] = value;
    });
  });
  const traversed = await program.run('decode', { z });
  const shown = digits.split!.test.subarray(0, 20);
  const originals = digits.gather(shown);
  const rebuilt = await program.run('decode', { z: test.mean.subarray(0, shown.length * latents) });
  const x = history.map(({ step }) => step);
  const drawings = {
    'traversal.png': traversal({
      dimensions: ordered.map((index) => ({ block: 'shared', index, kl: kl[index] })),
      quantiles,
      images: images(traversed.image),
      title: 'Each dimension moved alone, from the prior’s mean',
    }),
    'reconstruction.png': drawReconstruction({
      sets: [{ originals: images(originals), reconstructions: images(rebuilt.image) }],
      title: 'Test digits and their reconstructions',
    }),
    'kl.png': barChart({
      groups: [{ name: 'shared', bars: ordered.map((index) => ({ label: String(index), value: kl[index] })) }],
      value: { label: 'KL', unit: 'nats' },
      title: 'What each dimension carries',
    }),
    'terms.png': lineChart({
      series: [
        { name: 'reconstruction', x, y: history.map((moment) => moment.reconstruction) },
        { name: 'KL', x, y: history.map((moment) => moment.kl) },
        { name: 'covariance', x, y: history.map((moment) => moment.moments) },
      ],
      x: { label: 'step' },
      y: { label: 'term', unit: 'nats', scale: 'log' },
      smoothing: 0.9,
      title: 'The terms of DIP-VAE-II',
    }),
  };
  const files: string[] = [];
  for (const [name, drawing] of Object.entries(drawings)) {
    const file = join(out, name);
    await writeFile(file, toPng(drawing));
    files.push(file);
  }
  return files;
}

/** The mean KL of each dimension over the test digits, as the metric found it. */
function klOf({ results }: Scores): number[] {
  const perDimension = results.find(({ name }) => name === 'kl')?.parts.perDimension;
  if (!Array.isArray(perDimension)) throw new Error('the KL was measured');
  return perDimension.map(Number);
}
