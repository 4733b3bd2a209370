// @ts-check
/** Milliseconds a training step, here and in PyTorch, alternating; and the share of this machine's SGEMM rate. */
import { spawn, spawnSync } from 'node:child_process';
import { createInterface } from 'node:readline';
import { networkFor } from '../dist/nn/index.js';
import { stream } from '../dist/random/index.js';
import { compile } from '../dist/runtime/index.js';
import { nodeBackend, openTeam } from '../dist/runtime/node/index.js';
import { input, matmul } from '../dist/tensor/index.js';
import { cases, stepOf } from './models.js';

const rounds = 3;
/** A round measures for this long, but at least three steps. */
const roundMs = 1500;
const warm = 2;
const modes = /** @type {const} */ (['2', '1', 'ddp']);

/** @param {{ json: boolean, options: string[] }} options */
export async function run({ json, options }) {
  const wanted = options.length === 0 ? cases : cases.filter(({ name }) => options.some((word) => name.includes(word)));
  const torch = await openTorch();
  if (torch === undefined) console.error('PyTorch is not here (Debian: python3-torch): ours alone.');
  const sgemm = await sgemmRate();
  const networks = [];
  for (const one of wanted) {
    console.error(`measuring ${one.name} …`);
    networks.push(await measure(one, torch, sgemm));
  }
  torch?.close();
  const plain = networks.filter(({ coupled }) => !coupled);
  const mean = (/** @type {(n: typeof networks[number]) => number | undefined} */ pick) =>
    geometricMean(plain.map(pick));
  const result = {
    networks,
    geometricMeanDefault: mean((network) => network.ratioDefault),
    geometricMeanBest: mean((network) => network.ratioBest),
    sgemm,
  };
  if (json) console.log(JSON.stringify(result));
  else print(result, torch?.version);
}

/** @param {typeof cases[number]} one @param {Awaited<ReturnType<typeof openTorch>>} torch @param {number} sgemm */
async function measure(one, torch, sgemm) {
  const started = performance.now();
  const program = await compile(stepOf(one, 2), { backend: await nodeBackend(), workers: 2, team: openTeam });
  const open = performance.now() - started;
  const size = one.batch * one.channels * one.side * one.side;
  const x = stream(1, 'bench')
    .uniforms(size)
    .map((u) => (u > 0.7 ? 1 : 0));
  /** @type {number[]} */
  const ours = [];
  /** @type {Record<string, number[]>} */
  const theirs = { 1: [], 2: [], ddp: [] };
  for (let round = 0; round < rounds; round++) {
    const until = performance.now() + roundMs;
    for (let i = 0; i < warm + 3 || performance.now() < until; i++) {
      const z = stream(1, 'noise', round * 1000 + i).normals(one.batch * one.latents);
      const begin = performance.now();
      await program.step('train', { x, z, 'model learning rate': 1e-4 });
      if (i >= warm) ours.push(performance.now() - begin);
    }
    if (torch === undefined) continue;
    for (const mode of modes) theirs[mode].push(...(await torch.time(one, mode)));
  }
  await program.close();
  const times = torch === undefined ? undefined : modes.map((mode) => median(theirs[mode]));
  const mine = median(ours);
  return {
    name: one.name,
    coupled: one.coupled ?? false,
    ours: mine,
    openMs: open,
    pytorchDefault: times?.[0],
    pytorchBest: times && Math.min(...times),
    ratioDefault: times && times[0] / mine,
    ratioBest: times && Math.min(...times) / mine,
    sgemmShare: work(one) / (mine / 1000) / sgemm,
  };
}

