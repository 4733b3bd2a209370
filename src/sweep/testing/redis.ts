/** A Redis of one's own on loopback, for tests; nothing of it stays. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createConnection, createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

export interface Redis {
  url: string;
  kill(): Promise<void>;
  start(): Promise<void>;
}

export function hasRedis(): boolean {
  try {
    execFileSync('redis-server', ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** Starts Redis in a folder; `appendOnly` writes every change to a file that a restart reads. */
export async function startRedis(folder: string, appendOnly: boolean): Promise<Redis> {
  const port = await freePort();
  let process: ChildProcess | undefined;
  const start = async () => {
    const persistence = appendOnly ? ['--appendonly', 'yes', '--appendfsync', 'always'] : ['--save', ''];
    const flags = ['--port', `${port}`, '--bind', '127.0.0.1', '--dir', folder, '--maxmemory-policy', 'noeviction'];
    process = spawn('redis-server', [...flags, ...persistence], { stdio: 'ignore' });
    for (let attempt = 0; attempt < 200 && !(await isOpen(port)); attempt++) await sleep(25);
  };
  await start();
  return {
    url: `redis://127.0.0.1:${port}`,
    start,
    async kill() {
      if (process === undefined || process.exitCode !== null) return;
      const ended = once(process, 'exit');
      process.kill('SIGKILL');
      await ended;
    },
  };
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

async function isOpen(port: number): Promise<boolean> {
  return await new Promise((resolve) => {
    const socket = createConnection(port, '127.0.0.1');
    socket.on('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.on('error', () => resolve(false));
  });
}
