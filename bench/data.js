// @ts-check
/** How fast data opens and gathers, and what stays in memory: dSprites, MNIST, the generated sets, a folder of 10,000 PNGs. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { encode } from 'fast-png';
import { openData } from '../dist/data/index.js';
import { itemSize } from '../dist/model/index.js';
import { stream } from '../dist/random/index.js';

const batch = 64;
const batches = 300;
const folderSize = 10_000;

/** @typedef {{ name: string, value: number, unit: string, limit: number | null }} Row */

/** @param {{ json?: boolean }} [options] */
export async function run({ json = false } = {}) {
  const dataDir = await mkdtemp(join(tmpdir(), 'untangle-bench-'));
  /** @type {Row[]} */
  const rows = [];
  const note = (
    /** @type {string} */ name,
    /** @type {number} */ value,
    /** @type {string} */ unit,
    limit = /** @type {number | null} */ (null),
  ) => {
    rows.push({ name, value, unit, limit });
    if (json) return;
    const judged = limit === null ? '' : `   ${value < limit ? 'under' : 'NOT under'} ${limit}`;
    console.log(`${name.padEnd(44)}${value.toFixed(value < 10 ? 3 : 1).padStart(10)} ${unit}${judged}`);
  };
  try {
    // First, so that nothing else is in memory when dSprites is weighed.
    note('dSprites, first opening (drawn)', await opening('dsprites', dataDir), 'ms');
    note('dSprites, opening again (read)', await opening('dsprites', dataDir), 'ms');
    note('dSprites, gather of 64', await gathering('dsprites', dataDir), 'ms', 0.5);
    note('resident memory with all of dSprites', process.memoryUsage().rss / 1e6, 'MB', 450);
    note('MNIST, opening', await opening('mnist', dataDir), 'ms', 300);
    note('MNIST 28×28, gather of 64', await gathering('mnist', dataDir), 'ms');
    note('MNIST at 32×32, gather of 64', await gathering('mnist:size=32', dataDir), 'ms');
    note('MNIST at 64×64, gather of 64', await gathering('mnist:size=64', dataDir), 'ms');
    note('shapes, opening', await opening('shapes', dataDir), 'ms', 100);
    for (const name of ['grassy-mnist', 'styled-mnist']) {
      note(`${name}, opening`, await opening(name, dataDir), 'ms');
      note(`${name}, gather of 64 targets`, await gathering(name, dataDir), 'ms');
    }
    const folder = await writeFolder(dataDir);
    note('folder of 10,000 PNGs, first opening', await opening(folder, dataDir, 1), 'ms');
    note('folder of 10,000 PNGs, opening again', await opening(folder, dataDir, 1), 'ms');
  } finally {
    await rm(dataDir, { recursive: true });
  }
  if (json) console.log(JSON.stringify({ rows }));
  return rows;
}

/**
 * Milliseconds to open; the best of some, since the file cache and the compiler warm up.
 * @param {string} spec @param {string} dataDir
 */
async function opening(spec, dataDir, times = spec === 'dsprites' ? 1 : 3) {
  let best = Number.POSITIVE_INFINITY;
  for (let i = 0; i < times; i++) {
    const start = performance.now();
    await openData(spec, { dataDir });
    best = Math.min(best, performance.now() - start);
  }
  return best;
}

/**
 * Milliseconds to gather a random batch: the median.
 * @param {string} spec @param {string} dataDir
 */
async function gathering(spec, dataDir) {
  const opened = await openData(spec, { dataDir });
  const data = opened.kind === 'single' ? opened.data : opened.target;
  const out = new Float32Array(batch * itemSize(data.shape));
  const random = stream(0, 'bench');
  const times = [];
  for (let i = 0; i < batches; i++) {
    const indices = Uint32Array.from({ length: batch }, () => random.integer(data.length));
    const start = performance.now();
    data.gather(indices, out);
    times.push(performance.now() - start);
  }
  return times.sort((a, b) => a - b)[batches >> 1];
}

/**
 * Digits as 10,000 PNG files in ten folders.
 * @param {string} dataDir
 */
async function writeFolder(dataDir) {
  const opened = await openData('mnist');
  if (opened.kind !== 'single') throw new Error('MNIST is one set');
  const folder = join(dataDir, 'digits');
  for (let digit = 0; digit < 10; digit++) await mkdir(join(folder, String(digit)), { recursive: true });
  for (let i = 0; i < folderSize; i++) {
    const data = Uint8Array.from(opened.data.gather([i]), (value) => Math.round(255 * value));
    const label = opened.data.labels?.values[i] ?? 0;
    const png = encode({ width: 28, height: 28, channels: 1, depth: 8, data });
    await writeFile(join(folder, String(label), `${i}.png`), png);
  }
  return folder;
}
