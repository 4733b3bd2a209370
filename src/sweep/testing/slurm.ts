/** A Slurm of one's own on loopback (slurmctld and slurmd as root), for tests; nothing of it stays. */
import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { freePort } from './redis.ts';

export interface Slurm {
  /** What its commands need to find it. */
  env: NodeJS.ProcessEnv;
  /** The output of one of its commands. */
  ask(command: string, ...words: string[]): Promise<string>;
  /** Ends a daemon with SIGKILL. */
  kill(daemon: Daemon): Promise<void>;
  start(daemon: Daemon): Promise<void>;
  /** While this is so, the node refuses every job that is to begin, and Slurm puts it back, held. */
  refuse(isRefusing: boolean): Promise<void>;
  /** Ends it, and whatever ran in it. */
  end(): Promise<void>;
}

type Daemon = 'slurmctld' | 'slurmd';

/** Slurm from Debian, on Linux as root. */
export function hasSlurm(): boolean {
  if (process.getuid?.() !== 0) return false;
  try {
    for (const command of ['slurmctld', 'slurmd']) execFileSync(command, ['-V'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** Starts a cluster of one node with so many processors, in a folder. */
export async function startSlurm(folder: string, { cpus = 2, mostInArray = 1001 } = {}): Promise<Slurm> {
  const [controlPort, nodePort] = [await freePort(), await freePort()];
  for (const name of ['state', 'spool']) await mkdir(join(folder, name), { recursive: true });
  const prolog = join(folder, 'prolog');
  const refusing = join(folder, 'refusing');
  const node = hostname();
  await writeFile(prolog, '#!/bin/sh\ntest "$(cat "$(dirname "$0")/refusing")" = no\n', { mode: 0o755 });
  await writeFile(refusing, 'no');
  const settings = {
    ClusterName: 't',
    SlurmctldHost: `${node}(127.0.0.1)`,
    SlurmUser: 'root',
    SlurmdUser: 'root',
    AuthType: 'auth/none',
    CredType: 'cred/none',
    StateSaveLocation: join(folder, 'state'),
    SlurmdSpoolDir: join(folder, 'spool'),
    SlurmctldPidFile: join(folder, 'slurmctld.pid'),
    SlurmdPidFile: join(folder, 'slurmd.pid'),
    SlurmctldPort: controlPort,
    SlurmdPort: nodePort,
    ProctrackType: 'proctrack/linuxproc',
    TaskPlugin: 'task/none',
    SelectType: 'select/cons_tres',
    SelectTypeParameters: 'CR_Core',
    SchedulerType: 'sched/builtin',
    SchedulerParameters: 'sched_interval=1,batch_sched_delay=0',
    // After so many seconds a job that was put back may begin again.
    AuthInfo: 'cred_expire=5',
    JobRequeue: 1,
    ReturnToService: 2,
    MailProg: '/bin/true',
    MaxArraySize: mostInArray,
    Prolog: prolog,
    KillWait: 5,
    // A warning of the end of a job's time comes to the second, as far as Slurm can.
    OverTimeLimit: 0,
    SlurmdTimeout: 10,
  };
  const lines = [
    ...Object.entries(settings).map(([key, value]) => `${key}=${value}`),
    `NodeName=${node} NodeAddr=127.0.0.1 CPUs=${cpus} RealMemory=1000 State=UNKNOWN`,
    'PartitionName=p Nodes=ALL Default=YES MaxTime=INFINITE State=UP',
  ];
  const config = join(folder, 'slurm.conf');
  await writeFile(config, `${lines.join('\n')}\n`);
  const env = { ...process.env, SLURM_CONF: config };
  const daemons = new Map<Daemon, ChildProcess>();

  const ask: Slurm['ask'] = async (command, ...words) => (await promisify(execFile)(command, words, { env })).stdout;
  const start = async (daemon: Daemon) => {
    const log = join(folder, `${daemon}.log`);
    daemons.set(daemon, spawn(daemon, ['-D', '-L', log, '-f', config], { env, stdio: 'ignore' }));
    for (let attempt = 0; attempt < 200; attempt++) {
      const states = await ask('sinfo', '--noheader', '--format=%T').catch(() => '');
      if (/^(idle|mixed|allocated|drain)/.test(states)) return;
      await sleep(50);
    }
    throw new Error(`${daemon} did not come up: ${await readFile(log, 'utf8')}`);
  };
  const kill = async (daemon: Daemon) => {
    const child = daemons.get(daemon);
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  };
  daemons.set('slurmctld', spawn('slurmctld', ['-D', '-L', join(folder, 'slurmctld.log'), '-f', config], { env }));
  await start('slurmd');
  return {
    env,
    ask,
    kill,
    start,
    async refuse(isRefusing) {
      await writeFile(refusing, isRefusing ? 'yes' : 'no');
      if (!isRefusing) await ask('scontrol', 'update', `nodename=${node}`, 'state=resume').catch(() => '');
    },
    async end() {
      await ask('scancel', '--user=root', '--signal=KILL', '--full').catch(() => '');
      await ask('scancel', '--user=root').catch(() => '');
      await sleep(200);
      await kill('slurmctld');
      await kill('slurmd');
    },
  };
}
