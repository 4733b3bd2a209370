import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { callOf, quoted } from './shell.ts';

test('a shell reads each word as it was', () => {
  const words = ['beta=4', 'linear(0,4,100)', "it's", 'ill = 1', '$HOME', 'a;b', 'β', '', '*'];
  const read = execFileSync('/bin/sh', ['-c', `printf '%s\\n' ${words.map(quoted).join(' ')}`], { encoding: 'utf8' });
  expect(read.split('\n').slice(0, -1)).toEqual(words);
  expect(quoted('runs/a-1')).toBe('runs/a-1');
  expect(callOf('evaluate', 'läufe/meine 1')).toBe("untangle evaluate 'läufe/meine 1'");
});
