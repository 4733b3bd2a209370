// @ts-check
/**
 * The metrics beside scikit-learn and scipy on one thread, in one run and in turns: disentanglement_lib's whole set on
 * 10,000 × 10 codes with 5 factors (and 5,000 rows to test on), t-SNE of 5,000 × 16, and the assignment of a batch of 128.
 * Without Python and scikit-learn it prints our times alone.
 */
import { spawn, spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { tsne } from '../dist/analysis/tsne.js';
import { matchPoints } from '../dist/analysis/wasserstein.js';
import { metrics, protocols } from '../dist/metrics/index.js';
import { stream } from '../dist/random/index.js';

const sizes = [3, 4, 5, 6, 8];
const [train, test, batch, d] = [10_000, 5_000, 64, 10];
const n = train + test;
const k = sizes.length;
const [pointsN, pointsD] = [5_000, 16];
const set = ['sap', 'z-diff', 'factor-vae', 'mig', 'dci', 'modularity', 'explicitness', 'irs', 'unsupervised'];
/** The long ones run once, the others at least three times and for some seconds, in turns; the fastest time counts. */
const once = new Set(['dci', 'tsne']);
const secondsEach = 6;

/** @typedef {{ name: string, ours: number, theirs: number | null, ratio: number | null, oursScore: number, theirsScore: number | null }} Row */

/**
 * @param {{ json?: boolean, options?: string[] }} [call] `options`: names of the metrics to measure, by default all.
 * @returns {Promise<{ metrics: Row[], sum: { ours: number, theirs: number | null, ratio: number | null }, dci: number | null, tsne: number | null, assignmentMs: number }>}
 */
export async function run({ json = false, options = [] } = {}) {
  const say = (/** @type {string} */ line) => void (json ? process.stderr : process.stdout).write(`${line}\n`);
  const { codes, factors, points } = data();
  const reference = await openReference(codes.values, factors.values, points, say);
  const wanted = (/** @type {string} */ name) => options.length === 0 || options.includes(name);

  /** @type {Record<string, () => number>} */
  const work = {
    tsne: () => tsne({ x: points, n: pointsN, d: pointsD, seed: 0 }).kl,
    assignment: () => matchPoints(points.subarray(0, 128 * 16), points.subarray(128 * 16, 256 * 16), 128, 16).w2Squared,
  };
  for (const name of set) {
    const preset = protocols['disentanglement-lib'].metrics[name];
    work[name] = () => metrics[name].score({ codes, factors }, preset, { seed: 0 }).score;
  }

  say(
    `${'metric'.padEnd(14)}${'ours ms'.padStart(10)}${'theirs ms'.padStart(11)}${'ratio'.padStart(8)}   score ours, theirs`,
  );
  /** @type {Row[]} */
  const rows = [];
  for (const name of [...set, 'tsne', 'assignment'].filter(wanted)) {
    /** @type {Row} */
    const row = { name, ours: Number.POSITIVE_INFINITY, theirs: null, ratio: null, oursScore: 0, theirsScore: null };
    const most = once.has(name) ? 1 : 50;
    const until = performance.now() + 1000 * secondsEach;
    for (let turn = 0; turn < most && (turn < 3 || performance.now() < until); turn++) {
      const start = performance.now();
      row.oursScore = work[name]();
      row.ours = Math.min(row.ours, performance.now() - start);
      if (!reference) continue;
      const answer = await reference.ask(name);
      row.theirsScore = answer.score;
      row.theirs = Math.min(row.theirs ?? Number.POSITIVE_INFINITY, answer.ms);
    }
    row.ratio = row.theirs === null ? null : row.theirs / row.ours;
    rows.push(row);
    say(line(row));
  }
  await reference?.close();

  const inSet = rows.filter((row) => set.includes(row.name));
  const ours = inSet.reduce((sum, row) => sum + row.ours, 0);
  const theirs = reference ? inSet.reduce((sum, row) => sum + (row.theirs ?? 0), 0) : null;
  const ratioOf = (/** @type {string} */ name) => rows.find((row) => row.name === name)?.ratio ?? null;
  const result = {
    metrics: rows.filter((row) => set.includes(row.name)),
    sum: { ours, theirs, ratio: theirs === null ? null : theirs / ours },
    dci: ratioOf('dci'),
    tsne: ratioOf('tsne'),
    assignmentMs: rows.find((row) => row.name === 'assignment')?.ours ?? Number.NaN,
  };
  say(line({ name: 'sum of the set', oursScore: Number.NaN, theirsScore: null, ...result.sum }));
  if (json) process.stdout.write(`${JSON.stringify(result)}\n`);
  return result;
}

/** @param {Row} row */
function line({ name, ours, theirs, ratio, oursScore, theirsScore }) {
  const cell = (/** @type {number | null} */ value, /** @type {number} */ width, digits = 1) =>
    (value === null ? '–' : value.toFixed(digits)).padStart(width);
  const scores = Number.isNaN(oursScore) ? '' : `   ${oursScore.toFixed(4)}, ${theirsScore?.toFixed(4) ?? '–'}`;
  return `${name.padEnd(14)}${cell(ours, 10)}${cell(theirs, 11)}${cell(ratio, 8, 2)}${scores}`;
}

/** Codes that follow one factor each with noise, mix two, or follow none. */
function data() {
  const source = stream(7, 'bench of metrics');
  const factorValues = Float64Array.from({ length: n * k }, (_, at) => source.integer(sizes[at % k]));
  const values = new Float64Array(n * d);
  for (let i = 0; i < n; i++)
    for (let j = 0; j < d; j++) {
      const own = factorValues[i * k + (j % k)] / sizes[j % k];
      const other = factorValues[i * k + ((j + 2) % k)] / sizes[(j + 2) % k];
      const signal = j < 5 ? 3 * own : j < 8 ? own + other : 0;
      values[i * d + j] = signal + 0.3 * source.normal();
    }
  const points = new Float64Array(pointsN * pointsD);
  for (let i = 0; i < pointsN; i++)
    for (let j = 0; j < pointsD; j++) points[i * pointsD + j] = 3 * Math.cos(7 * (i % 10) + j) + source.normal();
  /** @type {import('../dist/metrics/index.js').FactorTable} */
  const factors = {
    values: factorValues,
    n,
    factors: sizes.map((size, f) => ({ name: `f${f}`, kind: 'discrete', size })),
  };
  return { codes: { values, n, d }, factors, points };
}

/**
 * The Python program, ready to be asked; nothing where there is no Python with scikit-learn.
 *
 * @param {Float64Array} codes
 * @param {Float64Array} factors
 * @param {Float64Array} points
 * @param {(line: string) => void} say
 */
async function openReference(codes, factors, points, say) {
  const able = (/** @type {string} */ name) => spawnSync(name, ['-c', 'import sklearn, scipy']).status === 0;
  const python = ['/usr/bin/python3', 'python3'].find(able);
  if (python === undefined) {
    say('No comparison: there is no Python with scikit-learn and scipy (Debian: python3-sklearn). Our times alone:');
    return undefined;
  }
  const folder = await mkdtemp(join(tmpdir(), 'untangle-bench-'));
  const files = { codes: join(folder, 'codes'), factors: join(folder, 'factors'), points: join(folder, 'points') };
  await writeFile(files.codes, codes);
  await writeFile(files.factors, factors);
  await writeFile(files.points, points);
  const settings = JSON.stringify({ n, d, k, train, test, batch, pointsN, pointsD, ...files });
  const program = join(import.meta.dirname, 'metrics_reference.py');
  const child = spawn(python, [program, settings], { stdio: ['pipe', 'pipe', 'inherit'] });
  const ended = new Promise((resolve) => child.on('close', resolve));
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const next = async () => {
    const { value, done } = await lines.next();
    if (done) throw new Error('The reference program stopped.');
    return JSON.parse(value);
  };
  const versions = await next();
  say(`theirs: scikit-learn ${versions.sklearn}, scipy ${versions.scipy}, numpy ${versions.numpy}, one thread`);
  return {
    async ask(/** @type {string} */ name) {
      child.stdin.write(`${name}\n`);
      return next();
    },
    async close() {
      child.stdin.end();
      await ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
}
