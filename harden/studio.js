/**
 * Hostile requests to the studio: without its key, with a wrong one, from other names and origins, with ways out of the folder in every
 * place, slow and countless. Nobody without the key learns or changes anything, and nothing ends the server.
 */
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { createRun } from '../dist/runs/index.js';
import { openStudio } from '../dist/studio/index.js';
import { settings } from './disk.js';
import { randomFrom, room, tell } from './table.js';

const secret = 'what nobody outside may read';

/** @param {{ dose?: number, seed?: number }} given `dose` is how many requests of each kind */
export async function attack({ dose = 2000, seed = 1 } = {}) {
  const home = mkdtempSync(join(room(), 'untangle-hostile-'));
  const root = join(home, 'runs');
  mkdirSync(root);
  writeFileSync(join(home, 'secret.csv'), secret);
  const { name } = await createRun(root, { ...settings, command: secret });
  const studio = await openStudio({ root, port: 0, dataRoots: [root] });
  const host = `127.0.0.1:${studio.port}`;
  const random = randomFrom(seed);
  const pick = (list) => list[random.below(list.length)];

  const ask = (path, method, headers, body) =>
    new Promise((done) => {
      const asked = request({ host: '127.0.0.1', port: studio.port, path, method, headers, agent: false }, (answer) => {
        let text = '';
        answer.on('data', (chunk) => (text = (text + chunk).slice(0, 100_000)));
        // A stream of events has no end of its own.
        const timer = setTimeout(() => answer.destroy(), 300);
        answer.on('close', () => {
          clearTimeout(timer);
          done({ status: answer.statusCode, text });
        });
      });
      asked.on('error', (error) => done({ status: 0, text: error.message }));
      asked.end(body);
    });

  const ways = [
    '..',
    '%2e%2e',
    '..%2f..',
    '/etc/passwd',
    '%2fetc%2fpasswd',
    '.',
    '%00',
    '__proto__',
    'a'.repeat(4000),
    '%',
    '~',
    name,
  ];
  const places = [
    '/api/runs/X',
    '/api/runs/X/log',
    '/api/runs/X/model/X',
    '/api/runs/X/pictures/X',
    '/api/datasets/X/preview.png',
    '/X',
    '/api/X',
  ];
  const path = () => pick(places).replaceAll('X', () => pick(ways));
  const methods = ['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS'];
  const data = [
    '../secret.csv',
    '/etc/passwd',
    '../..',
    `${home}/secret.csv`,
    'shapes:size=99999',
    '\u0000',
    'file:///etc',
  ];
  const body = () =>
    JSON.stringify({ method: pick(['vae', '../x', 'constructor']), data: pick(data), name: pick(ways).slice(0, 99) });
  const json = { 'content-type': 'application/json' };
  const known = { host, authorization: `Bearer ${studio.key}` };
  const strangers = () =>
    pick([
      { host },
      { host, cookie: `untangle-${studio.port}=guess` },
      { host, authorization: 'Bearer x' },
      { ...known, host: 'evil.example' },
      { ...known, origin: 'http://evil.example' },
    ]);
  const isRefused = ({ status, text }) => (status >= 400 || status === 0) && !text.includes(secret);
  const kinds = {
    'strangers ask and change': async () => {
      const way = pick(['/api/session', '/api/runs', `/api/runs/${name}`, `/api/runs/${name}/stop`, '/api/events']);
      return isRefused(await ask(way, pick(methods), { ...strangers(), ...json }, body()));
    },
    'ways out of the folder': async () => {
      const { status, text } = await ask(path(), pick(['GET', 'DELETE', 'POST']), { ...known, ...json }, '{}');
      return status !== 500 && !text.includes('root:') && (!text.includes(secret) || status === 200);
    },
    'data elsewhere': async () => {
      const { token } = JSON.parse((await ask('/api/session', 'GET', known)).text);
      return isRefused(await ask('/api/runs', 'POST', { ...known, ...json, 'x-untangle-token': token }, body()));
    },
    'requests that are none': () =>
      new Promise((done) => {
        const socket = connect(studio.port, '127.0.0.1', () => {
          socket.end(Buffer.from(Array.from({ length: 1 + random.below(300) }, () => random.below(256))));
        });
        socket.on('data', () => {});
        socket.on('error', () => {});
        socket.on('close', () => done(true));
      }),
  };
  const rows = [];
  for (const [what, attempt] of Object.entries(kinds)) {
    const row = { what, tried: 0, fine: 0 };
    rows.push(row);
    for (let i = 0; i < dose; i++) {
      row.tried++;
      if (await attempt()) row.fine++;
    }
  }
  const alive = await ask('/api/runs', 'GET', known);
  const isThere = readdirSync(root).includes(name) && alive.status === 200;
  rows.push({ what: 'the server and the run live on', tried: 1, fine: isThere ? 1 : 0 });
  await studio.close();
  rmSync(home, { recursive: true });
  return tell('Hostile requests', rows);
}
