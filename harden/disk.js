/**
 * Every write, fsync and rename of a training fails once, or kills it: the disk is full, fails, or power goes. Afterwards the state of
 * the run is true, nothing is silently wrong, and it resumes to the number that an undisturbed run has.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { createRun, inspectRun, verifyRun } from '../dist/runs/index.js';
import { withFault } from './faults.js';
import { randomFrom, room, tell } from './table.js';

export const settings = {
  command: '',
  method: 'vae',
  options: {},
  data: { target: { source: 'shapes', fingerprint: 'f00d' } },
  training: { seed: 1, steps: 9, batchSize: 8, optimiser: 'sgd', learningRate: 0.1, workers: 1, threads: 1 },
};

/** @param {{ dose?: number, seed?: number }} given `dose` is how many faults of each kind; all of them without it */
export async function attack({ dose, seed = 1 } = {}) {
  const root = mkdtempSync(join(room(), 'untangle-disk-'));
  const random = randomFrom(seed);
  const calm = await createRun(root, settings);
  const count = join(root, 'count');
  const expected = (await withFault('steps.js', [calm.folder], { under: calm.folder, how: 'count', count })).out;
  const calls = Number(readFileSync(count, 'utf8'));
  const rows = [];
  for (const how of ['kill', 'ENOSPC', 'EIO', 'full']) {
    const row = { what: `${how} at one of ${calls} writes, fsyncs and renames`, tried: 0, fine: 0, troubles: [] };
    rows.push(row);
    const places = Array.from({ length: calls }, (_, at) => at);
    while (dose !== undefined && places.length > dose) places.splice(random.below(places.length), 1);
    for (const at of places) {
      row.tried++;
      const { folder } = await createRun(root, settings);
      const ended = await withFault('steps.js', [folder], { under: folder, at, how });
      const trouble = await troubleAfter(folder, ended, how, expected);
      if (trouble === undefined) row.fine++;
      else row.troubles.push(`at ${at}: ${trouble}`);
      rmSync(folder, { recursive: true });
    }
  }
  rmSync(root, { recursive: true });
  return tell('Faults of the disk', rows);
}

async function troubleAfter(folder, { code, signal, err }, how, expected) {
  const { state, sentence } = await inspectRun(folder);
  if (state === 'running' || state === 'damaged') return `its state is ${state} (${sentence})`;
  if (state === 'done' && code !== 0) return `it failed with “${err.trim()}” and is said to be done`;
  if (how === 'kill' && signal !== 'SIGKILL' && code !== 0) return `it ended with ${code}: ${err.trim()}`;
  if (how !== 'kill' && code !== 0 && !/ENOSPC|EIO/.test(err)) return `it says “${err.trim().slice(0, 200)}”`;
  const again = await withFault('steps.js', [folder], { under: folder, how: 'count' });
  if (again.out !== expected) return `it resumes to ${again.out.trim() || again.err.trim()}, not ${expected.trim()}`;
  const { isWhole, files } = await verifyRun(folder);
  return isWhole ? undefined : files.find(({ state: one }) => one !== 'whole')?.sentence;
}
