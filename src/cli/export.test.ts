import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { decodePng } from '../data/formats/png.ts';
import { openData, openNpz, readNpy, splitOf, writeNpy, writeNpz } from '../data/index.ts';
import { stream } from '../random/index.ts';
import { handMadeRun } from '../runs/testing/hand-made.ts';
import { prepareRun, trainRun } from '../training/index.ts';
import { TrainedModel } from '../use/index.ts';
import { untangleIn } from './testing/command.ts';

let folder: string;

const untangle = (...words: string[]) => untangleIn(folder, ...words);

/** A run of a few steps. */
async function trained(name: string, data: string, ...set: string[]): Promise<void> {
  const request = { method: 'vae', data, set: ['steps=20', 'batchSize=16', ...set], workers: 1 };
  const { run } = await prepareRun({ ...request, root: join(folder, 'runs'), name });
  await trainRun(run);
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'untangle-use-'));
  const noise = stream(1, 'people');
  const rows = Array.from({ length: 120 }, (_, i) => {
    const height = 170 + 8 * noise.normal();
    return `${height},${height - 100 + 5 * noise.normal()},${['Bonn', 'Köln'][i % 2]},${i % 3 === 0 ? 'ill' : 'well'}`;
  });
  await writeFile(join(folder, 'people.csv'), `height,weight,site,label\n${rows.join('\n')}\n`);
  await trained('shapes', 'shapes');
  await trained('people', join(folder, 'people.csv'), 'latents=3');
  await handMadeRun(join(folder, 'hand'));
}, 120_000);
afterAll(() => rm(folder, { recursive: true }));

const hand = 'hand/by-hand-patches-1';

test('encode writes the test part’s codes with what is known of the items, and score reads them', async () => {
  const { code, out } = await untangle('encode', 'shapes', '--json');
  expect(code).toBe(0);
  expect(JSON.parse(out)).toMatchObject({ files: { codes: 'codes.npz' }, data: 'shapes', dimensions: 10 });

  const opened = await openData('shapes');
  if (opened.kind !== 'single') throw new Error('shapes is one set');
  const { test: items } = splitOf(opened.data, { seed: 1, validation: 0.1 });
  const model = await TrainedModel.open(join(folder, 'runs/shapes'));
  const [z] = await model.encode(opened.data.gather(items));
  await model.close();
  const arrays = await openNpz(join(folder, 'codes.npz'));
  expect(arrays.names).toEqual(
    expect.arrayContaining([
      'z',
      'z log variance',
      'codes',
      'logVariance',
      'factors',
      'factor names',
      'labels',
      'items',
    ]),
  );
  expect((await arrays.read('items')).data).toEqual(items);
  expect((await arrays.read('z')).shape).toEqual([items.length, 10]);
  expect((await arrays.read('z')).data).toEqual(z.values);
  expect((await arrays.read('codes')).data).toEqual(z.values);
  expect((await arrays.read('z log variance')).data).toEqual(z.logVariance);
  const names = opened.data.factors?.factors.map(({ name }) => name);
  expect((await arrays.read('factor names')).data).toEqual(names);

  const scored = await untangle('score', '--codes', 'codes.npz', '--metrics', 'mig', '--json');
  expect(JSON.parse(scored.out)).toMatchObject({ items: items.length, dimensions: 10 });
  expect(JSON.parse(scored.out).results[0].score).toBeLessThan(1);
});

test('codes as .csv and .npy come with labels, factors and log variances in files beside them', async () => {
  await untangle('encode', 'shapes', 'shapes', '--part', 'validation', '--out', 'c/codes.csv');
  await untangle('encode', 'shapes', 'shapes', '--part', 'validation', '--out', 'c/codes.npy');
  const files = ['codes', 'codes.factors', 'codes.labels', 'codes.log-variance'].flatMap((name) => [
    `${name}.csv`,
    `${name}.npy`,
  ]);
  expect((await readdir(join(folder, 'c'))).sort()).toEqual(files.sort());
  const [head, ...lines] = (await readFile(join(folder, 'c/codes.csv'), 'utf8')).trim().split('\n');
  expect(head).toBe('z_0,z_1,z_2,z_3,z_4,z_5,z_6,z_7,z_8,z_9');
  const { shape, data } = await readNpy(join(folder, 'c/codes.npy'));
  expect(shape).toEqual([lines.length, 10]);
  expect(Float32Array.from(lines.flatMap((line) => line.split(',').map(Number)))).toEqual(data);
  const scored = await untangle(
    ...['score', '--codes', 'c/codes.csv', '--factors', 'c/codes.factors.csv', '--labels', 'c/codes.labels.csv'],
    ...['--log-variance', 'c/codes.log-variance.csv', '--metrics', 'kl', '--json'],
  );
  expect(JSON.parse(scored.out).results).toHaveLength(1);
});

