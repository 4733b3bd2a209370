/** Builds `dist/`: the library and the command line, the studio's pages, and the WebAssembly runtime that exported pages take along. */
import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const run = (script, ...words) =>
  execFileSync(process.execPath, [join(root, 'node_modules', script), ...words], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
  });

run('typescript/bin/tsc', '-p', 'tsconfig.build.json');

const runtime = dirname(createRequire(import.meta.url).resolve('onnxruntime-web/wasm'));
const place = join(root, 'dist', 'web-runtime');
mkdirSync(place, { recursive: true });
for (const name of ['ort.wasm.bundle.min.mjs', 'ort-wasm-simd-threaded.wasm'])
  copyFileSync(join(runtime, name), join(place, name));

if (existsSync(join(root, 'studio', 'vite.config.ts')))
  run('vite/bin/vite.js', 'build', 'studio', '--logLevel', 'warn');
