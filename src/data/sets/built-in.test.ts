import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { findFile } from './built-in.ts';

const dataDir = mkdtempSync(join(tmpdir(), 'untangle-data-'));
afterAll(() => rmSync(dataDir, { recursive: true }));

test('the first place that has the file is taken', () => {
  mkdirSync(join(dataDir, 'b'));
  writeFileSync(join(dataDir, 'b', 'file'), '');
  expect(findFile('Set', ['a/file', 'b/file'], { dataDir, get: 'example.org' })).toBe(join(dataDir, 'b', 'file'));
});

test('where it is nowhere, the error says what belongs where and where to get it', () => {
  expect(() => findFile('Set', ['a/file', 'c/file'], { dataDir, get: 'example.org' })).toThrow(
    expect.objectContaining({
      message: `Set is not in the data folder: there is no ${join(dataDir, 'a/file')}.`,
      hint: expect.stringContaining('example.org'),
    }),
  );
});
