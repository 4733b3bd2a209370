/**
 * A training in the tab: the same method on the same symbolic tensors as everywhere, differentiated and written as one ONNX
 * graph, run by onnxruntime-web in this worker.
 */
import * as ort from 'onnxruntime-web/wasm';
import type { Method, Settings } from '../../src/methods/method.ts';
import { betaVae } from '../../src/methods/vae/beta-vae.ts';
import { dipVae2 } from '../../src/methods/vae/dip-vae.ts';
import { vae } from '../../src/methods/vae/vae.ts';
import { build, initialValues } from '../../src/nn/index.ts';
import { type Options, parseOptions } from '../../src/options/index.ts';
import { stream } from '../../src/random/index.ts';
import type { Feeds } from '../../src/runtime/feeds.ts';
import { compile, type Program } from '../../src/runtime/program.ts';
import { webBackend } from '../../src/runtime/web/backend.ts';
import { input } from '../../src/tensor/index.ts';
import { adam } from '../../src/training/session/optimisers.ts';
import { reach } from './codes.ts';
import { itemSize } from './image.ts';
import {
  type FromWorker,
  type LiveMethod,
  type LivePicture,
  type LiveStart,
  reconstructed,
  stripLength,
  type ToWorker,
} from './live-protocol.ts';

const methods: Record<LiveMethod, Method> = { 'beta-vae': betaVae, vae, 'dip-vae-ii': dipVae2 };
const batchSize = 32;
const learningRate = 1e-3;
/** Milliseconds between pictures, and between words to the page. */
const [betweenPictures, betweenWords] = [500, 100];

let running = false;
let numbers: Record<string, number> = {};
let wake = () => {};

addEventListener('message', ({ data }: MessageEvent<ToWorker>) => {
  if (data.kind === 'number') numbers[data.name] = data.value;
  else if (data.kind === 'start')
    train(data).catch((error) =>
      tell({ kind: 'failed', sentence: error instanceof Error ? error.message : String(error) }),
    );
  else {
    running = data.kind === 'go';
    wake();
  }
});

async function train(start: LiveStart): Promise<void> {
  ort.env.wasm.numThreads = 1;
  ort.env.wasm.wasmPaths = start.runtime;
  const { program, noises, schedules } = await compiled(start);
  numbers = { ...schedules, ...start.numbers };
  const size = itemSize(start.facts);
  const count = start.items.length / size;
  running = true;
  let step = 0;
  let lines: { step: number; terms: Record<string, number> }[] = [];
  let [lastWord, lastPicture, spent] = [performance.now(), -Infinity, 0];
  while (true) {
    if (!running) {
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
      continue;
    }
    const began = performance.now();
    const feeds: Feeds = {};
    for (const { name, shape } of program.feedsOf('train')) {
      const length = shape.reduce((product, side) => product * side, 1);
      if (name === 'x') feeds[name] = batch(start.items, size, count, start.seed, step);
      else if (noises.has(name)) feeds[name] = stream(start.seed, name, step).normals(length);
      else feeds[name] = name.endsWith('learning rate') ? learningRate : numbers[name];
    }
    const terms = await program.step('train', feeds);
    step++;
    spent += performance.now() - began;
    lines.push({ step, terms });
    const now = performance.now();
    if (now - lastPicture > betweenPictures) {
      tell(await picture(program, start, step));
      lastPicture = performance.now();
    }
    if (now - lastWord > betweenWords) {
      tell({ kind: 'steps', lines, rate: (1000 * lines.length) / spent });
      [lines, spent, lastWord] = [[], 0, now];
      // The page's messages come in between.
      await new Promise((resolve) => setTimeout(resolve));
    }
  }
}

/** The training step and the functions to look at the model with. */
async function compiled({ method: name, facts, items, latents, seed }: LiveStart) {
  const method = methods[name];
  const { channels, height, width } = facts.shape;
  const context = {
    item: { kind: 'image', channels, height, width } as const,
    range: facts.range,
    items: items.length / itemSize(facts),
    variables: [],
    labelled: 0,
  };
  const values = parseOptions(method.options, { latents });
  const schedules: Record<string, number> = {};
  const settings = Object.entries(method.options).map(([option, { kind, ...facts }]) => {
    if (kind !== 'number' || !('schedulable' in facts) || !facts.schedulable) return [option, values[option]];
    schedules[option] = Number(facts.default);
    return [option, input(option, [])];
  });
  // Exactly the options that may be on a schedule are inputs, as a method expects them.
  const model = method.build(context, Object.fromEntries(settings) as Settings<Options>);
  const b = build({ size: batchSize, workers: 1 });
  const [{ minimises, terms, groups }] = model.steps(b);
  const use = build();
  const z = model.encode?.(use, use.rows('x', [channels, height, width])).z;
  if (z?.kind !== 'gaussian') throw new Error('The method has no Gaussian code.');
  const program = await compile(
    {
      parameters: initialValues(b.declared, seed),
      steps: {
        train: {
          minimises,
          terms,
          groups: groups.map(({ name: group, parameters }) => ({ name: group, parameters, optimiser: adam() })),
          assigns: b.assigns,
        },
      },
      functions: {
        encode: { mean: z.mean, logVariance: z.logVariance },
        decode: { x: model.decode(use, { z: use.rows('z', [latents]) }) },
      },
    },
    { backend: webBackend(ort) },
  );
  return { program, noises: b.noises, schedules };
}

function batch(items: Float32Array, size: number, count: number, seed: number, step: number): Float32Array {
  const random = stream(seed, 'order of items', step);
  const x = new Float32Array(batchSize * size);
  for (let row = 0; row < batchSize; row++) {
    const i = random.integer(count);
    x.set(items.subarray(i * size, (i + 1) * size), row * size);
  }
  return x;
}

async function picture(program: Program, { items, facts, latents }: LiveStart, step: number): Promise<LivePicture> {
  const size = itemSize(facts);
  const watched = items.slice(0, Math.min(items.length, 128 * size));
  const { mean, logVariance } = await program.run('encode', { x: watched });
  const rows = mean.length / latents;
  const kl = new Array<number>(latents).fill(0);
  for (let i = 0; i < mean.length; i++)
    kl[i % latents] += (mean[i] ** 2 + Math.exp(logVariance[i]) - 1 - logVariance[i]) / 2 / rows;
  const codes = new Float32Array(latents * stripLength * latents);
  for (let k = 0; k < latents; k++)
    for (let s = 0; s < stripLength; s++)
      codes[(k * stripLength + s) * latents + k] = reach * ((2 * s) / (stripLength - 1) - 1);
  const { x: traversals } = await program.run('decode', { z: codes });
  const { x: reconstructions } = await program.run('decode', { z: mean.slice(0, reconstructed * latents) });
  return {
    kind: 'picture',
    step,
    kl,
    traversals: traversals.slice(),
    given: items.slice(0, reconstructed * size),
    reconstructions: reconstructions.slice(),
  };
}

function tell(message: FromWorker): void {
  postMessage(message);
}
