import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { contentPolicy } from './guard.ts';
import { type TestStudio, testStudio } from './testing/studio.ts';

let studio: TestStudio;
let app: string;

beforeAll(async () => {
  app = await mkdtemp(join(tmpdir(), 'untangle-app-'));
  await mkdir(join(app, 'assets'));
  await mkdir(join(app, 'ort'));
  await writeFile(join(app, 'index.html'), '<!doctype html><title>studio</title>');
  await writeFile(join(app, 'assets', 'index-a1B2c3D4.js'), 'export {};');
  await writeFile(join(app, 'assets', 'index-a1B2c3D4.css'), 'body {}');
  await writeFile(join(app, 'ort', 'runtime.wasm'), Buffer.alloc(300_000, 1));
  await writeFile(join(app, 'ort', 'runtime.mjs'), '');
  await writeFile(join(app, 'assets', 'map-e5F6g7H8.js.br'), brotliCompressSync('export const packed = 1;'));
  await symlink('/etc/hostname', join(app, 'link.txt'));
  studio = await testStudio({ app });
});
afterAll(async () => {
  await studio.close();
  await rm(app, { recursive: true });
});

const headers = () => ({ host: `127.0.0.1:${studio.port}` });

test.each([
  ['/', 'text/html; charset=utf-8', 'no-cache', 36],
  ['/index.html', 'text/html; charset=utf-8', 'no-cache', 36],
  ['/assets/index-a1B2c3D4.js', 'text/javascript; charset=utf-8', 'public, max-age=31536000, immutable', 10],
  ['/assets/index-a1B2c3D4.css', 'text/css; charset=utf-8', 'public, max-age=31536000, immutable', 7],
  ['/ort/runtime.wasm', 'application/wasm', 'no-cache', 300_000],
  ['/ort/runtime.mjs', 'text/javascript; charset=utf-8', 'no-cache', 0],
])('%s is served as %s, to be kept as %s', async (path, type, age, bytes) => {
  const answer = await studio.raw(path, { headers: headers() });
  expect(answer.status).toBe(200);
  expect(answer.headers['content-type']).toBe(type);
  expect(answer.headers['cache-control']).toBe(age);
  expect(answer.headers['content-length']).toBe(`${bytes}`);
  expect(answer.text.length).toBe(bytes);
  expect(answer.headers['content-security-policy']).toBe(contentPolicy);
});

test('a page that the browser has is not sent again, and its head alone can be asked for', async () => {
  const { headers: first } = await studio.raw('/', { headers: headers() });
  const again = await studio.raw('/', { headers: { ...headers(), 'if-none-match': first.etag } });
  expect([again.status, again.text]).toEqual([304, '']);
  const head = await studio.raw('/ort/runtime.wasm', { method: 'HEAD', headers: headers() });
  expect([head.status, head.headers['content-length'], head.text]).toEqual([200, '300000', '']);
  const events = await studio.raw('/api/events', { method: 'HEAD', headers: headers() });
  expect([events.status, events.text]).toEqual([200, '']);
});

test('what is not there, a folder, and a link out of the app are not found', async () => {
  for (const path of ['/nothing', '/assets', '/assets/', '/link.txt', '/.env', '/index.html/x'])
    expect([path, (await studio.raw(path, { headers: headers() })).status]).toEqual([path, 404]);
});

test('a file that is built packed goes out packed to who takes it so, and whole to who does not', async () => {
  const path = '/assets/map-e5F6g7H8.js';
  const packed = await fetch(`http://127.0.0.1:${studio.port}${path}`, { headers: { 'accept-encoding': 'br' } });
  expect(packed.headers.get('content-encoding')).toBe('br');
  expect(packed.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
  expect(packed.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
  expect(packed.headers.get('vary')).toBe('accept-encoding');
  expect(await packed.text()).toBe('export const packed = 1;');

  const whole = await studio.raw(path, { headers: headers() });
  expect([whole.status, whole.headers['content-encoding'], whole.text]).toEqual([
    200,
    undefined,
    'export const packed = 1;',
  ]);
  const none = await studio.raw(path, { headers: { ...headers(), 'accept-encoding': 'gzip, br;q=0' } });
  expect([none.headers['content-encoding'], none.text]).toEqual([undefined, 'export const packed = 1;']);
});
