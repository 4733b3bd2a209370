import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { decodePng } from '../data/formats/png.ts';
import { readTable } from '../data/tables/read-table.ts';
import { encodePng } from '../drawing/index.ts';
import { drawClasses } from '../pictures/classes.ts';
import { drawSamples } from '../pictures/samples.ts';
import { stream } from '../random/index.ts';
import { openRun } from '../runs/index.ts';
import { handMadeRun } from '../runs/testing/hand-made.ts';
import { openRunData, prepareRun, type TrainRequest, trainRun } from '../training/index.ts';
import { folderNames } from '../use/augment.ts';
import { TrainedModel } from '../use/index.ts';
import { augment } from './augment.ts';
import { classify } from './classify.ts';

let root: string;
const at = (...parts: string[]) => join(root, ...parts);

/** A model by hand whose first three pixels are the class, and trained ones: with several labels, of a table, and without classes. */
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'untangle-classes-'));
  const byHand = await handMadeRun(root);
  hand = byHand.folder;
  const { folder } = await handMadeRun(root, { encodes: false });
  decoderOnly = folder;
  await writePatches();
  await writeTable();
  await train('several', {
    method: 'parted-vae',
    data: 'shapes',
    set: ['steps=60', 'latents=2', 'classLatents=1', 'learningRate=0.003'],
    labels: { labels: 300, labelFactors: ['shape', 'scale'] },
  });
  await train('table', { method: 'conditional-vae', data: at('people.csv'), set: ['steps=150', 'latents=2'] });
  await train('plain', { method: 'vae', data: 'shapes', set: ['steps=1', 'latents=2'] });
  await train('classifier', { method: 'classifier', data: 'shapes', set: ['steps=1'] });
}, 60_000);
afterAll(() => rm(root, { recursive: true }));

let hand: string;
let decoderOnly: string;

async function train(name: string, { set = [], ...request }: TrainRequest) {
  const common = ['network=mlp', 'batchSize=32'];
  const { run } = await prepareRun({ ...request, set: [...common, ...set], workers: 1, root: at('runs'), name });
  await trainRun(run);
}

/** Adults of two sites: those in Ulm are 40 cm smaller. */
async function writeTable(): Promise<void> {
  const noise = stream(1, 'people');
  const rows = Array.from({ length: 300 }, (_, i) => {
    const height = (i % 2 === 0 ? 190 : 150) + 4 * noise.normal();
    return [height, height / 2 + noise.normal(), ['Bonn', 'Ulm'][i % 2]].join(',');
  });
  await writeFile(at('people.csv'), `height,weight,label\n${rows.join('\n')}\n`);
}

/** Pictures of 4 × 4 with one bright pixel: ape 0, bee 1, cat 2. */
async function writePatches(): Promise<void> {
  const files = { 'cat/1': 2, 'cat/2': 2, 'cat/3': 1, 'ape/1': 0, 'dog/1': 0 };
  for (const [name, pixel] of Object.entries(files)) {
    await mkdir(at('patches', name, '..'), { recursive: true });
    const data = new Uint8Array(64).map((_, i) => (i % 4 === 3 || i >> 2 === pixel ? 255 : 0));
    await writeFile(at('patches', `${name}.png`), encodePng({ width: 4, height: 4, data }));
  }
}

/** What a verb prints on stdout. */
async function printed(work: () => Promise<void>): Promise<string> {
  let text = '';
  const out = vi.spyOn(process.stdout, 'write').mockImplementation((piece) => {
    text += piece;
    return true;
  });
  const err = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  try {
    await work();
  } finally {
    out.mockRestore();
    err.mockRestore();
  }
  return text;
}

const sure = Math.exp(10) / (Math.exp(10) + 2);

test('a picture gets the class of its brightest pixel, with the softmax as confidence', async () => {
  const out = await printed(() => classify(hand, at('patches', 'cat', '3.png'), { json: true }));
  const { items, results, variables } = JSON.parse(out);
  expect(items).toBe(1);
  expect(variables).toEqual([
    { name: 'class', classes: ['ape', 'bee', 'cat'], named: true, meanConfidence: expect.closeTo(sure, 6) },
  ]);
  expect(results[0].item).toBe(at('patches', 'cat', '3.png'));
  expect(results[0].guesses).toEqual([
    {
      variable: 'class',
      class: 'bee',
      confidence: expect.closeTo(sure, 6),
      second: 'ape',
      secondConfidence: expect.closeTo(1 / (Math.exp(10) + 2), 6),
    },
  ]);
});

