/** The pages that tell how something is added are carried out: their code is written to a folder elsewhere and run there. */
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
import { dirname, join, relative, resolve } from 'node:path';
import ts from 'typescript';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

const root = resolve(import.meta.dirname, '..');
const docs = join(root, 'docs');

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'untangle-recipe-'));
  mkdirSync(join(folder, 'node_modules'));
  symlinkSync(root, join(folder, 'node_modules', 'untangle'));
  symlinkSync(join(root, 'node_modules', 'commander'), join(folder, 'node_modules', 'commander'));
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
});
afterEach(() => rmSync(folder, { recursive: true }));

/** The TypeScript of a page, by the path that its first line names; the last without one is the program that is run. */
function blocksOf(page: string): { files: Map<string, string>; output: string } {
  const text = readFileSync(join(docs, page), 'utf8');
  const blocks = [...text.matchAll(/^```ts\n(?:\/\/ (\S+)\n)?([\s\S]*?)^```$/gm)];
  const output = /^```text\n([\s\S]*?)^```$/m.exec(text)?.[1] ?? '';
  return { files: new Map(blocks.map(([, path = 'program.ts', code]) => [path, code])), output };
}

/** Writes the files as JavaScript. What they import of untangle's own files comes from where those are built. */
function write(files: ReadonlyMap<string, string>): void {
  for (const [path, code] of files) {
    const { outputText } = ts.transpileModule(code, {
      compilerOptions: { target: ts.ScriptTarget.ES2023, module: ts.ModuleKind.ESNext },
    });
    const place = join(folder, path.replace(/\.ts$/, '.js'));
    mkdirSync(dirname(place), { recursive: true });
    writeFileSync(
      place,
      outputText.replace(/(?<=from |import\()'(\.[^']+)\.ts'/g, (_, specifier) => `'${found(specifier)}'`),
    );

    function found(specifier: string): string {
      const meant = relative(folder, resolve(dirname(place), specifier));
      return files.has(`${meant}.ts`) ? `${specifier}.js` : join(root, meant.replace(/^src/, 'dist')).concat('.js');
    }
  }
}

describe.each(['adding-a-metric.md', 'adding-a-dataset.md', 'adding-an-op.md', 'adding-a-verb.md'])('%s', (page) => {
  test('adds it from outside in under 40 lines, and what it prints is what the page says', () => {
    const { files, output } = blocksOf(page);
    for (const [path, code] of files) if (path !== 'program.ts') expect(code.split('\n').length, path).toBeLessThan(40);
    write(files);
    const printed = execFileSync(process.execPath, ['program.js'], { cwd: folder, encoding: 'utf8' });
    expect(printed.replace(/\b\d\d-\d\d-\d\d/, 'DATE')).toBe(output);
  }, 60_000);
});

test('the method of the page on methods is one as it stands', () => {
  const { files } = blocksOf('adding-a-method.md');
  const program = `import { training } from 'untangle';
    console.log(sparseVae.name, Object.keys(sparseVae.options).includes('lambda'), typeof training.Session);`;
  write(new Map([['program.ts', `${[...files.values()][0]}\n${program}`]]));
  expect(execFileSync(process.execPath, ['program.js'], { cwd: folder, encoding: 'utf8' })).toBe(
    'sparse-vae true function\n',
  );
});

describe('library.md', () => {
  const text = readFileSync(join(docs, 'library.md'), 'utf8');

  test('each example runs', () => {
    const run = (code: string) => {
      write(new Map([['program.ts', code]]));
      return execFileSync(process.execPath, ['program.js'], { cwd: folder, encoding: 'utf8' });
    };
    const tiny = ['steps=4', 'batchSize=32', 'network=mlp', 'latents=4', 'classLatents=1'];
    run(`import { training } from 'untangle';
      const request = { method: 'n-vae', data: 'shapes', name: 'n-vae-shapes-1', workers: 1, set: ${JSON.stringify(tiny)} };
      await training.trainRun((await training.prepareRun(request)).run);`);
    const [first, using, own] = [...text.matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map(([, code]) => code);
    run(`${first.replace('steps=5000', 'steps=2')}
      if (z.values.length !== 30 || pictures.length !== 3 * 64 * 64) throw new Error('other sizes');`);
    const printed = run(`${using}
      console.log(first.values.length === target.items.length * first.block.size, answers[0].measured.counted > 0);
      console.log(values.length === shape.height * shape.width * shape.channels, more.variables[0].values.length);
      console.log(results.map(({ name }) => name).join(), leftOut.length);`);
    expect(printed).toMatch(/^Class accuracy: [\d.]+\nKL .*: [\d.]+\ntrue true\ntrue 60\nmig,sap 0\n$/);
    expect(run(`${own}console.log(freeBits.name);`)).toBe('free-bits\n');
  }, 60_000);

  test('a room that it names has what it names', async () => {
    const library: Record<string, object> = await import('./index.ts');
    const rows = [...text.matchAll(/^\| (`\w+`(?:, `\w+`)*) \| (.*) \|$/gm)];
    expect(rows.length).toBeGreaterThan(9);
    for (const [, rooms, what] of rows)
      for (const [, room] of rooms.matchAll(/`(\w+)`/g)) {
        expect(library).toHaveProperty(room);
        for (const [, name] of what.matchAll(/`(\w+)`/g)) expect(library[room], room).toHaveProperty(name);
      }
  });
});

test('files and pages that the recipes name are there', () => {
  const pages = readdirSync(docs).filter((name) => /^(adding-an?-|architecture)/.test(name));
  const named = [...pages.map((name) => join('docs', name)), 'CONTRIBUTING.md'].flatMap((page) => {
    const text = readFileSync(join(root, page), 'utf8').replace(/^```[\s\S]*?^```$/gm, '');
    const paths = [...text.matchAll(/`((?:src|studio|tools|examples|bench)\/[\w./-]*)`/g)].map(([, path]) => path);
    const links = [...text.matchAll(/\]\(([\w./-]+\.md)\)/g)].map(([, path]) => join(dirname(page), path));
    return [...paths, ...links].map((path) => ({ page, path }));
  });
  expect(named.length).toBeGreaterThan(40);
  expect(named.filter(({ path }) => !existsSync(join(root, path)))).toEqual([]);
});
