import { mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { handMadeRun } from '../runs/testing/hand-made.ts';
import { contentPolicy } from './guard.ts';
import { type TestStudio, testStudio } from './testing/studio.ts';

let studio: TestStudio;
let run: string;
const secret = 'what nobody outside may read';

beforeAll(async () => {
  studio = await testStudio();
  run = (await handMadeRun(studio.root)).name;
  const folder = join(studio.root, run);
  await mkdir(join(folder, 'pictures'));
  await writeFile(join(folder, 'pictures', 'samples.png'), 'a picture');
  await writeFile(join(folder, 'pictures', 'drawing.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>');
  await writeFile(join(folder, 'pictures', 'notes.txt'), secret);
  await writeFile(`${studio.root}-outside.png`, secret);
  await symlink(`${studio.root}-outside.png`, join(folder, 'pictures', 'link.png'));
  await symlink('/', join(studio.root, 'link'));
  await symlink(folder, join(studio.root, 'other-name'));
});
afterAll(async () => {
  await studio.close();
  await rm(`${studio.root}-outside.png`);
});

const own = () => ({ host: `127.0.0.1:${studio.port}`, 'x-untangle-token': studio.token });

test.each(['127.0.0.1', 'localhost', '[::1]', 'LOCALHOST'])(
  'the studio answers under its own name %s',
  async (name) => {
    const { status } = await studio.raw('/api/runs', { headers: { host: `${name}:${studio.port}` } });
    expect(status).toBe(200);
  },
);

test.each([
  'evil.example',
  'evil.example:PORT',
  '127.0.0.1',
  '127.0.0.1:1',
  'localhost.evil.example:PORT',
  '127.0.0.1:PORT.evil.example',
  '127.0.0.1:PORT@evil.example',
  '0.0.0.0:PORT',
])('a call under the name %s is refused, whatever it asks for', async (name) => {
  const host = name.replace('PORT', `${studio.port}`);
  for (const path of ['/', '/api/session', '/api/runs', `/api/runs/${run}/model/decoder.onnx`]) {
    const { status, text } = await studio.raw(path, { headers: { host } });
    expect([path, status >= 400 && status < 404]).toEqual([path, true]);
    expect(text).not.toContain(studio.token);
  }
});

test.each([
  'http://evil.example',
  'null',
  'https://127.0.0.1:PORT',
  'http://127.0.0.1:1',
  'http://127.0.0.1:PORT.evil',
])('a page from %s gets nothing, also with the token', async (from) => {
  const headers = { ...own(), origin: from.replace('PORT', `${studio.port}`) };
  expect((await studio.raw('/api/session', { headers })).status).toBe(403);
  expect((await studio.raw(`/api/runs/${run}`, { method: 'DELETE', headers })).status).toBe(403);
  expect(await readdir(studio.root)).toContain(run);
});

test('nothing is changed without the token, or with a wrong one', async () => {
  const changes = [
    ['POST', '/api/runs'],
    ['POST', `/api/runs/${run}/stop`],
    ['POST', `/api/runs/${run}/resume`],
    ['POST', `/api/runs/${run}/evaluate`],
    ['POST', `/api/runs/${run}/pictures`],
    ['PUT', `/api/runs/${run}/names`],
    ['DELETE', `/api/runs/${run}`],
  ];
  for (const [method, path] of changes)
    for (const token of ['', 'wrong', `${studio.token}x`, studio.token.slice(1)]) {
      const headers = { host: own().host, ...(token && { 'x-untangle-token': token }) };
      const { status, text } = await studio.raw(path, { method, headers });
      expect([method, path, status]).toEqual([method, path, 403]);
      expect(JSON.parse(text).error).toContain('token');
    }
  expect(await readdir(studio.root)).toContain(run);
});

test('another user of the machine, who reaches the port, gets nothing without the key', async () => {
  const host = own().host;
  const paths = [
    '/api/session',
    '/api/runs',
    `/api/runs/${run}`,
    `/api/runs/${run}/items`,
    '/api/methods',
    '/api/events',
  ];
  for (const path of paths)
    for (const cookie of ['', 'untangle-1=x', `untangle-${studio.port}=wrong`, `other=${studio.key}`]) {
      const { status, text } = await studio.raw(path, { headers: { host, cookie } });
      expect([path, cookie, status]).toEqual([path, cookie, 403]);
      expect(text).not.toContain(studio.token);
    }
  const change = { host, cookie: '', 'x-untangle-token': studio.token };
  expect((await studio.raw(`/api/runs/${run}`, { method: 'DELETE', headers: change })).status).toBe(403);
  const program = { host, cookie: '', authorization: `Bearer ${studio.key}` };
  expect((await studio.raw('/api/runs', { headers: program })).status).toBe(200);
});

test('the printed address puts the key into a cookie that no script reads, and out of the address', async () => {
  const { pathname, search } = new URL(studio.address);
  const headers = { host: own().host, cookie: '' };
  const entered = await studio.raw(`${pathname}${search}`, { headers });
  expect([entered.status, entered.headers.location]).toEqual([302, '/']);
  expect(entered.headers['set-cookie']).toBe(`${studio.cookie}; Path=/; HttpOnly; SameSite=Strict`);
  const wrong = await studio.raw('/?token=guess', { headers });
  expect([wrong.status, wrong.headers['set-cookie']]).toEqual([403, undefined]);
});

test.each(['../../', '/etc/hostname', '/etc', '/etc/nothing', '/', '../..:size=8'])(
  'data at %j, outside of the folders that were given, is refused whether it is there or not',
  async (data) => {
    const { status, body } = await studio.call('POST', '/api/runs', { method: 'vae', data });
    expect([status, body.error]).toEqual([403, expect.stringContaining('The studio reads data in')]);
  },
);

test('a size that its data can’t have is the asker’s mistake', async () => {
  const { status, body } = await studio.call('POST', '/api/runs', { method: 'vae', data: 'shapes', size: 4096 });
  expect([status, typeof body.error]).toEqual([400, 'string']);
});

test('a request that does not come to its end is ended', async () => {
  const started = performance.now();
  await new Promise<void>((done) => {
    const socket = connect(studio.port, '127.0.0.1', () => socket.write('GET / HTTP/1.1\r\nHost: '));
    socket.on('data', () => {});
    socket.on('close', () => done());
  });
  expect(performance.now() - started).toBeLessThan(20_000);
}, 30_000);

test('no path leads out of the runs folder', async () => {
  const outside = `${studio.root.split('/').at(-1)}-outside.png`;
  const ways = [
    `/api/runs/../../etc/passwd`,
    `/api/runs/%2e%2e/${outside}`,
    `/api/runs/%2e%2e%2f${outside}`,
    `/api/runs/..%2f..%2fetc%2fpasswd`,
    `/api/runs/%252e%252e%252fetc`,
    `/api/runs/%2fetc%2fpasswd`,
    `/api/runs/link`,
    `/api/runs/link/log`,
    `/api/runs/other-name`,
    `/api/runs/.`,
    `/api/runs/..`,
    `/api/runs/${run}%00`,
    `/api/runs/${run}%00.png`,
    `/api/runs/${'a'.repeat(5000)}`,
    `/api/runs/C:%5Cwindows`,
    `/api/runs/${run}/pictures/link.png`,
    `/api/runs/${run}/pictures/notes.txt`,
    `/api/runs/${run}/pictures/..%2frun.json`,
    `/api/runs/${run}/pictures/%2e%2e%2f%2e%2e%2f${outside}`,
    `/api/runs/${run}/pictures/..%5c..%5c${outside}`,
    `/api/runs/${run}/pictures/%2fetc%2fhostname.png`,
    `/api/runs/${run}/model/..%2f..%2f..%2fetc%2fpasswd`,
    `/api/runs/${run}/model/model.json%00.onnx`,
    `/api/runs/${run}/model/checkpoint`,
    `/../../etc/passwd`,
    `/..%2f..%2fpackage.json`,
    `/%2e%2e/%2e%2e/package.json`,
    `//etc/passwd`,
    `/assets/%00`,
    `/%`,
    `/api/datasets/..%2f..%2fetc/preview.png`,
    `/api/datasets/__proto__/preview.png`,
    `/api/runs/__proto__`,
    `/api/runs/constructor`,
  ];
  for (const way of ways) {
    const { status, text } = await studio.raw(way, { headers: own() });
    expect([way, [400, 404, 503].includes(status)]).toEqual([way, true]);
    expect(text).not.toContain(secret);
    expect(text).not.toContain('root:');
  }
});

test('deleting never follows a way out or a link, and keeps what is no run', async () => {
  await mkdir(join(studio.root, 'my-notes'));
  await writeFile(join(studio.root, 'my-notes', 'diary.txt'), 'dear diary');
  for (const name of ['..', '%2e%2e', '.', 'link', 'other-name', 'my-notes', '%2fetc', `..%2f${run}`]) {
    const { status } = await studio.raw(`/api/runs/${name}`, { method: 'DELETE', headers: own() });
    expect([name, status]).toEqual([name, 404]);
  }
  expect(await readdir(studio.root)).toEqual(expect.arrayContaining(['my-notes', run, 'link', 'other-name']));
  expect(await readFile(`${studio.root}-outside.png`, 'utf8')).toBe(secret);
});

test('a giant body is refused, with its length told or not', async () => {
  const body = `{"method":"${'x'.repeat(200_000)}"}`;
  const headers = { ...own(), 'content-type': 'application/json' };
  const told = { ...headers, 'content-length': `${body.length}` };
  expect((await studio.raw('/api/runs', { method: 'POST', headers: told, body })).status).toBe(413);
  const untold = { ...headers, 'transfer-encoding': 'chunked' };
  expect((await studio.raw('/api/runs', { method: 'POST', headers: untold, body })).status).toBe(413);
});

test.each([
  ['nothing', '', 'application/json', 'not JSON'],
  ['no JSON', '{"method":', 'application/json', 'not JSON'],
  ['a form', 'method=vae', 'application/x-www-form-urlencoded', 'application/json'],
  ['a list', '[]', 'application/json', 'does not fit'],
  ['a wrong type', '{"method":1,"data":"shapes"}', 'application/json', '“method” does not fit'],
  ['an unknown field', '{"method":"vae","data":"shapes","root":"/"}', 'application/json', 'does not fit'],
])('a start with %s as its body gets a sentence', async (_, body, type, sentence) => {
  const headers = { ...own(), 'content-type': type };
  const { status, text } = await studio.raw('/api/runs', { method: 'POST', headers, body });
  expect(status).toBe(400);
  expect(JSON.parse(text).error).toContain(sentence);
});

test('methods that are not there are refused, and the server lives on', async () => {
  for (const method of ['PATCH', 'OPTIONS', 'TRACE', 'PUT', 'PROPFIND'])
    expect([method, (await studio.raw('/api/runs', { method, headers: own() })).status >= 400]).toEqual([method, true]);
  const torn = await new Promise<string>((done) => {
    const socket = connect(studio.port, '127.0.0.1', () => socket.write('NONSENSE / HTTP/1.1\r\n\r\n'));
    let said = '';
    socket.on('data', (chunk) => (said += chunk.toString('utf8')));
    socket.on('close', () => done(said));
  });
  expect(torn).toMatch(/^HTTP\/1.1 400/);
  expect((await studio.raw('/api/runs', { headers: own() })).status).toBe(200);
});

test('every answer carries the policy that keeps pages to themselves', async () => {
  for (const path of ['/api/session', '/api/nothing', `/api/runs/${run}`]) {
    const { headers } = await studio.raw(path, { headers: own() });
    expect(headers['content-security-policy']).toBe(contentPolicy);
    expect(headers['x-content-type-options']).toBe('nosniff');
    expect(headers['cross-origin-resource-policy']).toBe('same-origin');
    expect(headers['access-control-allow-origin']).toBeUndefined();
  }
  const refused = await studio.raw('/api/session', { headers: { host: 'evil.example' } });
  expect(refused.headers['content-security-policy']).toBe(contentPolicy);
});

test('a picture is sent with its type, is not sent twice, and an SVG can run nothing', async () => {
  const path = `/api/runs/${run}/pictures/samples.png`;
  const first = await studio.raw(path, { headers: own() });
  expect([first.status, first.headers['content-type'], first.text]).toEqual([200, 'image/png', 'a picture']);
  const again = await studio.raw(path, { headers: { ...own(), 'if-none-match': first.headers.etag } });
  expect([again.status, again.text]).toEqual([304, '']);
  const svg = await studio.raw(`/api/runs/${run}/pictures/drawing.svg`, { headers: own() });
  expect(svg.headers['content-type']).toBe('image/svg+xml');
  expect(svg.headers['content-security-policy']).toContain('sandbox');
});
