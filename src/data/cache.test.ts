import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Write } from '../disk.ts';
import { UntangleError } from '../errors.ts';
import { dataFolder, prepare, preparedFolder, userCacheFolder, writeWhole } from './cache.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'untangle-cache-'));
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
  vi.unstubAllEnvs();
});

const payload = Uint8Array.from({ length: 100_000 }, (_, i) => (i * 7) % 251);
let builds = 0;
const make = (key = 'from these files') => {
  builds = 0;
  return prepare({
    folder,
    name: 'set.bin',
    key,
    build: async (write: Write) => {
      builds++;
      await write(payload.subarray(0, 30_000));
      await write(payload.subarray(30_000));
    },
  });
};

test('the data folder is the one given, else UNTANGLE_DATA, else the user’s cache folder', () => {
  vi.stubEnv('UNTANGLE_DATA', '/from/environment');
  expect(dataFolder('/given')).toBe(resolve('/given'));
  expect(dataFolder()).toBe(resolve('/from/environment'));
  vi.stubEnv('UNTANGLE_DATA', '');
  expect(dataFolder()).toBe(resolve(userCacheFolder()));
});

test('the user’s cache folder is where each platform keeps it', () => {
  expect(userCacheFolder({}, 'linux', '/home/ada')).toBe(join('/home/ada', '.cache', 'untangle'));
  expect(userCacheFolder({ XDG_CACHE_HOME: '/big' }, 'linux', '/home/ada')).toBe(join('/big', 'untangle'));
  expect(userCacheFolder({}, 'darwin', '/Users/ada')).toBe(join('/Users/ada', 'Library', 'Caches', 'untangle'));
  expect(userCacheFolder({ LOCALAPPDATA: 'L' }, 'win32', 'H')).toBe(join('L', 'untangle'));
});

test('prepared files go to the user’s cache folder when the data folder cannot be written', async () => {
  writeFileSync(join(folder, 'a file'), '');
  vi.stubEnv('XDG_CACHE_HOME', join(folder, 'home'));
  expect(await preparedFolder(join(folder, 'data'))).toBe(join(folder, 'data', 'prepared'));
  expect(await preparedFolder(join(folder, 'a file'))).toBe(join(folder, 'home', 'untangle', 'prepared'));
});

test('a prepared file is built once and read back byte for byte', async () => {
  const first = await make();
  expect(builds).toBe(1);
  const again = await make();
  expect(builds).toBe(0);
  expect(again.length).toBe(payload.length);
  expect(Buffer.compare(again.load(), payload)).toBe(0);
  const part = new Uint8Array(10);
  first.read(29_995, part);
  expect([...part]).toEqual([...payload.subarray(29_995, 30_005)]);
});

test('a file made from something else is made anew', async () => {
  await make('old files');
  await make('new files');
  expect(builds).toBe(1);
});

test.each([
  ['cut short', (path: string) => truncateSync(path, 50_000)],
  ['emptied', (path: string) => truncateSync(path, 0)],
  [
    'changed by one bit',
    (path: string) => {
      const bytes = readFileSync(path);
      bytes[60_000] ^= 1;
      writeFileSync(path, bytes);
    },
  ],
])('a file that was %s is noticed and made anew', async (_how, damage) => {
  damage((await make()).path);
  const mended = await make();
  expect(builds).toBe(1);
  expect(Buffer.compare(mended.load(), payload)).toBe(0);
});

test('a failure while writing leaves nothing behind, and keeps the file that was there', async () => {
  const path = join(folder, 'notes.txt');
  await writeWhole(path, (write) => write(Buffer.from('first')));
  const failing = writeWhole(path, async (write) => {
    await write(Buffer.from('second, half'));
    throw new Error('the plug was pulled');
  });
  await expect(failing).rejects.toThrow(UntangleError);
  expect(readdirSync(folder)).toEqual(['notes.txt']);
  expect(readFileSync(path, 'utf8')).toBe('first');
});

test('what a killed process left behind is swept away by the next write', async () => {
  const dead = spawnSync(process.execPath, ['-e', '']).pid;
  writeFileSync(join(folder, `.set.bin.${dead}-0-0.tmp`), 'half a set');
  writeFileSync(join(folder, `.set.bin.${process.ppid}-0-0.tmp`), 'somebody is still at it');
  await make();
  expect(readdirSync(folder).sort()).toEqual([`.set.bin.${process.ppid}-0-0.tmp`, 'set.bin']);
});