/** Multiply-adds of the forward pass and both backward products, twice each, in operations a step. @param {typeof cases[number]} one */
function work(one) {
  const network = networkFor(one.network, { kind: 'image', channels: one.channels, height: one.side, width: one.side });
  const through = (/** @type {import('../dist/nn/index.js').Layer[]} */ layers, /** @type {number[]} */ item) => {
    let total = 0;
    for (const layer of layers) {
      const [c, h = 1, w = 1] = item;
      if (layer.kind === 'linear') {
        const inputs = c * h * w;
        total += inputs * layer.out;
        item = [layer.out];
      } else if (layer.kind === 'conv') {
        const [stride, padding] = [layer.stride ?? 1, layer.padding ?? 0];
        const [oh, ow] = [h, w].map((side) => Math.floor((side + 2 * padding - layer.kernel) / stride) + 1);
        total += c * layer.out * layer.kernel ** 2 * oh * ow;
        item = [layer.out, oh, ow];
      } else if (layer.kind === 'convTranspose') {
        const stride = layer.stride ?? 1;
        total += c * layer.out * layer.kernel ** 2 * h * w;
        item = [layer.out, h * stride + (layer.outputPadding?.[0] ?? 0), w * stride + (layer.outputPadding?.[1] ?? 0)];
      } else if (layer.kind === 'averagePool') item = [c, h / layer.size, w / layer.size];
      else if (layer.kind === 'upsample') item = [c, h * layer.factor, w * layer.factor];
      else if (layer.kind === 'reshape') item = [...layer.item];
    }
    return total;
  };
  const macs = through(network.encoder, [one.channels, one.side, one.side]) + through(network.decoder, [one.latents]);
  return 3 * 2 * macs * one.batch;
}

/** Operations a second of a 1024³ product on both cores; only its mean comes back, so that no copy is measured. */
async function sgemmRate() {
  const n = 1024;
  const program = await compile(
    { parameters: [], functions: { product: { mean: matmul(input('a', [n, n]), input('b', [n, n])).mean() } } },
    { backend: await nodeBackend(), threads: 2 },
  );
  const a = stream(1, 'sgemm').normals(n * n);
  const times = [];
  for (let i = 0; i < 40; i++) {
    const begin = performance.now();
    await program.run('product', { a, b: a });
    times.push(performance.now() - begin);
  }
  await program.close();
  return (2 * n ** 3) / (Math.min(...times) / 1000);
}

async function openTorch() {
  const python = ['/usr/bin/python3', 'python3'].find((name) => spawnSync(name, ['-c', 'import torch']).status === 0);
  if (python === undefined) return undefined;
  const child = spawn(python, [new URL('./step_torch.py', import.meta.url).pathname], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...process.env, PYTHONWARNINGS: 'ignore' },
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const { version } = JSON.parse((await lines.next()).value);
  return {
    version,
    /** @param {typeof cases[number]} one @param {string} mode @returns {Promise<number[]>} */
    async time(one, mode) {
      const { encoder, decoder } = networkFor(one.network, {
        kind: 'image',
        channels: one.channels,
        height: one.side,
        width: one.side,
      });
      child.stdin.write(`${JSON.stringify({ case: { ...one, encoder, decoder }, mode, roundMs, warm })}\n`);
      return JSON.parse((await lines.next()).value).times;
    },
    close: () => child.stdin.end(),
  };
}

/** @param {any} result @param {string | undefined} version */
function print(result, version) {
  const number = (/** @type {number | undefined} */ value, digits = 1) =>
    value === undefined ? '–' : value.toFixed(digits);
  console.log(`${'ms a step, median'.padEnd(40)} ours  PyTorch ${version ?? ''} (2 threads, best)  ratio  SGEMM share`);
  for (const one of result.networks) {
    const theirs = `${number(one.pytorchDefault)}, ${number(one.pytorchBest)}`;
    const ratios = `${number(one.ratioDefault, 2)}, ${number(one.ratioBest, 2)}`;
    console.log(
      `${one.name.padEnd(40)} ${number(one.ours).padStart(6)} ${theirs.padStart(16)} ${ratios.padStart(12)} ${number(100 * one.sgemmShare, 0)} %`,
    );
  }
  console.log(
    `geometric mean of the plain steps: ${number(result.geometricMeanDefault, 2)} against 2 threads, ${number(result.geometricMeanBest, 2)} against the best`,
  );
}

/** @param {number[]} values */
function median(values) {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];
}

/** @param {(number | undefined)[]} values */
function geometricMean(values) {
  const known = values.filter((value) => value !== undefined);
  return known.length === 0
    ? undefined
    : Math.exp(known.reduce((sum, value) => sum + Math.log(value), 0) / known.length);
}
