import { execFileSync, spawnSync } from 'node:child_process';
import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { vaeMethod } from '../methods/index.ts';
import { prepareRun, trainInChild, trainRun } from '../training/index.ts';
import { loadPlugin } from './load.ts';

const root = resolve(import.meta.dirname, '../..');
const page = readFileSync(join(root, 'docs/plugins.md'), 'utf8');

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'untangle-plugin-'));
  writeFileSync(join(folder, 'bright.js'), /^```js\n([\s\S]*?)^```$/m.exec(page)?.[1] ?? '');
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Calls the command line in the folder; what is typed is as in the page. */
function untangle(typed: string) {
  const words = typed.replace(/^untangle /, '').split(/\s+/);
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(root, 'dist/cli/main.js'), ...words], {
    cwd: folder,
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
}

test('the page’s plugin is known to each of its commands, asked for again, and refused when it has changed', () => {
  const [, shell] = /^```sh\n([\s\S]*?)^```$/m.exec(page) ?? [];
  const calls = shell.trim().split('\n');
  const answers = calls.map((call) => untangle(call.replace('200', '20').replace('300', '30')));
  expect(answers.map(({ status, stderr }) => (status === 0 ? '' : stderr))).toEqual(['', '', '', '']);
  expect(answers[0].stdout).toContain('how much more each dimension costs');
  expect(answers[1].stderr).toContain('untangle picture runs/dots traversal --plugin bright.js');
  expect(answers[2].stdout).toContain('Spread');
  expect(answers[3].stdout).toContain('Done at step 30');
  const run = JSON.parse(readFileSync(join(folder, 'runs/dots/run.json'), 'utf8'));
  expect(run.plugins).toEqual([{ path: join(folder, 'bright.js'), sha256: expect.stringMatching(/^[0-9a-f]{64}$/) }]);

  const without = untangle('untangle train --resume runs/dots --steps 40');
  expect(without.status).toBe(2);
  expect(without.stderr).toMatch(
    /^This run was made with the plugin bright\.js, which is not loaded\.\n.*--plugin \S+\n/,
  );
  expect(untangle('untangle evaluate runs/dots').stderr).toContain('which is not loaded');

  appendFileSync(join(folder, 'bright.js'), '// A word more.\n');
  const changed = untangle('untangle train --resume runs/dots --steps 40 --plugin bright.js');
  expect(changed.status).toBe(1);
  expect(changed.stderr).toContain('The plugin bright.js is no longer what this run was made with.');
  const measured = untangle('untangle evaluate runs/dots --metrics spread,kl --jobs 2 --plugin bright.js');
  expect(measured.status).toBe(0);
  expect(measured.stderr).toContain('The plugin bright.js is no longer what this run was made with.');
  // Neither refusal made the run longer.
  expect(JSON.parse(readFileSync(join(folder, 'runs/dots/run.json'), 'utf8')).training.steps).toBe(30);
}, 120_000);

test('a sweep’s processes know it', () => {
  const sweep =
    'method: decaying-vae\ndata: dots\nseeds: 1\nspace: { decay: [0.1, 0.3] }\nobjectives: { spread: min }\n';
  writeFileSync(join(folder, 'decay.yaml'), `${sweep}budget: { steps: 5 }\nset: { network: narrow }\n`);
  const { status, stdout, stderr } = untangle('untangle sweep decay.yaml --json --plugin ./bright.js');
  expect(status, stderr).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ complete: true, done: 2, failed: 0 });
}, 60_000);

const wrong = [
  ['export default 3;', 'It adds nothing.'],
  ['export const methods = [];', 'It has no default export.'],
  ['export default { method: [] };', 'It adds “method”, which nobody looks for.'],
  ['export default { methods: {} };', 'Its methods are no list.'],
  [
    'export default { methods: [{ name: "x" }] };',
    'A method has a name, options and a function “build”; this is none.',
  ],
  ['export default { datasets: { mnist: { title: "", open() {} } } };', 'There is a dataset “mnist” already.'],
  ['export default ({ nn }) => nn.nothing();', 'nn.nothing is not a function'],
  ['export default {', 'Unexpected end of input'],
];

test('code that is no plugin is refused with a sentence', () => {
  const paths = wrong.map(([code], i) => {
    writeFileSync(join(folder, `wrong-${i}.mjs`), code);
    return join(folder, `wrong-${i}.mjs`);
  });
  // In a process of Node's own: a test's imports go another way.
  const program = `const { loadPlugin } = await import(${JSON.stringify(pathToFileURL(join(root, 'dist/plugins/index.js')).href)});
    const said = (path) => loadPlugin(path).then(() => 'loaded', ({ message, hint }) => [message, typeof hint]);
    console.log(JSON.stringify(await Promise.all(${JSON.stringify(paths)}.map(said))));`;
  const said = execFileSync(process.execPath, ['--input-type=module', '-e', program], { encoding: 'utf8' });
  expect(JSON.parse(said)).toEqual(
    wrong.map((_, i) => [expect.stringContaining(`The plugin wrong-${i}.mjs could not be loaded. `), 'string']),
  );
  for (const [i, [, sentence]] of wrong.entries()) expect(JSON.parse(said)[i][0]).toContain(sentence);
}, 30_000);

test('a plugin that is not there is a wrong call', async () => {
  await expect(loadPlugin(join(folder, 'none.js'))).rejects.toMatchObject({
    kind: 'call',
    message: /There is no plugin/,
  });
});

test('a method that is an object is trained in its process, and another process says that it can’t know it', async () => {
  const own = vaeMethod({
    name: 'an-own-vae',
    title: 'Own',
    summary: 'The ELBO.',
    paper: { cite: 'ours', equations: 'Eq. 1' },
    options: {},
    objective: ({ reconstruction, kl }) => ({ minimises: reconstruction.plus(kl), terms: {} }),
  });
  const request = { data: 'shapes', set: ['steps=2', 'network=mlp'], workers: 1, root: join(folder, 'runs') };
  const { run } = await prepareRun({ ...request, method: own });
  expect(run.file).toMatchObject({ method: 'an-own-vae' });
  expect(run.file.plugins).toBeUndefined();
  expect(await trainRun(run)).toMatchObject({ state: 'done', step: 2 });
  await expect(trainInChild(run)).rejects.toThrow("A process of its own can't know the method “an-own-vae”");
  await expect(prepareRun({ ...request, method: { ...own } })).rejects.toThrow(
    'There is a method “an-own-vae” already.',
  );
  await expect(prepareRun({ ...request, method: { ...own, name: 'vae' } })).rejects.toThrow(
    'There is a method “vae” already.',
  );
});
