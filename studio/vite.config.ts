/**
 * Builds pages from one source: the studio's app into `dist/studio-app`, packed, with the WebAssembly runtime beside it;
 * with `--mode export-page` the page that `untangle export` copies, into `dist/export-page`, which takes its runtime from the app's;
 * and with `--mode figures` the live figures of the site.
 */
import { copyFile, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, constants } from 'node:zlib';
import { defineConfig, type Plugin, type UserConfig } from 'vite';

const here = dirname(fileURLToPath(import.meta.url));
const dist = join(here, '..', 'dist');
const siteFigures = join(here, '..', 'site', '.pages', 'public', 'figures');
const packages = join(here, '..', 'node_modules');
const runtime = dirname(createRequire(import.meta.url).resolve('onnxruntime-web/wasm'));

/** Puts files of the runtime, its CPU build, where the pages load them from. */
function withRuntime(folder: string, ...files: string[]): Plugin {
  return {
    name: 'copy-onnxruntime',
    apply: 'build',
    async writeBundle() {
      await mkdir(folder, { recursive: true });
      for (const file of files) await copyFile(join(runtime, file), join(folder, file));
    },
  };
}

/** Leaves scripts, styles and the runtime as `NAME.br` alone: the server sends them so, and an export unpacks the runtime. */
function packed(folder: string): Plugin {
  return {
    name: 'pack-files',
    apply: 'build',
    async closeBundle() {
      for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
        const path = join(entry.parentPath, entry.name);
        if (!/\.(js|mjs|css|wasm)$/.test(path)) continue;
        const bytes = await readFile(path);
        await writeFile(`${path}.br`, await promisify(brotliCompress)(bytes, { params: effortFor(bytes) }));
        await rm(path);
      }
    },
  };
}

/** The best that there is takes a minute for the runtime's 14 MB, and gains a fifth. */
const effortFor = (bytes: Uint8Array) => ({
  [constants.BROTLI_PARAM_QUALITY]: bytes.length > 2 ** 20 ? 9 : constants.BROTLI_MAX_QUALITY,
  [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS,
  [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
});

/** An export is passed on, and with it the licences of what is in it. */
function withLicences(folder: string, licences: Record<string, string>): Plugin {
  return {
    name: 'write-licences',
    apply: 'build',
    async writeBundle() {
      const texts = Object.entries(licences).map(async ([name, path]) => `${name}\n\n${await readFile(path, 'utf8')}`);
      await writeFile(join(folder, 'licences.txt'), (await Promise.all(texts)).join('\n\n'));
    },
  };
}

/** Leaves a list of the modules that pages took in, by which `tools/build.js` knows when they are stale. */
function listModules(output: string): Plugin {
  const modules = new Set<string>();
  return {
    name: 'list-modules',
    apply: 'build',
    moduleParsed: ({ id }) => {
      const path = relative(join(here, '..'), id.replace(/\?.*$/, ''));
      if (/^(src|studio)\//.test(path)) modules.add(path);
    },
    async writeBundle() {
      await writeFile(join(dist, `.${output}.json`), `${JSON.stringify([...modules].sort())}\n`);
    },
  };
}

/** Opened as a file, the page should at least say in its own look that it needs a server: a file is of no origin. */
const withoutOrigin: Plugin = {
  name: 'no-crossorigin',
  transformIndexHtml: { order: 'post', handler: (html) => html.replaceAll(' crossorigin', '') },
};

const common: UserConfig = {
  base: './',
  esbuild: { jsx: 'automatic', jsxImportSource: 'preact' },
};
const build = { emptyOutDir: true, target: 'es2023', chunkSizeWarningLimit: 800 };

const modulesOfStudio = listModules('studio-app');
const studio: UserConfig = {
  ...common,
  root: here,
  worker: { format: 'es', plugins: () => [modulesOfStudio] },
  plugins: [
    modulesOfStudio,
    withRuntime(join(dist, 'studio-app', 'ort'), 'ort-wasm-simd-threaded.mjs', 'ort-wasm-simd-threaded.wasm'),
    packed(join(dist, 'studio-app')),
  ],
  // The package's bundled entry would carry a second copy of the WebAssembly file.
  resolve: { alias: { 'onnxruntime-web/wasm': join(runtime, 'ort.wasm.min.mjs') } },
  build: {
    ...build,
    outDir: join(dist, 'studio-app'),
    rollupOptions: {
      // Notes in zod to another bundler, which this one can't use: nothing is wrong.
      onwarn: (warning, tell) => warning.code === 'INVALID_ANNOTATION' || tell(warning),
    },
  },
};

const exportPage: UserConfig = {
  ...common,
  root: join(here, 'export-page'),
  publicDir: false,
  plugins: [
    listModules('export-page'),
    withoutOrigin,
    withRuntime(join(dist, 'export-page', 'page'), 'ort.wasm.bundle.min.mjs'),
    withLicences(join(dist, 'export-page', 'page'), {
      'ONNX Runtime Web': join(here, 'export-page', 'onnxruntime-license.txt'),
      Preact: join(packages, 'preact', 'LICENSE'),
      '@preact/signals': join(packages, '@preact', 'signals', 'LICENSE'),
    }),
  ],
  build: {
    ...build,
    outDir: join(dist, 'export-page'),
    modulePreload: { polyfill: false },
    rollupOptions: {
      // A whole file of its own, which others who use the export can load, too.
      external: ['onnxruntime-web/wasm'],
      output: {
        paths: { 'onnxruntime-web/wasm': './ort.wasm.bundle.min.mjs' },
        entryFileNames: 'page/page.js',
        assetFileNames: 'page/style[extname]',
      },
    },
  },
};

/** The live figures of the site: one module that its pages load when a figure is near, with its style as text. */
const figures: UserConfig = {
  ...common,
  root: here,
  publicDir: false,
  worker: { format: 'es' },
  plugins: [withRuntime(join(siteFigures, 'ort'), 'ort-wasm-simd-threaded.mjs', 'ort-wasm-simd-threaded.wasm')],
  resolve: studio.resolve ?? {},
  build: {
    ...build,
    outDir: siteFigures,
    lib: { entry: join(here, 'src', 'figures.tsx'), formats: ['es'], fileName: () => 'figures.js' },
    rollupOptions: studio.build?.rollupOptions ?? {},
  },
};

const configs: Record<string, UserConfig> = { 'export-page': exportPage, figures };

export default defineConfig(({ mode }) => configs[mode] ?? studio);