test('a folder’s labels are matched by name, and labels that the model does not know are not counted', async () => {
  const { variables, results } = JSON.parse(await printed(() => classify(hand, at('patches'), { json: true })));
  expect(results.map(({ item }: { item: string }) => item)).toEqual([
    'ape/1.png',
    'cat/1.png',
    'cat/2.png',
    'cat/3.png',
    'dog/1.png',
  ]);
  const [{ accuracy, counted, confusion }] = variables;
  expect([accuracy, counted]).toEqual([3 / 4, 4]);
  expect(confusion).toEqual({
    labels: ['ape', 'cat', 'dog'],
    counts: [
      [1, 0, 0],
      [0, 1, 2],
      [0, 0, 0],
    ],
  });
  const text = await printed(() => classify(hand, at('patches'), {}));
  expect(text).toMatch(/cat\/3\.png\s+bee\s+100\.0 %\s+ape \(0\.0 %\)\s+cat/);
  expect(text).toContain('75.0 % of 4 labelled items are right; mean confidence 100.0 %.');
  expect(text).toContain('Not counted, as their label is no class of the model: 1 items.');
  expect(text).toMatch(/cat\s+–\s+1\s+2\s+66\.7 %/);
});

test('classes are written as a table that opens again', async () => {
  await printed(() => classify(hand, at('patches'), { out: at('classes.csv') }));
  const { columns, rows } = await readTable(at('classes.csv'));
  expect(rows).toBe(5);
  expect(columns.map(({ name }) => name)).toEqual([
    'item',
    'class',
    'confidence',
    'second best',
    'second confidence',
    'label',
  ]);
});

test('several labels give several columns, each with its own accuracy', async () => {
  const folder = at('runs', 'several');
  await printed(() => classify(folder, undefined, { out: at('several.csv') }));
  const { columns } = await readTable(at('several.csv'));
  const names = columns.map(({ name }) => name);
  expect(names).toEqual([
    'item',
    ...['shape', 'scale'].flatMap((name) => [
      name,
      ...['confidence', 'second best', 'second confidence', 'label'].map((what) => `${name} ${what}`),
    ]),
  ]);
  const { variables, items } = JSON.parse(await printed(() => classify(folder, undefined, { json: true })));
  const data = await openRunData((await openRun(folder)).file);
  const model = await TrainedModel.open(folder);
  const held = data.target.split.test;
  const codes = await model.encode(data.target.data.gather(held));
  expect(items).toBe(held.length);
  for (const [v, { values, block }] of codes.slice(0, 2).entries()) {
    const right = Array.from(held).filter((item, i) => {
      const row = Array.from(values.subarray(i * block.size, (i + 1) * block.size));
      return row.indexOf(Math.max(...row)) === data.variables[v].values[item];
    });
    expect(variables[v].accuracy).toBeCloseTo(right.length / held.length, 12);
  }
  await model.close();
});

test('pictures of a model with several labels show the classes of each', async () => {
  const model = await TrainedModel.open(at('runs', 'several'));
  const texts = ({ shapes }: Awaited<ReturnType<typeof drawSamples>>) =>
    shapes.flatMap((shape) => (shape.kind === 'text' ? [shape.text] : []));
  const rows = ['shape 0', 'shape 1', 'shape 2', 'scale 0', 'scale 1', 'scale 2', 'scale 3'];
  const samples = await drawSamples(model, { seed: 1, items: 2 });
  expect(texts(samples)).toEqual(expect.arrayContaining(rows));
  expect(samples.shapes.filter(({ kind }) => kind === 'picture')).toHaveLength(14);
  const one = await drawSamples(model, { seed: 1, items: 2, class: 'scale 3' });
  expect(texts(one)).not.toContain('scale 2');
  const inside = texts(await drawClasses(model, () => Promise.reject(), { seed: 1 }));
  expect(inside).toEqual(expect.arrayContaining(rows.map((name) => `${name}, u ${name.split(' ')[0]} 0`)));
  await model.close();
});

const pixels = async (...path: string[]) => decodePng(await readFile(at(...path)), 'a sample').data;
const grey = (code: number) => 255 / (1 + Math.exp(-code));

test('generated pictures lie in a folder for each class, drawn from the class’s prior', async () => {
  const flags = { perClass: 300, sigma: 0.001, seed: 3, out: at('narrow') };
  await printed(() => augment(hand, flags));
  expect((await readdir(at('narrow'))).sort()).toEqual(['ape', 'bee', 'cat', 'labels.csv']);
  expect(await readdir(at('narrow', 'bee'))).toHaveLength(300);
  const labels = await readFile(at('narrow', 'labels.csv'), 'utf8');
  expect(labels.split('\n').slice(0, 2)).toEqual(['file,label', 'ape/000.png,ape']);
  // y = cat and the middle of u under cat, s at 0 and z at 0.
  const cat = await pixels('narrow', 'cat', '299.png');
  const expected = [0, 0, 1, 3, -3, 0, 0, 0, 0, 0].map(grey);
  expected.forEach((value, i) => {
    expect(Math.abs(cat[i] - value)).toBeLessThan(1.5);
  });
  const { variables } = JSON.parse(await printed(() => classify(hand, at('narrow'), { json: true })));
  expect([variables[0].accuracy, variables[0].counted]).toEqual([1, 900]);
});

