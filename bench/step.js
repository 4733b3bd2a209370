// @ts-check
/**
 * Milliseconds a training step here and in PyTorch, and the share of this machine's SGEMM rate. Everything that is compared
 * alternates within each round, and every figure is a median over rounds with its 95 % interval.
 * `-- step NAME…` measures networks whose names hold one of the words; `-- step --against REV` compares two revisions.
 */
import { spawnSync } from 'node:child_process';
import { networkFor } from '../dist/nn/index.js';
import { against } from './against.js';
import { cases } from './models.js';
import { operationsOf } from './operations.js';
import { start } from './programs.js';
import { alternate } from './rounds.js';
import { figure, geometricMean, ratios, show } from './spread.js';

/** A turn measures for this long, but at least three steps. */
const turnMs = 600;
const modes = /** @type {const} */ (['2', '1', 'ddp']);

/** @typedef {import('./models.js').Case} Case @typedef {import('./spread.js').Figure} Figure */

/** @param {{ json: boolean, options: string[] }} call */
export async function run({ json, options }) {
  const { words, revision, seconds } = readOptions(options);
  const wanted = words.length === 0 ? cases : cases.filter(({ name }) => words.some((word) => name.includes(word)));
  if (revision !== undefined) return await against(revision, wanted, { seconds, turnMs, json });
  const ours = start(process.execPath, [new URL('ours.js', import.meta.url).pathname, root]);
  const torch = await openTorch();
  if (torch === undefined) console.error('PyTorch is not here (Debian: python3-torch): ours alone.');
  const networks = [];
  for (const one of wanted) {
    console.error(`measuring ${one.name} …`);
    networks.push(await measure(one, ours, torch, seconds));
  }
  ours.close();
  torch?.close();
  const plain = networks.filter(({ coupled }) => !coupled);
  const mean = (/** @type {(n: typeof networks[number]) => Figure | undefined} */ pick) => {
    const known = plain.map(pick).filter((one) => one !== undefined);
    return known.length === 0 ? undefined : geometricMean(known.map(({ median }) => median));
  };
  const result = {
    networks,
    geometricMeanDefault: mean((network) => network.ratioDefault),
    geometricMeanBest: mean((network) => network.ratioBest),
    sgemmShare: mean((network) => network.sgemmShare),
  };
  if (json) console.log(JSON.stringify(result));
  else print(result, torch?.version);
}

const root = new URL('..', import.meta.url).pathname;

/** @param {readonly string[]} options */
function readOptions(options) {
  const words = [];
  let revision;
  let seconds = 90;
  for (let i = 0; i < options.length; i++) {
    if (options[i] === '--against') revision = options[++i];
    else if (options[i] === '--seconds') seconds = Number(options[++i]);
    else words.push(options[i]);
  }
  return { words, revision, seconds };
}

