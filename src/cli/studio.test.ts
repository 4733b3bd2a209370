import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';

const main = resolve(import.meta.dirname, '../../dist/cli/main.js');
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'untangle-verb-'));
  await writeFile(join(folder, 'file'), '');
});
afterAll(() => rm(folder, { recursive: true }));

/** Runs the verb; `onLine` gets the first line that it prints. */
function studio(words: string[], onLine: (line: string, stop: () => void) => void = () => {}) {
  return new Promise<{ code: number | null; err: string }>((done) => {
    const child = spawn(process.execPath, [main, 'studio', ...words], { cwd: folder });
    let [out, err] = ['', ''];
    child.stdout.on('data', (chunk) => {
      const isFirst = !out.includes('\n');
      out += chunk;
      if (isFirst && out.includes('\n')) onLine(out.split('\n')[0], () => child.kill('SIGINT'));
    });
    child.stderr.on('data', (chunk) => (err += chunk));
    child.on('close', (code) => done({ code, err }));
  });
}

test('the verb prints an address that answers, and Ctrl-C closes it', async () => {
  let answers: Promise<unknown[]> | undefined;
  const { code, err } = await studio(['--port', '0', '--json'], (line, stop) => {
    const { address } = JSON.parse(line);
    const asked = (headers: Record<string, string>) =>
      fetch(new URL('/api/runs', address), { headers }).then(async (answer) => [answer.status, await answer.json()]);
    const enter = fetch(address, { redirect: 'manual' }).then(({ headers }) => headers.get('set-cookie') ?? '');
    answers = enter.then(async (cookie) => [await asked({ cookie: cookie.split(';')[0] }), (await asked({}))[0]]);
    answers.finally(stop);
  });
  expect(await answers).toEqual([[200, []], 403]);
  expect([code, err]).toEqual([0, 'Ctrl-C closes it.\n']);
});

test('a folder that is not there, one that is a file, and a taken port get a sentence', async () => {
  expect(await studio(['nothing'])).toMatchObject({
    code: 2,
    err: expect.stringContaining('There is no folder “nothing”.'),
  });
  expect(await studio(['file'])).toMatchObject({
    code: 2,
    err: expect.stringContaining('It is not a folder: “file”.'),
  });
  expect(await studio(['--port', '70000'])).toMatchObject({ code: 2, err: expect.stringContaining('--port takes') });
  const taken = createServer();
  const port = await new Promise<number>((done) =>
    taken.listen(0, '127.0.0.1', () => {
      const address = taken.address();
      done(typeof address === 'object' && address ? address.port : 0);
    }),
  );
  expect(await studio(['--port', `${port}`])).toMatchObject({
    code: 2,
    err: `Port ${port} is taken by another program.\nGive another --port, or none for a free one.\n`,
  });
  taken.close();
});
