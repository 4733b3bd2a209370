/**
 * Damaged and made-up files for every parser: mutations of a kept corpus, guided by V8's own coverage. An input that reaches code which
 * none before it has reached is kept and mutated further. Every input ends in a value or in a sentence, soon, and in bounded memory.
 */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseCondition } from '../dist/data/conditions/condition.js';
import { csvParser } from '../dist/data/formats/csv.js';
import { parseIdx } from '../dist/data/formats/idx.js';
import { decodeByJpegJs } from '../dist/data/formats/jpeg.js';
import { parseNpy } from '../dist/data/formats/npy.js';
import { decodePng } from '../dist/data/formats/png.js';
import { decodePnm } from '../dist/data/formats/pnm.js';
import { UntangleError } from '../dist/errors.js';
import { parseSchedule } from '../dist/options/index.js';
import { decodeSafetensors, parseLine } from '../dist/runs/index.js';
import { nodeBackend } from '../dist/runtime/node/index.js';
import { randomFrom, tell } from './table.js';

const text = (bytes) => bytes.toString('utf8');
const backend = await nodeBackend();

/** Each parser, and how much dearer one try is than that of a small text. */
const parsers = {
  npy: { parse: (bytes) => parseNpy(bytes, 'it') },
  png: { parse: (bytes) => decodePng(bytes, 'it') },
  pnm: { parse: (bytes) => decodePnm(bytes, 'it') },
  idx: { parse: (bytes) => parseIdx(bytes, 'it') },
  jpeg: { parse: (bytes) => decodeByJpegJs(bytes, 'it'), cost: 20 },
  safetensors: { parse: (bytes) => decodeSafetensors(bytes, 'it') },
  csv: {
    parse: (bytes) => {
      const parser = csvParser('it', () => {});
      parser.push(text(bytes));
      parser.end();
    },
  },
  log: { parse: (bytes) => parseLine(text(bytes)) },
  schedule: { parse: (bytes) => parseSchedule(text(bytes)) },
  condition: { parse: (bytes) => parseCondition(text(bytes)) },
  onnx: {
    parse: async (bytes) => {
      const graph = await backend.open(bytes, { threads: 1 });
      await graph.close();
    },
    cost: 50,
    // The runtime's own sentences are not ours; that it does not end the process is what is tried.
    takesAnyError: true,
  },
};

const corpora = fileURLToPath(new URL('corpora', import.meta.url));
const longest = 2_000;
const most = 500 * 2 ** 20;
/** Inputs between two looks at the coverage. */
const batch = 64;

/** @param {{ dose?: number, seed?: number, keep?: boolean }} given `dose` is how many inputs of each parser; dear ones get fewer */
export async function attack({ dose = 100_000, seed = 1, keep = dose >= 50_000 } = {}) {
  const coverage = new Session();
  coverage.connect();
  await coverage.post('Profiler.enable');
  await coverage.post('Profiler.startPreciseCoverage', { callCount: false, detailed: true });
  const rows = [];
  for (const [name, parser] of Object.entries(parsers))
    rows.push(await fuzzed(name, parser, { tries: Math.ceil(dose / (parser.cost ?? 1)), seed, keep, coverage }));
  coverage.disconnect();
  return tell('Fuzzed inputs', rows);
}

async function fuzzed(name, { parse, takesAnyError = false }, { tries, seed, keep, coverage }) {
  const random = randomFrom(seed);
  const folder = join(corpora, name);
  const corpus = readdirSync(folder)
    .sort()
    .map((file) => readFileSync(join(folder, file)));
  const row = { what: name, tried: 0, fine: 0, troubles: [] };
  const seen = new Set();
  const before = process.memoryUsage().rss;
  const attempt = async (bytes) => {
    const started = performance.now();
    let trouble;
    try {
      await parse(Buffer.from(bytes));
    } catch (error) {
      if (!(error instanceof UntangleError) && !takesAnyError) trouble = `${error?.name}: ${error?.message}`;
    }
    const took = performance.now() - started;
    if (took > longest) trouble = `took ${Math.round(took)} ms`;
    if (process.memoryUsage.rss() - before > most)
      trouble = `memory grew by ${process.memoryUsage.rss() - before} bytes`;
    return trouble;
  };
  for (const bytes of corpus) await attempt(bytes);
  await freshIn(coverage, seen);
  while (row.tried < tries) {
    const inputs = Array.from({ length: Math.min(batch, tries - row.tried) }, () => mutated(corpus, random));
    for (const bytes of inputs) {
      const trouble = await attempt(bytes);
      row.tried++;
      if (trouble === undefined) row.fine++;
      else row.troubles.push(`${trouble} on ${bytes.toString('base64').slice(0, 300)}`);
    }
    if (!(await freshIn(coverage, seen)) || corpus.length > 2000) continue;
    // One of the batch went where none had been; which one is not told, so that a few are taken along for nothing.
    const kept = inputs.filter(() => random.next() < 8 / inputs.length);
    corpus.push(...kept);
    if (!keep) continue;
    mkdirSync(folder, { recursive: true });
    for (const bytes of kept.slice(0, 1)) writeFileSync(join(folder, `${corpus.length}.bin`), bytes);
  }
  return row;
}

/** Whether code was reached that had not been before. */
async function freshIn(coverage, seen) {
  const { result } = await coverage.post('Profiler.takePreciseCoverage');
  const known = seen.size;
  for (const { url, functions } of result) {
    if (!/\/dist\/(data|runs|options)\/|jpeg-js/.test(url)) continue;
    for (const { ranges } of functions)
      for (const { startOffset, endOffset, count } of ranges)
        if (count > 0) seen.add(`${url} ${startOffset} ${endOffset}`);
  }
  return seen.size > known;
}

const interesting = [0, 1, 0x7f, 0x80, 0xff, 0x0a, 0x22, 0x2c, 0x30, 0x39, 0x2d, 0x5b, 0x7b];

/** Some change of one input, or of two put together. */
function mutated(corpus, { below, next }) {
  let bytes = Buffer.from(corpus[below(corpus.length)]);
  for (let changes = 1 + below(6); changes > 0; changes--) {
    const at = below(Math.max(1, bytes.length));
    const kind = below(7);
    if (bytes.length === 0 || kind === 0)
      bytes = Buffer.concat([bytes.subarray(0, at), Buffer.of(below(256)), bytes.subarray(at)]);
    else if (kind === 1) bytes[at] ^= 1 << below(8);
    else if (kind === 2) bytes[at] = interesting[below(interesting.length)];
    else if (kind === 3) bytes = bytes.subarray(0, at);
    else if (kind === 4) bytes = Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + 1 + below(8))]);
    else if (kind === 5 && bytes.length < 4096)
      bytes = Buffer.concat([bytes.subarray(0, at), bytes.subarray(below(at + 1))]);
    else {
      const other = corpus[below(corpus.length)];
      bytes = Buffer.concat([bytes.subarray(0, at), other.subarray(Math.floor(next() * other.length))]).subarray(
        0,
        65_536,
      );
    }
    bytes = Buffer.from(bytes);
  }
  return bytes;
}
