// @ts-check
/** Servers of other projects, started on loopback for a bench. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createConnection, createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

export async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

/** Starts a server, and waits until it hears. @param {string} command @param {string[]} words @param {number} port */
export async function startDaemon(command, words, port, host = '127.0.0.1') {
  const child = spawn(command, words, { stdio: 'ignore' });
  for (let attempt = 0; attempt < 200 && !(await hears(port, host)); attempt++) await sleep(25);
  return child;
}

/** @param {number} port @param {string} host */
const hears = (port, host) =>
  new Promise((resolve) => {
    const socket = createConnection(port, host);
    socket.on('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.on('error', () => resolve(false));
  });