test('σ is the spread of the latent in deviations of the prior, and the seed decides every picture', async () => {
  /** The deviation of the last code over the pictures of a class: its prior is N(0, 1). */
  const spread = async (folder: string) => {
    const codes = await Promise.all(
      (await readdir(at(folder, 'ape'))).map(async (file) => {
        const value = (await pixels(folder, 'ape', file))[9] / 255;
        return Math.log(value / (1 - value));
      }),
    );
    return Math.sqrt(codes.reduce((sum, code) => sum + code ** 2, 0) / codes.length);
  };
  for (const [name, sigma, seed] of [
    ['one', 1, 1],
    ['again', 1, 1],
    ['wide', 1.4, 1],
    ['other', 1, 2],
  ] as const)
    await printed(() => augment(hand, { perClass: 200, sigma, seed, out: at(name) }));
  expect(await spread('one')).toBeCloseTo(1, 0);
  expect((await spread('wide')) / (await spread('one'))).toBeCloseTo(1.4, 1);
  expect(await pixels('again', 'cat', '007.png')).toEqual(await pixels('one', 'cat', '007.png'));
  expect(await pixels('other', 'cat', '007.png')).not.toEqual(await pixels('one', 'cat', '007.png'));
  // One below the other, so that the run's own pictures and the folder agree.
  const model = await TrainedModel.open(hand);
  const drawn = (await drawSamples(model, { seed: 1, items: 8 })).shapes.filter(({ kind }) => kind === 'picture');
  const last = drawn[23];
  const raster = last.kind === 'picture' ? last.raster.data.filter((_, i) => i % 4 === 0) : [];
  expect(Array.from(raster)).toEqual(Array.from(await pixels('one', 'cat', '007.png')));
  await model.close();
});

test('further labels of generated pictures are columns that a folder opens with', async () => {
  const folder = at('runs', 'several');
  await printed(() => augment(folder, { perClass: 40, sigma: 1, seed: 1, out: at('more') }));
  const { variables } = JSON.parse(await printed(() => classify(folder, at('more'), { json: true })));
  expect(variables.map(({ name, counted }: { name: string; counted: number }) => [name, counted])).toEqual([
    ['shape', 120],
    ['scale', 120],
  ]);
});

test('rows of a table come in their own units, with their label', async () => {
  const out = at('rows.csv');
  await printed(() => augment(at('runs', 'table'), { perClass: 100, sigma: 1, seed: 1, out }));
  const { columns, rows } = await readTable(out);
  expect(rows).toBe(200);
  expect(columns.map(({ name }) => name)).toEqual(['label', 'height', 'weight']);
  const height = columns[1].kind === 'number' ? columns[1].values : [];
  const mean = (from: number) =>
    Array.from({ length: 100 }, (_, i) => height[from + i]).reduce((sum, one) => sum + one, 0) / 100;
  expect(Math.abs(mean(0) - 190)).toBeLessThan(10);
  expect(Math.abs(mean(100) - 150)).toBeLessThan(10);
  const { variables } = JSON.parse(await printed(() => classify(at('runs', 'table'), out, { json: true })));
  expect(variables[0].accuracy).toBeGreaterThan(0.95);
});

test('names of classes become names of folders that no system refuses', () => {
  expect(folderNames(['cat', 'a/b', '.hidden', 'Cat', '..', 'end.', ''])).toEqual([
    'cat',
    'a_b',
    '_.hidden',
    'Cat_2',
    '_',
    'end',
    '__2',
  ]);
});

test('what can’t be done is told in a sentence', async () => {
  const draw = (run: string, flags: object = {}) =>
    printed(() => augment(run, { perClass: 1, sigma: 1, seed: 1, out: at('none'), ...flags }));
  await expect(classify(at('runs', 'plain'), undefined, {})).rejects.toThrow('has no class block');
  await expect(classify(decoderOnly, at('patches'), {})).rejects.toThrow('has no encoder');
  await expect(classify(hand, at('patches'), { out: 'x.json' })).rejects.toThrow('written as .csv');
  await expect(draw(at('runs', 'plain'))).rejects.toThrow('has no class block');
  await expect(draw(at('runs', 'classifier'))).rejects.toThrow('Classifier tells classes, but draws nothing.');
  await expect(draw(hand, { out: at('patches') })).rejects.toThrow('is not empty');
  await expect(draw(hand, { out: at('x.csv') })).rejects.toThrow('written into a folder');
  await expect(draw(hand, { perClass: 500000 })).rejects.toThrow('are 1500000; the limit is 1000000');
  await expect(draw(at('runs', 'table'), { out: at('folder') })).rejects.toThrow('written as .csv, not as');
  await expect(readdir(at('none'))).rejects.toThrow('ENOENT');
});
