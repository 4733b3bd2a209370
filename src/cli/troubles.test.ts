/** What a newcomer runs into on an ordinary machine: rights, pipes, odd names, wrong calls. */
import { spawn } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { main, untangleAsGuest, untangleIn } from './testing/command.ts';

let folder: string;
const run = 'läufe/erster Versuch';
const untangle = (...words: string[]) => untangleIn(folder, ...words);

/** 120 rows: two numbers that follow “ill”, and a text column with a gap in every tenth row. */
function tableText(): string {
  const row = (i: number) => {
    const ill = i % 2;
    return `item-${i},${ill},${(Math.sin(i) + 3 * ill).toFixed(4)},${Math.cos(i * 1.7).toFixed(4)},${i % 10 === 3 ? '' : ['f', 'm'][(i >> 1) % 2]}`;
  };
  return `id,ill,a,b,sex\n${Array.from({ length: 120 }, (_, i) => row(i)).join('\n')}\n`;
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'untangle troubles '));
  await chmod(folder, 0o755);
  await writeFile(join(folder, 'table.csv'), tableText());
});
afterAll(() => rm(folder, { recursive: true }));

test('a column with gaps that the model is not to see is told before training and measured afterwards', async () => {
  const words = ['--data', 'table.csv', '--label', 'ill', '--exclude', 'sex,id', '--steps', '20', '--set', 'latents=2'];
  const trained = await untangle('train', 'vae', ...words, '--out', run);
  expect(trained.code).toBe(0);
  const gaps = /Known columns have gaps \(“sex”\): they are measured on the \d+ of 120 rows that have them all\./;
  expect(trained.err).toMatch(gaps);
  // What is printed to be typed next is one word to a shell.
  expect(trained.err).toContain(`untangle evaluate '${run}'`);

  const { code, out } = await untangle('evaluate', run, '--part', 'all', '--metrics', 'mig,linear-probe', '--json');
  expect(code).toBe(0);
  const { results, leftOut } = JSON.parse(out);
  expect(leftOut).toEqual([]);
  expect(results[0].notes.join(' ')).toContain('on the 108 of 120 rows');

  const few = await untangle('evaluate', run, '--metrics', 'kl,regression-probe');
  expect(few.err).toMatch(/^Only \d+ items are measured, so scores are mostly chance: --part all has 120,/m);
  expect(few.out).toContain('regression-probe: needs at least one continuous factor. Known columns have gaps');
  expect(few.out).not.toContain('..');
});

test('a target and its background are looked at with each remark once, and told apart after training', async () => {
  const words = ['--where', 'ill = 1', '--background-where', 'ill = 0', '--exclude', 'sex'];
  const looked = await untangle('data', 'preview', 'table.csv', ...words);
  expect(looked.err.match(/The column id was left out/g)).toHaveLength(1);
  const trained = await untangle(
    'train',
    'contrastive-w2',
    '--data',
    'table.csv',
    ...words,
    '--steps',
    '3',
    '--out',
    'runs/two',
  );
  expect([trained.code, trained.err]).toEqual([0, expect.stringContaining('untangle contrast runs/two')]);
});

test('a run that may only be read is measured all the same, and --out keeps the numbers elsewhere', async () => {
  await chmod(join(folder, run), 0o555);
  const words = ['evaluate', run, '--part', 'all', '--metrics', 'kl', '--json'];
  const there = await untangleAsGuest(folder, ...words);
  expect(there.code).toBe(0);
  expect(JSON.parse(there.out).results[0].name).toBe('kl');
  expect(there.err).toContain(`The right to “${join(run, 'evaluation.json')}” is missing (EACCES).`);

  const elsewhere = await untangle(...words, '--out', 'numbers.json');
  expect(elsewhere.code).toBe(0);
  expect(JSON.parse(await readFile(join(folder, 'numbers.json'), 'utf8')).results[0].name).toBe('kl');

  await chmod(join(folder), 0o755);
  const trained = await untangleAsGuest(folder, 'train', 'vae', '--data', 'no-such-set', '--out', 'elsewhere/a');
  // Said before anything is read, also before it is seen that there is no such data.
  expect([trained.code, trained.err.trim().split('\n')[0]]).toEqual([
    1,
    expect.stringMatching(/^The right to “.*” is missing \(EACCES\)\.$/),
  ]);

  const drawn = await untangleAsGuest(folder, 'picture', run, 'kl');
  expect([drawn.code, drawn.out]).toEqual([1, '']);
  expect(drawn.err).toMatch(/^The right to “.*” is missing \(EACCES\)\.$/m);
  await chmod(join(folder, run), 0o755);
});

