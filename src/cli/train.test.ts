import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { trainOptions } from '../options/index.ts';
import { flagsOf } from '../shell.ts';
import { main, untangleIn } from './testing/command.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'untangle-train-cli-'));
});
afterAll(() => rm(folder, { recursive: true }));

const untangle = (...words: string[]) => untangleIn(folder, ...words);

const tiny = ['--set', 'network=mlp', 'latents=3', 'batchSize=16'];

test('train writes a run that evaluate, compare and --from take up', async () => {
  const first = await untangle(
    'train',
    'beta-vae',
    '--data',
    'shapes',
    ...tiny,
    '--steps',
    '30',
    '--out',
    'runs/a',
    '--json',
  );
  expect(first.code).toBe(0);
  const { folder: place, state, step, terms } = JSON.parse(first.out);
  expect([place, state, step]).toEqual(['runs/a', 'done', 30]);
  expect(terms.loss).toBeCloseTo(terms.reconstruction + 4 * terms.kl, 2);

  const again = await untangle('train', '--from', 'runs/a/run.json', '--out', 'runs/b', '--json');
  expect(again.code).toBe(0);
  const weights = (run: string) => readFile(join(folder, 'runs', run, 'checkpoint/latest/weights.safetensors'));
  expect((await weights('b')).equals(await weights('a'))).toBe(true);

  const measured = await untangle('evaluate', 'runs/a', '--metrics', 'kl,reconstruction,linear-probe', '--json');
  expect(measured.code).toBe(0);
  const { results, part } = JSON.parse(measured.out);
  expect(part).toBe('test');
  expect(results.map((one: { name: string }) => one.name)).toEqual(['kl', 'reconstruction', 'linear-probe']);

  const compared = await untangle('compare', 'a', 'b', '--json');
  const { columns, sections } = JSON.parse(compared.out);
  expect(columns.map((one: { name: string }) => one.name)).toEqual(['a', 'b']);
  const metrics = sections.find((one: { kind: string }) => one.kind === 'metrics');
  const row = metrics.rows.find((one: { name: string }) => one.name === 'kl');
  expect(row.cells).toEqual([results[0].score, null]);
}, 120_000);

test('settings come from a file, and flags go before them', async () => {
  await writeFile(
    join(folder, 'settings.yaml'),
    'method: dip-vae-ii\ndata: shapes\nsize: 32\ncrop: false\nwhere: shape < 2\nseed: 7\noptions:\n  latents: 4\n  lambdaOffDiagonal: linear(0,5,10)\n  steps: 12\n  batchSize: 16\n',
  );
  const { code } = await untangle('train', '--config', 'settings.yaml', '--set', 'latents=3', '--out', 'runs/c');
  expect(code).toBe(0);
  const run = JSON.parse(await readFile(join(folder, 'runs/c/run.json'), 'utf8'));
  expect(run.method).toBe('dip-vae-ii');
  expect(run.options).toMatchObject({ latents: 3, lambdaOffDiagonal: 'linear(0,5,10)' });
  expect(run.training).toMatchObject({ seed: 7, steps: 12, batchSize: 16 });
  expect(run.data.target).toMatchObject({ condition: 'shape < 2', options: { size: 32 } });
  expect(run.command).toBe('untangle train --config settings.yaml --set latents=3 --out runs/c');
}, 60_000);