test('images of another size and in colour are brought to the model’s, with a note', async () => {
  const grey = Uint8Array.from({ length: 2 * 16 * 16 }, (_, i) => (i < 256 ? 60 : 200));
  const colour = Uint8Array.from({ length: 2 * 32 * 32 * 3 }, (_, i) => (i < 3072 ? 60 : 200));
  await writeNpy(join(folder, 'grey.npy'), [2, 16, 16], grey);
  await writeNpy(join(folder, 'colour.npy'), [2, 32, 32, 3], colour);
  expect((await untangle('encode', 'shapes', 'grey.npy', '--out', 'grey-codes.npy')).err).not.toContain('resized');
  const { err } = await untangle('encode', 'shapes', 'colour.npy', '--out', 'colour-codes.npy');
  expect(err).toContain('The images of colour are 32×32; they are resized to 16×16, as the model takes them.');
  expect(err).toContain('turned into grey');
  const [one, other] = [await readNpy(join(folder, 'grey-codes.npy')), await readNpy(join(folder, 'colour-codes.npy'))];
  if (one.kind !== 'numbers' || other.kind !== 'numbers') throw new Error('codes are numbers');
  for (const [i, value] of one.data.entries()) expect(other.data[i]).toBeCloseTo(Number(value), 4);
});

test('new rows of a table are encoded as in training: unknown columns are named, missing ones refused', async () => {
  await writeFile(join(folder, 'new.csv'), 'site,weight,height,shoe\nKöln,70,170,42\nBonn,55,160,37\n');
  const { code, err } = await untangle('encode', 'people', 'new.csv', '--out', 'new-codes.csv');
  expect(code).toBe(0);
  expect(err).toContain('The model does not know these columns, and does not see them: shoe.');
  await writeFile(join(folder, 'short.csv'), 'site,weight\nKöln,70\nBonn,71\n');
  const short = await untangle('encode', 'people', 'short.csv');
  expect(short.code).toBe(1);
  expect(short.err).toContain('short.csv has no column “height”, which the model was trained with.');
  const images = await untangle('encode', 'people', 'shapes');
  expect(images.code).toBe(2);
  expect(images.err).toContain('There is no table shapes.');
});

test('decoded rows of a table are in its own units', async () => {
  await writeFile(join(folder, 'zero.csv'), 'z_0,z_1,z_2\n0,0,0\n1,-1,2\n');
  expect((await untangle('decode', 'people', 'zero.csv')).out).toContain('2 rows from zero.csv are in decoded.csv.');
  const [head, first] = (await readFile(join(folder, 'decoded.csv'), 'utf8')).split('\n');
  expect(head).toBe('height,weight,site');
  const [height, weight, site] = first.split(',');
  expect(Number(height)).toBeGreaterThan(140);
  expect(Number(height)).toBeLessThan(200);
  expect(Number(weight)).toBeLessThan(110);
  expect(['Bonn', 'Köln']).toContain(site);
});