test('a folder of pictures that is a link to elsewhere is not drawn into', async () => {
  const outside = join(folder, 'outside');
  await mkdir(outside);
  await symlink(outside, join(folder, run, 'pictures'));
  const { code, err } = await untangle('picture', run, 'kl');
  expect([code, err]).toEqual([2, expect.stringContaining('leads out of its folder')]);
  expect(await readdir(outside)).toEqual([]);
});

test('reading takes no more memory than is allowed', async () => {
  expect((await untangle('data', 'preview', 'table.csv', '--max-memory', '2M')).code).toBe(0);
  await writeFile(join(folder, 'long.csv'), `a,b\n${'1,2\n2,3\n'.repeat(70_000)}`);
  const long = await untangle('data', 'preview', 'long.csv', '--max-memory', '2M');
  expect([long.code, long.err]).toEqual([
    1,
    expect.stringContaining('long.csv would take 4.3 MB of memory, and 2.0 MB are allowed.'),
  ]);
});

test('an error of a command with --json is an object on stdout, too', async () => {
  const { code, out, err } = await untangle('evaluate', 'runs/none', '--json');
  expect(code).toBe(2);
  expect(JSON.parse(out)).toMatchObject({ error: 'There is no run “runs/none”.', kind: 'call' });
  expect(err).toContain('There is no run “runs/none”.');
  expect(JSON.parse((await untangle('train', '--nonsense', '--json')).out)).toMatchObject({
    error: "Unknown option '--nonsense'.",
    hint: 'See “untangle train --help”.',
  });
});

test.each([
  [['train', '--nonsense'], 'See “untangle train --help”.'],
  [['data', 'preview'], 'See “untangle data preview --help”.'],
  [['data', 'previw'], 'Did you mean “untangle data preview”?'],
])('the wrong call %j points to its own help', async (words, hint) => {
  const { code, err } = await untangle(...words);
  expect(code).toBe(2);
  expect(err).toContain(hint);
});

test('--version says the version of the package', async () => {
  const { version } = JSON.parse(await readFile(join(main, '../../../package.json'), 'utf8'));
  expect(await untangle('--version')).toEqual({ code: 0, out: `${version}\n`, err: '' });
});

test('codes that are no numbers are a wrong call, whether they are texts or not a number', async () => {
  await writeFile(join(folder, 'texts.csv'), 'a,b\nx,1\ny,2\n');
  await writeFile(join(folder, 'gaps.csv'), 'a,b\n1,2\n,3\n4,5\n');
  expect((await untangle('score', '--codes', 'texts.csv')).code).toBe(2);
  expect((await untangle('score', '--codes', 'gaps.csv')).code).toBe(2);
});

test('data that is gone is said to be gone, in one sentence', async () => {
  const { code, err } = await untangle('train', 'vae', '--data', './photos of us');
  expect(code).toBe(2);
  expect(err).toContain('There is no file or folder ./photos of us.');
  expect(err).not.toContain('mnist');
});

test('a training goes on when nobody reads how it goes any more', async () => {
  const words = [
    'train',
    'vae',
    '--data',
    'table.csv',
    '--exclude',
    'sex,id',
    '--steps',
    '30',
    '--out',
    'piped',
    '--json',
  ];
  const child = spawn(process.execPath, [main, ...words], { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
  child.stderr.once('data', () => child.stderr.destroy());
  let out = '';
  child.stdout.on('data', (bytes) => {
    out += bytes;
  });
  expect(await new Promise((done) => child.on('close', done))).toBe(0);
  expect(JSON.parse(out)).toMatchObject({ state: 'done', step: 30 });
});

test('data preview of a table looks at its columns: as text, as a page and as JSON', async () => {
  const { code, out } = await untangle('data', 'preview', 'table.csv', '--label', 'ill');
  expect(code).toBe(0);
  expect(out).toContain('table: 120 rows, 5 columns');
  expect(out).toMatch(/^sex +text +12 +2 .* {2}2 columns, one of them 1$/m);
  const page = await readFile(join(folder, 'table.html'), 'utf8');
  expect(page.match(/<svg /g)?.length).toBe(3);
  const { sets } = JSON.parse((await untangle('data', 'preview', 'table.csv', '--json')).out);
  expect(sets[0].columns.map(({ name }: { name: string }) => name)).toEqual(['id', 'ill', 'a', 'b', 'sex']);
});
