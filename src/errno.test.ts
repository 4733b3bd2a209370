import { open, readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { isOfTheMachine, troubleOf } from './errno.ts';
import { UntangleError } from './errors.ts';

/** An error as Node throws it. */
const systemError = (code: string, path?: string) =>
  Object.assign(new Error(`${code}: something, open '${path}'`), { code, ...(path !== undefined && { path }) });

test('ordinary troubles of a machine are sentences that name the path and what to do', () => {
  const said = Object.fromEntries(
    ['EACCES', 'EROFS', 'ENOSPC', 'EMFILE'].map((code) => [code, troubleOf(systemError(code, 'runs/a'))?.message]),
  );
  expect(said).toEqual({
    EACCES: 'The right to “runs/a” is missing (EACCES).',
    EROFS: '“runs/a” lies on a disk that can only be read (EROFS).',
    ENOSPC: 'The disk is full: there is no room left for “runs/a” (ENOSPC).',
    EMFILE: 'Too many files are open at once: “runs/a” can’t be opened (EMFILE).',
  });
  expect(troubleOf(systemError('EMFILE'))?.hint).toContain('ulimit -n');
});

test.runIf(process.platform === 'linux')('a real full disk names the file although the system does not', async () => {
  const file = await open('/dev/full', 'w');
  const error = await file.write('x').catch((cause) => cause);
  await file.close();
  expect(troubleOf(error)?.message).toBe('The disk is full: there is no room left for a file (ENOSPC).');
  expect(troubleOf(error, 'log.jsonl')?.message).toContain('“log.jsonl”');
});

test('a missing file is a wrong call, and keeps the name that programs look for', async () => {
  const trouble = troubleOf(await readFile('no-such-file').catch((error) => error));
  expect(trouble).toMatchObject({ kind: 'call', code: 'ENOENT', message: '“no-such-file” is not there (ENOENT).' });
});

test('troubles of the machine are told apart from those of one piece of work, also as sentences', () => {
  expect(isOfTheMachine(systemError('ENOSPC'))).toBe(true);
  expect(isOfTheMachine(troubleOf(systemError('EACCES', 'x')))).toBe(true);
  expect(isOfTheMachine(systemError('ENOENT'))).toBe(false);
  expect(isOfTheMachine(new Error('ENOSPC in a text is nobody’s disk'))).toBe(false);
});

test('what is no trouble of the system is left as it is', () => {
  expect(troubleOf(new UntangleError('A sentence.'))).toBeUndefined();
  expect(troubleOf(new TypeError('x is not a function'))).toBeUndefined();
  expect(troubleOf(systemError('ERR_OUT_OF_RANGE'))).toBeUndefined();
});