test('decode makes a picture of each row, the same from .npz, .npy and .csv', async () => {
  const codes = stream(3, 'codes').normals(12 * 10);
  const blocks: Record<string, { shape: number[]; data: Float32Array }> = {};
  let at = 0;
  for (const [name, size] of [
    ['y', 3],
    ['u', 2],
    ['s', 1],
    ['z', 4],
  ] as const) {
    const data = Float32Array.from({ length: 12 * size }, (_, i) => codes[Math.floor(i / size) * 10 + at + (i % size)]);
    blocks[name] = { shape: [12, size], data };
    at += size;
  }
  await writeNpz(join(folder, 'blocks.npz'), blocks);
  await writeNpy(join(folder, 'side.npy'), [12, 10], codes);
  const lines = Array.from({ length: 12 }, (_, i) => Array.from(codes.subarray(10 * i, 10 * i + 10)).join(','));
  const head = 'y_0,y_1,y_2,u_0,u_1,s_0,z_0,z_1,z_2,z_3';
  await writeFile(join(folder, 'side.csv'), `${head}\n${lines.join('\n')}\n`);

  await untangle('decode', hand, 'blocks.npz', '--out', 'pictures');
  const names = await readdir(join(folder, 'pictures'));
  expect(names.sort()).toEqual(Array.from({ length: 12 }, (_, i) => `${String(i).padStart(2, '0')}.png`));
  for (const [i, name] of names.entries()) {
    const { data, width, height } = decodePng(await readFile(join(folder, 'pictures', name)), name);
    expect([width, height]).toEqual([4, 4]);
    // The hand-made model shows the code's ten numbers in the first ten pixels.
    for (let k = 0; k < 10; k++) {
      const expected = 255 / (1 + Math.exp(-codes[10 * i + k]));
      expect(Math.abs(data[k] - expected)).toBeLessThanOrEqual(0.51);
    }
  }
  await untangle('decode', hand, 'side.npy', '--out', 'from-npy.npy');
  await untangle('decode', hand, 'side.csv', '--out', 'from-csv.npy');
  const fromNpy = await readNpy(join(folder, 'from-npy.npy'));
  expect(fromNpy.shape).toEqual([12, 1, 4, 4]);
  expect((await readNpy(join(folder, 'from-csv.npy'))).data).toEqual(fromNpy.data);
});

test('blocks that are not given are neutral, and the person is told', async () => {
  await writeNpz(join(folder, 'z.npz'), { z: { shape: [1, 4], data: new Float32Array([1, 2, 3, 4]) } });
  const { err } = await untangle('decode', hand, 'z.npz', '--out', 'z.npy');
  expect(err).toContain('No codes of y, u, s were given: they are neutral.');
  const { data } = await readNpy(join(folder, 'z.npy'));
  const sigmoid = (value: number) => 1 / (1 + Math.exp(-value));
  expect(Number(data[5])).toBeCloseTo(sigmoid(0.5), 6);
  expect(Number(data[9])).toBeCloseTo(sigmoid(4), 6);
});

test('wrong calls get a sentence and leave nothing behind', async () => {
  await writeNpy(join(folder, 'narrow.npy'), [2, 7], new Float32Array(14));
  await writeNpy(join(folder, 'nan.npy'), [1, 10], new Float32Array(10).fill(Number.NaN));
  const calls: [string[], number, string][] = [
    [
      ['encode', 'shapes', '--out', 'codes.txt'],
      2,
      'Codes are written as .npz, .npy, .csv or .parquet, not as “codes.txt”.',
    ],
    [['encode', 'shape'], 2, 'There is no run “shape”.'],
    [['encode', 'shapes', 'people.csv'], 2, 'people is a table; the model takes images of 16×16 pixels.'],
    [['encode', 'shapes', '--where', 'scale = 1'], 2, 'the run’s own data is as it was'],
    [['decode', hand, 'narrow.npy', '--out', 'no'], 2, 'narrow.npy has 7 columns; the model’s code has 10.'],
    [['decode', hand, 'nan.npy', '--out', 'no'], 1, 'y_0 of row 1 in nan.npy is missing or not a finite number.'],
    [['decode', hand, 'z.npz', '--out', 'no.csv'], 2, 'Pictures are written into a folder or as .npy'],
    [['decode', hand, 'z.npz', '--out', 'runs'], 2, 'The folder “runs” is not empty.'],
    [['export', hand, 'runs'], 2, 'The folder “runs” is not empty.'],
  ];
  for (const [words, expected, sentence] of calls) {
    const { code, err } = await untangle(...words);
    expect(err).toContain(sentence);
    expect(code).toBe(expected);
  }
  expect(await readdir(folder)).not.toContain('no');
}, 120_000);

test('export says what it wrote and how to see it', async () => {
  const { code, out, err } = await untangle('export', 'shapes', 'site');
  expect(code).toBe(0);
  expect(out).toContain(
    'VAE on shapes, step 20, is in site: README.md, decoder.onnx, encoder.onnx, index.html, model.json.',
  );
  expect(err).toContain('python3 -m http.server');
});
