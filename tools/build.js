/**
 * Builds what is stale of `dist/`: the library with the command line, the studio's pages, and the page that exports take
 * along. Stale is what was built from other contents, by a hash of its sources. With the library it writes the page of options. With `--check` it builds
 * nothing, says what is stale, and then exits with 1.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const dist = join(root, 'dist');
const record = join(dist, '.built.json');
const common = ['package-lock.json', 'tsconfig.json', 'tsconfig.build.json', 'tools/build.js'];

const filesUnder = (folder) =>
  readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.endsWith('.test.ts'))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
    .filter((path) => !/\/(fixtures|testing)\//.test(path));

const parts = {
  library: { sources: () => filesUnder('src'), output: 'index.js', build: buildLibrary },
  studio: pages('studio-app'),
  'export page': pages('export-page'),
};

const built = existsSync(record) ? JSON.parse(readFileSync(record, 'utf8')) : {};
const stale = Object.keys(parts).filter(
  (name) => !existsSync(join(dist, parts[name].output)) || built[name] !== stampOf(name),
);

if (process.argv.includes('--check')) {
  if (stale.length > 0) {
    console.error(`dist/ is stale (${stale.join(', ')}): it was built from other sources. “npm run build” mends that.`);
    process.exitCode = 1;
  }
} else {
  for (const name of stale) {
    parts[name].build();
    built[name] = stampOf(name);
    writeFileSync(record, `${JSON.stringify(built)}\n`);
  }
}

function stampOf(name) {
  const hash = createHash('sha256');
  for (const path of [...new Set([...common, ...parts[name].sources()])].sort()) {
    const file = join(root, path);
    hash.update(`${path}\0`).update(existsSync(file) ? readFileSync(file) : 'none');
  }
  return hash.digest('hex');
}

function buildLibrary() {
  run('typescript/bin/tsc', '-p', 'tsconfig.build.json');
  // What was built from sources that are gone must not go into a package.
  for (const entry of readdirSync(dist, { recursive: true, withFileTypes: true })) {
    const path = relative(dist, join(entry.parentPath, entry.name));
    if (!entry.isFile() || !/\.(js|d\.ts)$/.test(path) || /^(studio-app|export-page)\//.test(path)) continue;
    if (!existsSync(join(root, 'src', path.replace(/\.(js|d\.ts)$/, '.ts')))) rmSync(join(dist, path));
  }
  // Where nobody commits what it writes, a test says that the page is old.
  if (!process.env.CI) run('../tools/options-page.js');
}

/** Of the library, pages hold what their last build took in; anything new comes in by a change of that. */
function pages(output) {
  const modules = join(dist, `.${output}.json`);
  return {
    sources: () => [...filesUnder('studio'), ...(existsSync(modules) ? JSON.parse(readFileSync(modules, 'utf8')) : [])],
    output,
    build: () =>
      run('vite/bin/vite.js', 'build', '--config', 'studio/vite.config.ts', '--mode', output, '--logLevel', 'warn'),
  };
}

function run(script, ...words) {
  execFileSync(process.execPath, [join(root, 'node_modules', script), ...words], {
    cwd: root,
    // What it says of errors belongs to whoever builds; stdout is kept for those who pack.
    stdio: ['ignore', process.stderr, 'inherit'],
  });
}
