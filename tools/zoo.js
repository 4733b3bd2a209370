/**
 * Makes models of the zoo again: trains each as `zoo/zoo.json` says, measures it, draws it and writes its card into `zoo/NAME`. What
 * is there stays, unless it is removed first. The index is then told each file with its checksum.
 *
 * Run: node tools/zoo.js [NAME …]; `UNTANGLE_DATA` names the folder of data that is not built in.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runs, use } from '../dist/index.js';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const untangle = (...words) =>
  execFileSync(process.execPath, [join(root, 'dist', 'cli', 'main.js'), ...words], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
  });

const change = (path, by) => writeFileSync(path, by(readFileSync(path, 'utf8')));

const index = join(root, 'zoo', 'zoo.json');
const models = JSON.parse(readFileSync(index, 'utf8'));
const wanted = process.argv.slice(2);
for (const model of models) {
  const { name, train, picture } = model;
  const folder = join(root, 'zoo', name);
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  if (!existsSync(folder)) {
    // One worker gives the same bits on machines with any number of cores; a sparse log keeps the folder small.
    untangle('train', ...train, 'logEvery=100', '--workers', '1', '--out', `zoo/${name}`);
    untangle('evaluate', `zoo/${name}`);
    untangle('picture', `zoo/${name}`, picture);
    // A model of the zoo is used, not trained on.
    rmSync(join(folder, 'checkpoint'), { recursive: true });
    change(join(folder, 'run.json'), (text) => text.replaceAll(`${root}/`, ''));
    change(join(folder, 'status.json'), (text) => JSON.stringify({ ...JSON.parse(text), pid: 1, host: 'zoo' }));
  }
  writeFileSync(join(folder, 'README.md'), await use.cardOf(await runs.openRun(folder)));
  model.files = Object.fromEntries(
    (await use.sharedFiles(folder)).map((path) => [
      path,
      createHash('sha256')
        .update(readFileSync(join(folder, path)))
        .digest('hex'),
    ]),
  );
}
writeFileSync(index, `${JSON.stringify(models, null, 2)}\n`);
