import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { birthOf, isAlive } from './processes.ts';

test('a process lives while it is there, and not under a number that another one was given since', () => {
  const birth = birthOf(process.pid);
  expect(birth).toMatch(/^[0-9a-f-]{36}\|pid:\[\d+\]\|\d+$/);
  expect(isAlive(process.pid)).toBe(true);
  expect(isAlive(process.pid, birth)).toBe(true);
  expect(isAlive(process.pid, birth?.replace(/\d+$/, '1'))).toBe(false);
  expect(isAlive(2 ** 22 + 1)).toBe(false);
});

test('of a process in another container, or before the machine was started anew, nothing is known here', () => {
  const birth = birthOf(process.pid) ?? '';
  expect(isAlive(process.pid, birth.replace(/pid:\[\d+\]/, 'pid:[1]'))).toBe(undefined);
  expect(isAlive(process.pid, birth.replace(/^[0-9a-f-]+/, '0'))).toBe(undefined);
});

test('a process that has ended is dead although nobody has asked for its end', async () => {
  // The shell's child ends; the shell becomes a program that never asks for it.
  const parent = spawn('sh', ['-c', 'sleep 0 & echo $!; exec sleep 20'], { stdio: ['ignore', 'pipe', 'ignore'] });
  const pid = Number(await new Promise<string>((said) => parent.stdout.once('data', (text) => said(`${text}`))));
  for (let i = 0; i < 200 && !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8')); i++) await sleep(10);
  expect(readFileSync(`/proc/${pid}/stat`, 'utf8')).toMatch(/\) Z /);
  expect(process.kill(pid, 0)).toBe(true);
  expect(isAlive(pid)).toBe(false);
  parent.kill();
});
