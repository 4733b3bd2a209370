import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  type BeforeChange,
  type Change,
  readBounded,
  recoverFolder,
  replaceFolder,
  safeJoin,
  sha256,
  writeAtomically,
  writeToDisk,
} from './disk.ts';

let folder: string;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'untangle-files-')));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** A process that is killed before its change number `at`: from then on it changes nothing any more. */
function killedAt(at: number): { before: BeforeChange; changes: Change[] } {
  const changes: Change[] = [];
  return {
    changes,
    before: (change) => {
      if (changes.length >= at) throw new Error('killed');
      changes.push(change);
    },
  };
}

/** How many changes `work` makes when nothing goes wrong. */
async function countChanges(work: (before: BeforeChange) => Promise<unknown>): Promise<number> {
  const { before, changes } = killedAt(Number.POSITIVE_INFINITY);
  await work(before);
  return changes.length;
}

test('a file is either the old one or the new one, wherever the writer is killed', async () => {
  const path = join(folder, 'run.json');
  const total = await countChanges((before) => writeAtomically(path, 'first', before));
  expect(total).toBe(4);
  for (let at = 0; at < total; at++) {
    writeFileSync(path, 'old');
    await expect(writeAtomically(path, 'new', killedAt(at).before)).rejects.toThrow('killed');
    expect(readFileSync(path, 'utf8')).toBe(at < 3 ? 'old' : 'new');
  }
});

test('a file’s bytes are on the disk before it gets its name, and its name before the call returns', async () => {
  const { before, changes } = killedAt(Number.POSITIVE_INFINITY);
  await writeAtomically(join(folder, 'a.txt'), 'text', before);
  expect(changes.map((change) => change.kind)).toEqual(['write', 'sync', 'rename', 'sync folder']);
  expect(readdirSync(folder)).toEqual(['a.txt']);
});

test('a write that fails leaves nothing behind', async () => {
  await expect(writeAtomically(join(folder, 'missing', 'a.txt'), 'text')).rejects.toThrow('ENOENT');
  mkdirSync(join(folder, 'taken'));
  await expect(writeAtomically(join(folder, 'taken'), 'text')).rejects.toThrow();
  expect(readdirSync(folder)).toEqual(['taken']);
});

test('a folder is either the old one or the new one after recovery, wherever the writer is killed', async () => {
  const path = join(folder, 'model');
  const replaceBy = (text: string) => (before: BeforeChange) =>
    replaceFolder(path, (fresh) => writeToDisk(join(fresh, 'a.txt'), text, before), before);
  await replaceBy('first')(() => {});
  const total = await countChanges(replaceBy('second'));
  const seen = new Set<string>();
  for (let at = 0; at < total; at++) {
    await replaceBy('old')(() => {});
    await expect(replaceBy('new')(killedAt(at).before)).rejects.toThrow('killed');
    await recoverFolder(path);
    const text = readFileSync(join(path, 'a.txt'), 'utf8');
    seen.add(text);
    expect(['old', 'new']).toContain(text);
    expect(readdirSync(folder)).toEqual(['model']);
  }
  expect([...seen]).toEqual(['old', 'new']);
});

test('the checksum is SHA-256', async () => {
  // FIPS 180-2, appendix B.1.
  expect(await sha256(new TextEncoder().encode('abc'))).toBe(
    'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
  );
});

test('a file that is missing, too large or no file at all is not read', async () => {
  writeFileSync(join(folder, 'a'), '12345');
  expect(await readBounded(join(folder, 'b'), 5)).toBeUndefined();
  expect((await readBounded(join(folder, 'a'), 5))?.toString()).toBe('12345');
  await expect(readBounded(join(folder, 'a'), 4)).rejects.toThrow('has 5 bytes; at most 4 are expected');
  await expect(readBounded(folder, 5)).rejects.toThrow('is not a plain file');
});

test('a path from outside stays in its folder', async () => {
  mkdirSync(join(folder, 'runs', 'a'), { recursive: true });
  const root = join(folder, 'runs');
  expect(await safeJoin(root, 'a/pictures/x.png')).toBe(join(root, 'a', 'pictures', 'x.png'));
  expect(await safeJoin(root, 'a/100% of …b.png')).toBe(join(root, 'a', '100% of …b.png'));
  expect(await safeJoin(root, '')).toBe(root);
  const bad = ['..', '../x', 'a/../../x', '/etc/passwd', '\\\\host\\x', 'a\\..\\..\\x', 'C:\\x', 'c:x', 'a\0.png'];
  const encoded = [
    '%2e%2e/x',
    '..%2fx',
    '%252e%252e%252fx',
    'a%00',
    '%2Fetc%2Fpasswd',
    'a%5c..%5c..%5cx',
    'a/'.repeat(3000),
  ];
  for (const path of [...bad, ...encoded])
    await expect(safeJoin(root, path), path).rejects.toThrow('leads out of its folder');
});

test('a symbolic link does not lead out of the folder', async () => {
  const root = join(folder, 'runs');
  mkdirSync(root);
  mkdirSync(join(folder, 'outside'));
  symlinkSync(join(folder, 'outside'), join(root, 'link'));
  symlinkSync(join(folder, 'nowhere'), join(root, 'dangling'));
  symlinkSync('loop', join(root, 'loop'));
  mkdirSync(join(root, 'a'));
  symlinkSync('a', join(root, 'b'));
  for (const path of ['link', 'link/x', 'link/deeper/x', 'dangling', 'loop/x'])
    await expect(safeJoin(root, path), path).rejects.toThrow('leads out of its folder');
  expect(await safeJoin(root, 'b/x')).toBe(join(root, 'b', 'x'));
});

test('no path whatever leads out of the folder', async () => {
  const piece = fc.constantFrom('..', '.', '', 'a', '/', '\\', '%2e', '%2f', '%5c', '%', '%25', 'C:', '\0', '~', '…');
  await fc.assert(
    fc.asyncProperty(fc.array(piece, { maxLength: 8 }), fc.constantFrom('/', ''), async (pieces, glue) => {
      const path = await safeJoin(folder, pieces.join(glue)).catch(() => folder);
      expect(path === folder || path.startsWith(`${folder}/`)).toBe(true);
    }),
  );
  expect(existsSync(folder)).toBe(true);
});
