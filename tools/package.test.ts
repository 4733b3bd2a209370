import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { parse } from 'yaml';

/** What `npm pack` would take along, by npm itself. */
function packed(folder = '..'): { size: number; unpackedSize: number; files: { path: string; size: number }[] } {
  const root = fileURLToPath(new URL(folder, import.meta.url));
  const told = execFileSync('npm', ['pack', '--dry-run', '--json'], { cwd: root, stdio: ['ignore', 'pipe', 'ignore'] });
  return JSON.parse(told.toString())[0];
}

test('the package keeps to its budget, with one WebAssembly runtime and nothing of the build', () => {
  const { size, unpackedSize, files } = packed();
  expect(size).toBeLessThan(6e6);
  expect(unpackedSize).toBeLessThan(12e6);
  const paths = files.map(({ path }) => path);
  expect(paths.filter((path) => /\.wasm(\.\w+)?$/.test(path))).toEqual([
    'dist/studio-app/ort/ort-wasm-simd-threaded.wasm.br',
  ]);
  expect(paths.filter((path) => /(^|\/)\.|\.test\.|\/(testing|fixtures)\//.test(path))).toEqual([]);
  for (const needed of ['dist/cli/main.js', 'dist/index.d.ts', 'dist/export-page/index.html', 'assets/grass.png'])
    expect(paths).toContain(needed);
});

test('whoever cites the package cites this version under this licence', () => {
  const read = (name: string) => readFileSync(new URL(`../${name}`, import.meta.url), 'utf8');
  const { version, license } = JSON.parse(read('package.json'));
  expect(parse(read('CITATION.cff'))).toMatchObject({ version, license });
});

test('the zoo’s package holds every file that its index names', () => {
  const models: { name: string; files: object }[] = JSON.parse(
    readFileSync(new URL('../zoo/zoo.json', import.meta.url), 'utf8'),
  );
  const { size, files } = packed('../zoo');
  const paths = files.map(({ path }) => path);
  for (const { name, files: named } of models)
    expect(paths).toEqual(expect.arrayContaining(Object.keys(named).map((path) => `${name}/${path}`)));
  expect(size).toBeLessThan(15e6);
});
