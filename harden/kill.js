/**
 * Trainings of several families of methods are killed at random moments, again and again; each ends with the weights of one that was
 * never disturbed, bit for bit. And a training whose killed process nobody asks for, as in a container without an init process, can be
 * gone on with at once.
 */
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { inspectRun, verifyRun } from '../dist/runs/index.js';
import { prepareRun, repeatRun, trainRun } from '../dist/training/index.js';
import { randomFrom, room, tell } from './table.js';

const families = [
  ['vae', 'shapes'],
  ['factor-vae', 'shapes'],
  ['contrastive-correct', 'shapes-contrast'],
  ['n-vae', 'shapes'],
];
const program = (name) => fileURLToPath(new URL(name, import.meta.url));

/** @param {{ dose?: number, seed?: number }} given `dose` is how many interruptions of each family */
export async function attack({ dose = 40, seed = 1 } = {}) {
  const root = mkdtempSync(join(room(), 'untangle-kill-'));
  const random = randomFrom(seed);
  const rows = [];
  // A small dose is for the first families alone.
  for (const [method, data] of families.slice(0, dose)) {
    const row = { what: `${method}, killed at random moments`, tried: 0, fine: 0, troubles: [] };
    rows.push(row);
    const set = ['steps=30', 'checkpointEvery=3', 'network=mlp', 'batchSize=16', 'logEvery=5'];
    const { run: calm } = await prepareRun({ method, data, set, root, name: `${method}-calm`, workers: 1 });
    await trainRun(calm);
    for (let round = 0; row.tried < dose; round++) {
      const run = await repeatRun(calm.file, root, `${method}-${round}`);
      let kills = 0;
      while (row.tried + kills < dose && (await inspectRun(run.folder)).state !== 'done' && kills < 20) {
        if (await killedAfter(run.folder, 300 + 900 * random.next())) kills++;
      }
      await trainRun(run);
      row.tried += Math.max(1, kills);
      const isSame = weightsOf(run).equals(weightsOf(calm)) && (await verifyRun(run.folder)).isWhole;
      if (isSame) row.fine += Math.max(1, kills);
      else row.troubles.push(`run ${round} ended elsewhere`);
      rmSync(run.folder, { recursive: true });
    }
  }
  rows.push(unreaped(root));
  rmSync(root, { recursive: true, force: true });
  return tell(
    'Kills',
    rows.filter((row) => row !== undefined),
  );
}

const weightsOf = ({ folder }) => readFileSync(join(folder, 'checkpoint', 'latest', 'weights.safetensors'));

/** Trains in a process that is killed after some milliseconds, unless it is done before; tells whether it was. */
function killedAfter(folder, milliseconds) {
  const child = spawn(process.execPath, [program('train-run.js'), folder], { stdio: 'ignore' });
  const timer = setTimeout(() => child.kill('SIGKILL'), milliseconds);
  return new Promise((done) =>
    child.on('close', (_, signal) => {
      clearTimeout(timer);
      done(signal === 'SIGKILL');
    }),
  );
}

/** In a table of processes of its own, whose first process asks for nobody's end; left out where that may not be made. */
function unreaped(root) {
  const may = spawnSync('unshare', ['--pid', '--fork', '--mount-proc', 'true']);
  if (may.status !== 0) return undefined;
  const row = { what: 'a killed process that nobody asks for (PID 1 does not reap)', tried: 1, fine: 0, troubles: [] };
  const words = ['--pid', '--fork', '--mount-proc', process.execPath, program('first-process.js'), root];
  const { stdout, stderr } = spawnSync('unshare', words, { encoding: 'utf8', timeout: 60_000 });
  if (stdout.trim() === 'Z claimed') row.fine++;
  else row.troubles.push(`${stdout.trim()} ${stderr.trim()}`);
  return row;
}
