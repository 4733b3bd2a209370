/** Builds the studio's web app into `dist/studio-app`, with the WebAssembly runtime beside it in `ort/`. */
import { copyFile, mkdir } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
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

export default defineConfig({
  root: here,
  base: './',
  plugins: [copyRuntime],
  esbuild: { jsx: 'automatic', jsxImportSource: 'preact' },
  resolve: {
    // The package's bundled entry would carry a second copy of the WebAssembly file.
    alias: { 'onnxruntime-web/wasm': join(runtime, 'ort.wasm.min.mjs') },
  },
  worker: { format: 'es' },
  build: { outDir, emptyOutDir: true, target: 'es2023', chunkSizeWarningLimit: 800 },
});
