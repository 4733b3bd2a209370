// @ts-check
/**
 * What a sweep survives: each row is a sweep of tiny trainings during which something is killed, stopped, cut off or filled up, and
 * which is then left to come to its end. Counted are trials that were lost, and whose weights differ from those of an undisturbed sweep.
 *
 * `npm run bench -- sweep-crashes [--trials 300] [--only worker,redis]`; cells that need Slurm, Redis or root say so where these lack.
 */
import { execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { checkSweepFile, openSweep, planSweep, runHere, storeAt } from '../dist/sweep/index.js';
import { freePort, startDaemon } from './daemons.js';

const main = join(import.meta.dirname, '../dist/cli/main.js');

/** @typedef {{ root: string, place: string, file: string, processes: import('node:child_process').ChildProcess[] }} Scene */

/** @param {{ json: boolean, options: string[] }} how */
export async function run({ json, options }) {
  const wordAfter = (/** @type {string} */ name) => options[options.indexOf(name) + 1];
  const trials = options.includes('--trials') ? Number(wordAfter('--trials')) : 300;
  const only = options.includes('--only') ? wordAfter('--only').split(',') : Object.keys(cells);
  const root = await mkdtemp(join(tmpdir(), 'untangle-crashes-'));
  const sweep = {
    method: 'beta-vae',
    data: 'shapes',
    seeds: trials,
    set: { batchSize: 8, latents: 2, checkpointEvery: 3 },
    objectives: { loss: 'min' },
    budget: { steps: 6 },
  };
  const file = join(root, 'tiny.json');
  await writeFile(file, JSON.stringify(sweep));
  const plan = await planSweep(checkSweepFile(sweep, file), 'tiny');
  const calm = join(root, 'calm');
  await runHere(await openSweep(storeAt(calm), plan), { jobs: 2 });
  const wanted = await weightsOf(calm);
  const rows = [];
  for (const name of only) {
    const place = join(root, name);
    await mkdir(place);
    /** @type {Scene} */
    const scene = { root: place, place: join(place, 'sweep'), file, processes: [] };
    const begun = performance.now();
    let said = '';
    try {
      await cells[name](scene);
    } catch (error) {
      said = error instanceof Error ? error.message : String(error);
    } finally {
      for (const child of scene.processes) if (child.exitCode === null) child.kill('SIGKILL');
    }
    const found = await weightsOf(scene.place);
    const lost = [...wanted.keys()].filter((trial) => !found.has(trial)).length;
    const different = [...found].filter(([trial, hash]) => wanted.get(trial) !== hash).length;
    const takenOver = await leasesOver(scene.place);
    rows.push({
      broken: name,
      trials,
      lost,
      different,
      'taken over': takenOver,
      seconds: Math.round((performance.now() - begun) / 1000),
      said,
    });
    console.error(JSON.stringify(rows.at(-1)));
    await rm(place, { recursive: true, force: true, maxRetries: 5 });
  }
  await rm(root, { recursive: true, force: true, maxRetries: 5 });
  if (json) console.log(JSON.stringify(rows));
  else console.table(rows);
}

/** @param {Scene} scene @param {string[]} words */
function untangle(scene, ...words) {
  const child = spawn(process.execPath, [main, ...words], { stdio: ['ignore', 'ignore', 'pipe'] });
  child.stderr.resume();
  scene.processes.push(child);
  return child;
}

/** @param {import('node:child_process').ChildProcess} child */
const ended = (child) =>
  child.exitCode !== null || child.signalCode !== null
    ? Promise.resolve()
    : new Promise((done) => child.once('exit', done));

/** Until so many results are there. @param {string} place @param {number} count */
async function results(place, count) {
  for (;;) {
    const files = await readdir(join(place, 'trials'), { recursive: true }).catch(() => []);
    if (files.filter((file) => /result-\d+\.json$/.test(file)).length >= count) return;
    await sleep(200);
  }
}

/** The processes of a sweep's trials. @param {import('node:child_process').ChildProcess} parent */
const childrenOf = (parent) =>
  execFileSync('ps', ['-e', '-o', 'pid=,ppid=,args='], { encoding: 'utf8' })
    .split('\n')
    .filter((line) => line.includes('trial-process.js') && Number(line.trim().split(/\s+/)[1]) === parent.pid)
    .map((line) => Number.parseInt(line, 10));

/** A hash of each trial's final weights. @param {string} place */
async function weightsOf(place) {
  /** @type {Map<string, string>} */
  const hashes = new Map();
  for (const trial of await readdir(join(place, 'trials')).catch(() => [])) {
    const names = await readdir(join(place, 'trials', trial));
    const run = names
      .filter((name) => /^run-\d+$/.test(name))
      .sort((a, b) => Number(b.slice(4)) - Number(a.slice(4)))[0];
    if (run === undefined || !names.some((name) => name.startsWith('result-'))) continue;
    const weights = await readFile(join(place, 'trials', trial, run, 'checkpoint/latest/weights.safetensors'));
    hashes.set(trial, createHash('sha256').update(weights).digest('hex'));
  }
  return hashes;
}

/** How many trials had more than one lease. @param {string} place */
async function leasesOver(place) {
  const files = await readdir(join(place, 'trials'), { recursive: true }).catch(() => []);
  return files.filter((file) => file.endsWith('lease-2.json')).length;
}

/** Two schedulers at once, of which one is disturbed. @param {Scene} scene @param {(first: import('node:child_process').ChildProcess) => Promise<void>} disturb */
async function withTwo(scene, disturb) {
  const first = untangle(scene, 'sweep', scene.file, '--out', scene.place, '--jobs', '1');
  await results(scene.place, 3);
  const second = untangle(scene, 'worker', scene.place, '--jobs', '1');
  await disturb(first);
  await ended(second);
}

/** @type {Record<string, (scene: Scene) => Promise<void>>} */
const cells = {
  async child(scene) {
    const sweep = untangle(scene, 'sweep', scene.file, '--out', scene.place, '--jobs', '2');
    for (let kill = 0; kill < 10 && sweep.exitCode === null; kill++) {
      await sleep(1000);
      for (const pid of childrenOf(sweep).slice(0, 1)) process.kill(pid, 'SIGKILL');
    }
    await ended(sweep);
  },
  async scheduler(scene) {
    for (let kill = 1; kill <= 3; kill++) {
      const sweep = untangle(scene, 'sweep', scene.file, '--out', scene.place, '--jobs', '2');
      await results(scene.place, 10 * kill);
      sweep.kill('SIGKILL');
      await ended(sweep);
    }
    await ended(untangle(scene, 'sweep', scene.file, '--out', scene.place, '--jobs', '2'));
  },
  worker: (scene) =>
    withTwo(scene, async (first) => {
      await sleep(2000);
      first.kill('SIGKILL');
    }),
  stopped: (scene) =>
    withTwo(scene, async (first) => {
      await sleep(1000);
      const all = [...childrenOf(first), Number(first.pid)];
      for (const pid of all) process.kill(pid, 'SIGSTOP');
      await sleep(40_000);
      for (const pid of all) process.kill(pid, 'SIGCONT');
      await ended(first);
    }),
  async 'full disk'(scene) {
    await mkdir(scene.place);
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=8m', 'tmpfs', scene.place]);
    try {
      await ended(untangle(scene, 'sweep', scene.file, '--out', scene.place, '--jobs', '2'));
      execFileSync('mount', ['-o', 'remount,size=4g', scene.place]);
      await ended(untangle(scene, 'sweep', scene.file, '--out', scene.place, '--jobs', '2'));
      await keepFrom(scene.place);
    } finally {
      execFileSync('umount', [scene.place]);
      execFileSync('mv', [`${scene.place}-kept/trials`, scene.place]);
    }
  },
  async 'clock ahead'(scene) {
    const preload = '/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1';
    if (!existsSync(preload)) throw new Error('needs Debian’s faketime');
    const first = spawn(process.execPath, [main, 'sweep', scene.file, '--out', scene.place, '--jobs', '1'], {
      stdio: 'ignore',
      env: { ...process.env, LD_PRELOAD: preload, FAKETIME: '+1h', DONT_FAKE_MONOTONIC: '1' },
    });
    scene.processes.push(first);
    await results(scene.place, 3);
    await ended(untangle(scene, 'worker', scene.place, '--jobs', '1'));
    await ended(first);
  },
  redis: (scene) => throughRedis(scene, ['--save', '']),
  'redis with its file': (scene) => throughRedis(scene, ['--appendonly', 'yes', '--appendfsync', 'always']),
  async 'network cut'(scene) {
    const name = `untangle${process.pid}`;
    const ip = (/** @type {string[]} */ ...words) => execFileSync('ip', words);
    ip('netns', 'add', name);
    try {
      ip('link', 'add', 'ut0', 'type', 'veth', 'peer', 'name', 'ut1', 'netns', name);
      ip('addr', 'add', '10.231.7.1/24', 'dev', 'ut0');
      ip('link', 'set', 'ut0', 'up');
      for (const words of [
        ['addr', 'add', '10.231.7.2/24', 'dev', 'ut1'],
        ['link', 'set', 'ut1', 'up'],
        ['link', 'set', 'lo', 'up'],
      ])
        ip('netns', 'exec', name, 'ip', ...words);
      const port = await freePort();
      const redis = await startDaemon(
        'redis-server',
        ['--port', `${port}`, '--bind', '10.231.7.1', '--protected-mode', 'no', '--save', ''],
        port,
        '10.231.7.1',
      );
      scene.processes.push(redis);
      const url = `redis://10.231.7.1:${port}`;
      const far = spawn('ip', ['netns', 'exec', name, process.execPath, main, 'worker', url, '--jobs', '1'], {
        stdio: 'ignore',
      });
      scene.processes.push(far);
      untangle(scene, 'worker', url, '--jobs', '1');
      const sweep = untangle(scene, 'sweep', scene.file, '--out', scene.place, '--executor', url);
      await results(scene.place, 10);
      ip('link', 'set', 'ut0', 'down');
      await sleep(10_000);
      ip('link', 'set', 'ut0', 'up');
      await ended(sweep);
    } finally {
      ip('netns', 'delete', name);
    }
  },
};

/** @param {Scene} scene @param {string[]} persistence */
async function throughRedis(scene, persistence) {
  const port = await freePort();
  const start = async () => {
    const redis = await startDaemon(
      'redis-server',
      ['--port', `${port}`, '--bind', '127.0.0.1', '--dir', scene.root, ...persistence],
      port,
    );
    scene.processes.push(redis);
    return redis;
  };
  const redis = await start();
  const url = `redis://127.0.0.1:${port}`;
  const workers = [untangle(scene, 'worker', url, '--jobs', '1'), untangle(scene, 'worker', url, '--jobs', '1')];
  const sweep = untangle(scene, 'sweep', scene.file, '--out', scene.place, '--executor', url);
  await results(scene.place, 10);
  redis.kill('SIGKILL');
  await sleep(2000);
  await start();
  workers[0].kill('SIGKILL');
  await ended(sweep);
}

/** @param {string} place */
async function keepFrom(place) {
  await mkdir(`${place}-kept`);
  execFileSync('cp', ['-r', join(place, 'trials'), `${place}-kept/trials`]);
}