test('a config file says everything that flags say, and gives the same run', async () => {
  const common = { data: 'shapes', size: 16, seed: 5, workers: 1, threads: 1, out: 'runs/said' };
  const cells = fileURLToPath(new URL('../data/fixtures/cells-csr.h5ad', import.meta.url));
  const calls = [
    {
      ...{ ...common, method: 'parted-vae', preset: 'mnist', where: 'shape < 3', labels: 40, labelsFrom: 'first' },
      ...{ labelFactors: ['shape', 'scale'], steps: 3, tensorboard: true, dataDir: 'elsewhere' },
    },
    {
      ...{
        ...common,
        method: 'contrastive-w2',
        where: 'shape < 2',
        background: 'shapes',
        backgroundWhere: 'shape = 2',
      },
      ...{ epochs: 0.01, grey: true, crop: true, mlflow: 'http://127.0.0.1:9' },
    },
    {
      ...{ ...common, method: 'contrastive-w2', data: 'rows.csv', size: undefined, steps: 2, label: 'kind' },
      ...{ where: 'kind = x', background: 'rows.csv', backgroundWhere: 'kind = y', exclude: ['b'], counts: ['c'] },
      ...{ given: ['a'], group: 'subject', within: 'site' },
    },
    { ...{ ...common, method: 'vae', data: cells, size: undefined, steps: 1 }, layer: 'log' },
    { ...{ ...common, method: 'vae', data: 'photos', steps: 1 }, skipBad: true },
  ];
  const rows = Array.from({ length: 40 }, (_, i) => `${i},2,${i % 3},${i % 7},${'xy'[i % 2]},s${i % 10},${i % 10 < 5}`);
  await writeFile(join(folder, 'rows.csv'), `a,b,c,d,kind,subject,site\n${rows.join('\n')}\n`);
  await mkdir(join(folder, 'photos'));
  for (let i = 0; i < 20; i++) await writeFile(join(folder, 'photos', `${i}.pgm`), `P2 2 2 255 ${i} 2 3 4`);
  await writeFile(join(folder, 'photos', 'bad.png'), 'no picture');
  const made = async (...words: string[]) => {
    const { code, err } = await untangle('train', ...words);
    expect(code, err).toBe(0);
    const run = JSON.parse(await readFile(join(folder, 'runs/said/run.json'), 'utf8'));
    const files = await readdir(join(folder, 'runs/said'), { recursive: true });
    await rm(join(folder, 'runs/said'), { recursive: true });
    const told = [files.some((name) => name.includes('tfevents')), err.toLowerCase().includes('mlflow')];
    return { ...run, created: undefined, command: undefined, told };
  };
  for (const { method, ...said } of calls) {
    const options = { network: 'mlp', batchSize: 16 };
    await writeFile(join(folder, 'said.json'), JSON.stringify({ method, ...said, options }));
    const byFile = await made('--config', 'said.json');
    const set = Object.entries(options).map(([name, value]) => `${name}=${value}`);
    expect(byFile).toEqual(await made(method, ...flagsOf(said), '--set', ...set));
    expect(byFile.told).toEqual(['tensorboard' in said, 'mlflow' in said]);
  }
  const keys = calls.flatMap((call) => Object.keys(call));
  expect([...new Set(keys)].sort()).toEqual(Object.keys(trainOptions).sort());
}, 120_000);

test('a run that is resumed with more steps is the run that was made for as many', async () => {
  const words = ['train', 'vae', '--data', 'shapes', ...tiny];
  await untangle(...words, '--steps', '8', '--out', 'runs/short');
  const { code, out } = await untangle('train', '--resume', 'runs/short', '--steps', '12');
  expect([code, out.includes('Done at step 12')]).toEqual([0, true]);
  await untangle(...words, '--steps', '12', '--out', 'runs/long');
  const weights = (run: string) =>
    readFile(join(folder, run, 'checkpoint/latest/weights.safetensors')).then((file) => file.toString('base64'));
  expect(await weights('runs/short')).toBe(await weights('runs/long'));
  const fewer = await untangle('train', '--resume', 'runs/short', '--steps', '12');
  expect(fewer.err).toContain('“short” was made for 12 steps; 12 would not be more.');
  const other = await untangle('train', '--resume', 'runs/short', '--set', 'latents=3');
  expect(other.err).toContain('--resume goes on with a run as it was made; --set would change it.');
}, 60_000);

test('Ctrl-C keeps the run and tells how to go on', async () => {
  const words = ['train', 'vae', '--data', 'shapes', ...tiny, '--steps', '400000', '--out', 'runs/d'];
  const child = spawn(process.execPath, [main, ...words], { cwd: folder });
  let said = '';
  let interrupted = false;
  child.stderr.on('data', (chunk) => {
    said += chunk;
    if (interrupted || !said.includes('"step":')) return;
    interrupted = true;
    child.kill('SIGINT');
  });
  const code = await new Promise((done) => child.on('exit', done));
  expect(code).toBe(0);
  expect(said).toContain('Go on with:  untangle train --resume runs/d');
  const state = JSON.parse(await readFile(join(folder, 'runs/d/checkpoint/latest/state.json'), 'utf8'));
  expect(state.step).toBeGreaterThan(0);
  const model = JSON.parse(await readFile(join(folder, 'runs/d/model/model.json'), 'utf8'));
  expect(model.step).toBe(state.step);
}, 60_000);