/** @param {Case} one @param {import('./programs.js').Answering} ours @param {Awaited<ReturnType<typeof openTorch>>} torch @param {number} seconds */
async function measure(one, ours, torch, seconds) {
  const { openMs, residentMB } = await ours.ask({ open: one.name });
  /** Medians of a round's steps. */
  const wall = { ours: /** @type {number[]} */ ([]), 2: rounds(), 1: rounds(), ddp: rounds() };
  const cpu = { ours: rounds(), 2: rounds(), 1: rounds(), ddp: rounds() };
  const rates = rounds();
  const turnOf =
    (/** @type {NonNullable<typeof torch>} */ { time }, /** @type {typeof modes[number]} */ mode) =>
    async () => {
      const { times, cpu: taken } = await time(one, mode, turnMs);
      wall[mode].push(figure(times).median);
      cpu[mode].push(taken);
    };
  const turns = [
    async () => void rates.push(figure((await ours.ask({ product: turnMs / 4 })).rates).median),
    async () => {
      const { times, cpu: taken } = await ours.ask({ time: turnMs });
      wall.ours.push(figure(times).median);
      cpu.ours.push(taken);
    },
    ...(torch === undefined ? [] : modes.map((mode) => turnOf(torch, mode))),
  ];
  const best = () => modes.reduce((a, b) => (figure(wall[b]).median < figure(wall[a]).median ? b : a));
  const operations = operationsOf(one);
  const shares = () => wall.ours.map((ms, i) => operations / (ms / 1000) / rates[i]);
  const judged = () =>
    torch === undefined ? [shares()] : [ratios(wall['2'], wall.ours), ratios(wall[best()], wall.ours)];
  const { rounds: count, settled } = await alternate(turns, judged, { seconds });
  return {
    name: one.name,
    coupled: one.coupled ?? false,
    rounds: count,
    settled,
    openMs,
    residentMB,
    ours: figure(wall.ours),
    oursCpu: figure(cpu.ours),
    sgemm: figure(rates),
    operations,
    sgemmShare: figure(shares()),
    ...(torch !== undefined && {
      pytorchDefault: figure(wall['2']),
      pytorchBest: figure(wall[best()]),
      pytorchBestMode: best(),
      ratioDefault: figure(ratios(wall['2'], wall.ours)),
      ratioBest: figure(ratios(wall[best()], wall.ours)),
      ratioCpu: figure(ratios(cpu[best()], cpu.ours)),
    }),
  };
}

/** @returns {number[]} */
const rounds = () => [];

async function openTorch() {
  const python = ['/usr/bin/python3', 'python3'].find((name) => spawnSync(name, ['-c', 'import torch']).status === 0);
  if (python === undefined) return undefined;
  const program = start(python, [new URL('step_torch.py', import.meta.url).pathname], { PYTHONWARNINGS: 'ignore' });
  const { version } = await program.ask({});
  return {
    version,
    /** @param {Case} one @param {string} mode @param {number} ms @returns {Promise<{ times: number[], cpu: number }>} */
    async time(one, mode, ms) {
      const { encoder, decoder } = networkFor(one.network, {
        kind: 'image',
        channels: one.channels,
        height: one.side,
        width: one.side,
      });
      return await program.ask({ case: { ...one, encoder, decoder }, mode, ms });
    },
    close: program.close,
  };
}

/** @param {any} result @param {string | undefined} version */
function print(result, version) {
  console.log(`Medians over rounds with their 95 % intervals, against PyTorch ${version ?? '(not here)'}.`);
  for (const one of result.networks) {
    console.log(`${one.name}: ${one.rounds} rounds${one.settled ? '' : ', NOT settled within ±5 %'}`);
    console.log(
      `  ms a step       ours ${show(one.ours)}, 2 threads ${show(one.pytorchDefault)}, best (${one.pytorchBestMode ?? '–'}) ${show(one.pytorchBest)}`,
    );
    console.log(
      `  ratio           against 2 threads ${show(one.ratioDefault, 2)}, against the best ${show(one.ratioBest, 2)}`,
    );
    console.log(
      `  processors      ours ${show(one.oursCpu)} ms a step; the best takes ${show(one.ratioCpu, 2)} times as much`,
    );
    console.log(`  share of SGEMM  ${show(one.sgemmShare, 2)} of ${show(scaled(one.sgemm, 1e-9), 0)} GFLOP/s`);
    console.log(`  opens in ${one.openMs.toFixed(0)} ms, holds ${one.residentMB.toFixed(0)} MB`);
  }
  const number = (/** @type {number | undefined} */ value) => value?.toFixed(2) ?? '–';
  console.log(
    `geometric means of the plain steps: ${number(result.geometricMeanDefault)} against 2 threads, ${number(result.geometricMeanBest)} against the best, ${number(result.sgemmShare)} of SGEMM`,
  );
}

/** @param {Figure} one @param {number} scale @returns {Figure} */
function scaled(one, scale) {
  const both = (/** @type {[number, number]} */ [a, b]) => /** @type {[number, number]} */ ([a * scale, b * scale]);
  return { median: one.median * scale, quartiles: both(one.quartiles), interval: both(one.interval), n: one.n };
}
