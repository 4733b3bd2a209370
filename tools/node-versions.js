/**
 * The packed package on other versions of Node: in an empty project of each, the demo is trained, a model of the zoo is fetched and
 * exported, and the README's TypeScript is checked under both ways of resolving modules.
 *
 * Run: node tools/node-versions.js [VERSION …], by default 20, 22, 24 and 26. It needs npm's registry, and takes minutes.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const { devDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const versions = process.argv.slice(2);
const home = mkdtempSync(join(tmpdir(), 'untangle-versions-'));
const run = (command, words, cwd) =>
  execFileSync(command, words, {
    cwd,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, ONNXRUNTIME_NODE_INSTALL: 'skip' },
  }).toString();

try {
  const packed = JSON.parse(run('npm', ['pack', '--json', '--pack-destination', home], root))[0].filename;
  const zoo = JSON.parse(run('npm', ['pack', '--json', '--pack-destination', home], join(root, 'zoo')))[0].filename;
  for (const version of versions.length > 0 ? versions : ['20', '22', '24', '26']) {
    const project = join(home, `node-${version}`);
    mkdirSync(project);
    writeFileSync(join(project, 'package.json'), '{ "type": "module", "private": true }\n');
    const types = [`typescript@${devDependencies.typescript}`, `@types/node@${devDependencies['@types/node']}`];
    run(
      'npm',
      [
        'install',
        '--no-audit',
        '--no-fund',
        '--silent',
        `node@${version}`,
        join(home, packed),
        join(home, zoo),
        ...types,
      ],
      project,
    );
    // npm's package of Node has its binary where the platform's package puts it.
    const node = join(project, 'node_modules', 'node', 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
    const binary = existsSync(node) ? node : join(project, 'node_modules', '.bin', 'node');
    const untangle = (...words) =>
      run(binary, [join(project, 'node_modules/untangle/dist/cli/main.js'), ...words], project);
    const says = run(binary, ['--version'], project).trim();
    if (!says.startsWith(`v${version}`)) throw new Error(`This is Node ${says}, not ${version}.`);
    untangle('demo', '--minutes', '0.2');
    untangle('zoo', 'get', 'beta-vae-shapes');
    untangle('export', 'beta-vae-shapes', 'site');
    writeFileSync(join(project, 'readme.ts'), readmeCode());
    for (const resolution of ['nodenext', 'bundler'])
      run(
        binary,
        [
          ...[
            'node_modules/typescript/bin/tsc',
            '--noEmit',
            '--strict',
            '--skipLibCheck',
            '--target',
            'es2023',
            '--types',
            'node',
          ],
          ...[
            '--module',
            resolution === 'bundler' ? 'esnext' : resolution,
            '--moduleResolution',
            resolution,
            'readme.ts',
          ],
        ],
        project,
      );
    console.log(`Node ${says}: the demo, a model of the zoo, its export and the types.`);
  }
} finally {
  rmSync(home, { recursive: true, force: true });
}

/** The TypeScript of the README. */
function readmeCode() {
  const text = readFileSync(join(root, 'README.md'), 'utf8');
  return [...text.matchAll(/^```ts\n([\s\S]*?)^```/gm)].map(([, code]) => code).join('\n');
}
