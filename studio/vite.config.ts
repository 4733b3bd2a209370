/** Builds the studio's web app into `dist/studio-app`, with the WebAssembly runtime beside it in `ort/`. */
import { copyFile, mkdir, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig, type Plugin } from 'vite';

const here = dirname(fileURLToPath(import.meta.url));
const outDir = join(here, '..', 'dist', 'studio-app');
const runtime = dirname(createRequire(import.meta.url).resolve('onnxruntime-web/wasm'));

/** The CPU build of the runtime, which the pages load from their own server. */
const copyRuntime: Plugin = {
  name: 'copy-onnxruntime',
  apply: 'build',
  async writeBundle() {
    await mkdir(join(outDir, 'ort'), { recursive: true });
    for (const ending of ['mjs', 'wasm'])
      await copyFile(
        join(runtime, `ort-wasm-simd-threaded.${ending}`),
        join(outDir, 'ort', `ort-wasm-simd-threaded.${ending}`),
      );
  },
};

/** Leaves a list of the modules that the pages took in, by which `tools/build.js` knows when they are stale. */
const modules = new Set<string>();
const listModules: Plugin = {
  name: 'list-modules',
  apply: 'build',
  moduleParsed: ({ id }) => {
    const path = relative(join(here, '..'), id.replace(/\?.*$/, ''));
    if (/^(src|studio)\//.test(path)) modules.add(path);
  },
  async writeBundle() {
    await writeFile(join(outDir, '..', '.pages.json'), `${JSON.stringify([...modules].sort())}\n`);
  },
};

export default defineConfig({
  root: here,
  base: './',
  plugins: [copyRuntime, listModules],
  esbuild: { jsx: 'automatic', jsxImportSource: 'preact' },
  resolve: {
    // The package's bundled entry would carry a second copy of the WebAssembly file.
    alias: { 'onnxruntime-web/wasm': join(runtime, 'ort.wasm.min.mjs') },
  },
  worker: { format: 'es', plugins: () => [listModules] },
  build: { outDir, emptyOutDir: true, target: 'es2023', chunkSizeWarningLimit: 800 },
});