test('numbers go to TensorBoard files and to an MLflow server', async () => {
  const bodies: { path: string; body: string }[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => {
      body += chunk;
    });
    request.on('end', () => {
      const path = request.url ?? '';
      bodies.push({ path, body });
      const answer = path.includes('runs/create')
        ? { run: { info: { run_id: 'r1' } } }
        : path.includes('experiments')
          ? { experiment_id: '0', experiment: { experiment_id: '0' } }
          : {};
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify(answer));
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { code } = await untangle(
    ...[
      'train',
      'vae',
      '--data',
      'shapes',
      ...tiny,
      '--steps',
      '20',
      '--out',
      'runs/e',
      '--tensorboard',
      '--mlflow',
      url,
    ],
  );
  server.close();
  expect(code).toBe(0);
  const logged = bodies.filter(({ path }) => path.includes('log-batch')).map(({ body }) => body);
  expect(logged.join()).toContain('train/reconstruction');
  const [events] = await readdir(join(folder, 'runs/e/tensorboard'));
  expect(events).toMatch(/^events\.out\.tfevents\./);
}, 60_000);

beforeAll(() => writeFile(join(folder, 'wrong.yaml'), 'data: shapes\nbckground: mnist\n'));

test.each([
  [['train'], 'Which method is to be trained?'],
  [['train', 'beta-vae'], 'Which data is to be learned from?'],
  [['train', 'beta-vea', '--data', 'shapes'], 'There is no method “beta-vea”.'],
  [['train', 'vae', '--data', 'shapes', '--set', 'bta=1'], 'There is no option of vae “bta”.'],
  [['train', 'vae', '--data', 'shapes', '--set', 'latents=many'], 'The option “latents” of vae takes a whole number'],
  [['train', 'vae', '--data', 'shapes', '--size', '0'], '--size takes a whole number from 1 to 4096; 0 is not that.'],
  [['train', 'vae', '--config', 'wrong.yaml'], 'There is no setting of “wrong.yaml” “bckground”.'],
  [['train', 'vae', '--data', 'shaps'], 'There is no dataset “shaps”.'],
  [['train', 'contrastive-w2', '--data', 'shapes'], 'compares a target with a background; shapes is one set.'],
  [['train', '--resume', 'nothing'], 'There is no run “nothing”.'],
  [['train', '--from', 'nothing.json'], 'There is no “nothing.json”.'],
  [['evaluate', 'nothing'], 'There is no run “nothing”.'],
  [['methods', 'beta'], 'There is no method “beta”.'],
  [['reproduce', 'table'], 'There is no study “table”.'],
])('the wrong call %j gets a sentence', async (words, sentence) => {
  const { code, err } = await untangle(...words);
  expect(code).toBe(2);
  expect(err).toContain(sentence);
  expect(err).not.toMatch(/\n\s+at /);
});

test('methods shows options, defaults and presets', async () => {
  const { out } = await untangle('methods', 'dip-vae-ii');
  expect(out).toContain('lambdaOffDiagonal');
  expect(out).toContain('--preset dsprites');
  const all = await untangle('methods', '--json');
  expect(JSON.parse(all.out).length).toBeGreaterThan(20);
});

test('reproduce runs a study and writes a report that stands alone', async () => {
  const { code, out } = await untangle(
    ...['reproduce', 'dip-vae-figure-1', '--arms', 'β-VAE 1', '--runs', 'studies'],
    ...['--set', 'steps=3', 'batchSize=8', 'latents=3'],
  );
  expect(code).toBe(0);
  expect(out).toContain('β-VAE 1');
  const html = await readFile(join(folder, 'studies/dip-vae-figure-1-quick/report.html'), 'utf8');
  expect(html).toContain('SAP against reconstruction error');
  expect(html).not.toMatch(/<script|https?:\/\//);
  // What the page says of how far it can be trusted, the console says, too.
  const departures = html.slice(html.indexOf('departs from the paper'));
  const said = [...departures.slice(0, departures.indexOf('</ul>')).matchAll(/<li>(.*?)<\/li>/g)].map(([, one]) => one);
  expect(said.length).toBeGreaterThan(1);
  for (const departure of said) expect(out).toContain(`Other than in the paper: ${departure}`);
  expect(out).toContain('Budget: quick. Seeds 1; ');
  const results = JSON.parse(await readFile(join(folder, 'studies/dip-vae-figure-1-quick/results.json'), 'utf8'));
  expect(results.arms[0].cells.SAP.mean).toBeGreaterThanOrEqual(0);
}, 120_000);
