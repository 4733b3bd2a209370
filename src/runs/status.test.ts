import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { claimRun, isRunning, readStatus, type Status } from './status.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'untangle-status-'));
});
afterEach(() => {
  vi.useRealTimers();
  rmSync(folder, { recursive: true, force: true });
});

const now = Date.parse('2026-03-01T12:00:00Z');
const status: Status = {
  state: 'running',
  pid: process.pid,
  host: hostname(),
  started: '2026-03-01T11:00:00.000Z',
  heartbeat: '2026-03-01T11:59:30.000Z',
  step: 7,
};

/** The number of a process that has ended. */
async function deadPid(): Promise<number> {
  const child = spawn(process.execPath, ['--version'], { stdio: 'ignore' });
  await new Promise((ended) => child.once('exit', ended));
  return child.pid!;
}

test('a run is running while its process lives and was heard of', async () => {
  expect(isRunning(status, now)).toBe(true);
  expect(isRunning({ ...status, pid: await deadPid() }, now)).toBe(false);
  // The number of a process that ended long ago may belong to another one by now.
  expect(isRunning({ ...status, heartbeat: '2026-03-01T11:40:00.000Z' }, now)).toBe(false);
  expect(isRunning({ ...status, host: 'another-machine', pid: 1 }, now)).toBe(true);
  expect(isRunning({ ...status, host: 'another-machine', heartbeat: '2026-03-01T11:57:00.000Z' }, now)).toBe(false);
  expect(isRunning({ ...status, state: 'done' }, now)).toBe(false);
});

test('only one process at a time trains a run', async () => {
  const claims = await Promise.allSettled(Array.from({ length: 5 }, () => claimRun(folder)));
  expect(claims.filter((claim) => claim.status === 'fulfilled').length).toBe(1);
  await expect(claimRun(folder)).rejects.toThrow(`is being trained by process ${process.pid} on ${hostname()}`);
  expect(existsSync(join(folder, '.claim'))).toBe(false);
});

test('a run whose process was killed can be claimed', async () => {
  writeFileSync(join(folder, 'status.json'), JSON.stringify({ ...status, pid: await deadPid() }));
  mkdirSync(join(folder, '.claim'));
  utimesSync(join(folder, '.claim'), 1, 1);
  writeFileSync(join(folder, '.run.json.1-2-3.tmp'), 'half');
  utimesSync(join(folder, '.run.json.1-2-3.tmp'), 1, 1);
  const claim = await claimRun(folder, 20);
  expect(await readStatus(folder)).toMatchObject({ state: 'running', pid: process.pid, step: 20 });
  expect(existsSync(join(folder, '.run.json.1-2-3.tmp'))).toBe(false);
  await claim.end('done', 30);
  expect(await readStatus(folder)).toMatchObject({ state: 'done', step: 30 });
  await (await claimRun(folder)).end('failed', 31, 'The loss is not finite.');
  expect(await readStatus(folder)).toMatchObject({ state: 'failed', message: 'The loss is not finite.' });
});

test('the heartbeat is written every few seconds, not at every step', async () => {
  vi.useFakeTimers({ now, toFake: ['Date'] });
  const claim = await claimRun(folder);
  vi.setSystemTime(now + 4_000);
  await claim.beat(5);
  expect((await readStatus(folder))?.step).toBe(0);
  vi.setSystemTime(now + 5_000);
  await claim.beat(6);
  expect(await readStatus(folder)).toMatchObject({ step: 6, heartbeat: '2026-03-01T12:00:05.000Z' });
});

test('a process notices that another one has taken its run', async () => {
  vi.useFakeTimers({ now, toFake: ['Date'] });
  const claim = await claimRun(folder);
  writeFileSync(join(folder, 'status.json'), JSON.stringify({ ...status, host: 'another-machine' }));
  vi.setSystemTime(now + 10_000);
  await expect(claim.beat(9)).rejects.toThrow('was taken over by another process');
  await expect(claim.end('done', 9)).rejects.toThrow('was taken over by another process');
  expect(JSON.parse(readFileSync(join(folder, 'status.json'), 'utf8')).host).toBe('another-machine');
});

test('each claim has a number, at which a process sees that it has lost the run before it changes anything', async () => {
  const claim = await claimRun(folder);
  claim.before({ kind: 'rename', path: 'a' });
  const first = await readStatus(folder);
  expect(first?.claim).toBe(1);
  // The same process, at the same moment, once more: only the number differs.
  writeFileSync(join(folder, 'status.json'), JSON.stringify({ ...first, claim: 2 }));
  expect(() => claim.before({ kind: 'rename', path: 'a' })).toThrow('was taken over by another process');
  writeFileSync(join(folder, 'status.json'), JSON.stringify({ ...first, state: 'stopped', claim: 7 }));
  await claimRun(folder);
  expect((await readStatus(folder))?.claim).toBe(8);
});

test('the process of a claim is told from a later one of its number, also after a long silence', async () => {
  const claim = await claimRun(folder);
  const mine = (await readStatus(folder))!;
  expect(isRunning(mine, Date.now() + 3_600_000)).toBe(true);
  expect(isRunning({ ...mine, birth: mine.birth?.replace(/\d+$/, '1') })).toBe(false);
  // In another container of this machine: known by its heartbeat.
  const elsewhere = { ...mine, birth: mine.birth?.replace(/pid:\[\d+\]/, 'pid:[1]') };
  expect(isRunning(elsewhere)).toBe(true);
  expect(isRunning(elsewhere, Date.now() + 130_000)).toBe(false);
  await claim.end('done', 1);
});

test('a status of which a bit was flipped says what it said, or nothing', async () => {
  await (await claimRun(folder)).end('failed', 4711, 'The loss is not finite.');
  const path = join(folder, 'status.json');
  const whole = readFileSync(path);
  const said = await readStatus(folder);
  for (let bit = 0; bit < 8 * whole.length; bit++) {
    const changed = Buffer.from(whole);
    changed[bit >> 3] ^= 1 << (bit & 7);
    writeFileSync(path, changed);
    const now = await readStatus(folder);
    if (now !== undefined) expect(now).toEqual(said);
  }
});

test('a missing or damaged status is no status', async () => {
  expect(await readStatus(folder)).toBeUndefined();
  for (const text of ['', '{"state":"running"', '{"state":"flying"}', '[]']) {
    writeFileSync(join(folder, 'status.json'), text);
    expect(await readStatus(folder)).toBeUndefined();
  }
});
