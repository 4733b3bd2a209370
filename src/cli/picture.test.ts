import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { decodePng, readPngHeader } from '../data/formats/png.ts';
import { type Drawing, encodePng, type Raster } from '../drawing/index.ts';
import { UntangleError } from '../errors.ts';
import type { Codes } from '../model/index.ts';
import { codesOf } from '../pictures/codes.ts';
import { drawEmbeddings } from '../pictures/embedding.ts';
import { drawInterpolation } from '../pictures/interpolation.ts';
import { drawSamples } from '../pictures/samples.ts';
import { someItems, subjectOf, testItems } from '../pictures/subject.ts';
import { drawTableTraversal } from '../pictures/tables.ts';
import { drawSynthesis } from '../pictures/transfer.ts';
import { drawTraversal } from '../pictures/traversal.ts';
import { stream } from '../random/index.ts';
import { openRun, type Run } from '../runs/index.ts';
import type { RunData } from '../training/index.ts';
import { sampleCodes, TrainedModel } from '../use/index.ts';
import type { PictureFlags } from './model-verbs.ts';
import { picture } from './picture.ts';
import { untangleIn } from './testing/command.ts';

let folder: string;

const untangle = (...words: string[]) => untangleIn(folder, ...words);

/** The folder has four small runs: without roles, with a salient block, with classes, and of a table. */
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'untangle-picture-'));
  await writeTable();
  const train = async (name: string, ...words: string[]) => {
    const outcome = await untangle('train', ...words, '--workers', '1', '--out', `runs/${name}`);
    expect(outcome.err.split('\n').slice(-4).join('\n')).toContain('Look:');
  };
  await Promise.all([
    train('plain', 'beta-vae', '--data', 'shapes', '--steps', '120', '--set', 'latents=4', 'validateEvery=60'),
    train('salient', 'contrastive-correct', '--data', 'shapes-contrast', '--steps', '40', '--set', 'zLatents=3'),
  ]);
  await Promise.all([
    train('classes', 'parted-vae', '--data', 'shapes', '--labels', '60', '--steps', '30', '--set', 'classLatents=2'),
    train('table', 'vae', '--data', join(folder, 'table.csv'), '--steps', '150', '--set', 'latents=3'),
  ]);
  // One call draws what several tests look at.
  await Promise.all([
    draw('salient', 'all', '--items', '8', '--format', 'svg', '--out', 'salient'),
    draw('classes', 'all', '--items', '6', '--steps', '5', '--format', 'svg', '--out', 'classes'),
  ]);
}, 120_000);
afterAll(() => rm(folder, { recursive: true }));

/** Height in centimetres and weight in kilograms go together; the site does not matter. */
async function writeTable(): Promise<void> {
  const noise = stream(1, 'table');
  const rows = Array.from({ length: 300 }, (_, i) => {
    const size = noise.normal();
    return [170 + 10 * size, 70 + 12 * size + noise.normal(), ['Bonn', 'Ulm'][i % 2]].join(',');
  });
  await writeFile(join(folder, 'table.csv'), `height,weight,site\n${rows.join('\n')}\n`);
}

async function draw(run: string, kind: string, ...flags: string[]): Promise<string[]> {
  const { code, out, err } = await untangle('picture', `runs/${run}`, kind, '--json', ...flags);
  expect([code, code === 0 ? '' : err]).toEqual([0, '']);
  return JSON.parse(out).files;
}

interface CellPixels {
  x: number;
  y: number;
  pixels: Uint8Array;
}

/** The images of an SVG by row, from left to right, each with its very pixels. */
async function cellsOf(file: string): Promise<CellPixels[][]> {
  const svg = await readFile(join(folder, file), 'utf8');
  const cells = [...svg.matchAll(/<image x="([^"]+)" y="([^"]+)"[^>]*base64,([^"]+)"/g)].map(([, x, y, data]) => ({
    x: Number(x),
    y: Number(y),
    pixels: decodePng(Buffer.from(data, 'base64'), file).data,
  }));
  return inRows(cells);
}

/** The images of a drawing, in the same way. */
function cellsIn({ shapes }: Drawing): CellPixels[][] {
  return inRows(
    shapes.flatMap((shape) =>
      shape.kind === 'picture'
        ? [{ x: shape.x, y: shape.y, pixels: shape.raster.data.filter((_, i) => i % 4 === 0) }]
        : [],
    ),
  );
}

function inRows(cells: CellPixels[]): CellPixels[][] {
  const tops = [...new Set(cells.map(({ y }) => y))].sort((a, b) => a - b);
  return tops.map((top) => cells.filter(({ y }) => y === top).sort((a, b) => a.x - b.x));
}

/** Mean difference of pixels, 0 … 255. */
function difference(a: Uint8Array, b: Uint8Array): number {
  return a.reduce((sum, value, i) => sum + Math.abs(value - b[i]), 0) / a.length;
}

const pixelsOf = (values: Float32Array) => Uint8Array.from(values, (value) => Math.round(255 * value));

async function opened(
  name: string,
): Promise<{ run: Run; model: TrainedModel; data: RunData; open: () => Promise<RunData> }> {
  const run = await openRun(join(folder, 'runs', name));
  const model = await TrainedModel.open(run.folder);
  const open = subjectOf(run, model).data;
  return { run, model, data: await open(), open };
}

test('a traversal has a row for each dimension by its KL on an aligned grid, and the first moves the image most', async () => {
  const [file] = await draw('plain', 'traversal', '--format', 'svg');
  expect(file).toBe('runs/plain/pictures/traversal.svg');
  const rows = await cellsOf(file);
  expect(rows.map((row) => row.length)).toEqual([9, 9, 9, 9]);
  const lefts = rows[0].map(({ x }) => x);
  expect(rows.map((row) => row.map(({ x }) => x))).toEqual(rows.map(() => lefts));
  expect(new Set(lefts.slice(1).map((x, i) => x - lefts[i])).size).toBe(1);
  const moves = rows.map((row) => difference(row[0].pixels, row[8].pixels));
  expect(moves[0]).toBeGreaterThan(2 * moves[3]);
  const middles = rows.map((row) => row[4].pixels);
  expect(middles.map((middle) => difference(middle, middles[0]))).toEqual([0, 0, 0, 0]);
});

test('the rows of a traversal are labelled with block, index and KL, the largest KL first', async () => {
  const { model, open } = await opened('plain');
  const { shapes } = await drawTraversal(model, open, { seed: 1 });
  const texts = shapes.flatMap((shape) => (shape.kind === 'text' ? [shape.text] : []));
  const kl = model.file.blocks[0].kl ?? [];
  const order = kl.map((_, i) => i).sort((a, b) => kl[b] - kl[a]);
  expect(texts.filter((text) => /^z \d$/.test(text))).toEqual(order.map((i) => `z ${i}`));
  expect(texts).toContain(kl[order[0]].toFixed(2));
  expect(texts.filter((text) => text.endsWith('%'))).toEqual([
    '2%',
    '6.2%',
    '15.2%',
    '30.4%',
    '50%',
    '69.6%',
    '84.8%',
    '93.8%',
    '98%',
  ]);
  await model.close();
});

test('a traversal from a test item begins each row with that item; an image of another size is resized with a note', async () => {
  const { model, data } = await opened('plain');
  const item = data.target.data.gather([testItems(data.target)[7]]);
  const files = await draw('plain', 'traversal', '--from', '7', '--steps', '5', '--animate', '--out', 'seven.svg');
  expect(files).toEqual(['seven.svg', 'seven-animated.png', 'seven-animated.gif']);
  const rows = await cellsOf('seven.svg');
  expect(rows.map((row) => row.length)).toEqual([6, 6, 6, 6]);
  for (const row of rows) expect(row[0].pixels).toEqual(pixelsOf(item));
  const doubled: Raster = { width: 32, height: 32, data: new Uint8Array(32 * 32 * 4) };
  for (let i = 0; i < 32 * 32; i++) {
    const grey = Math.round(255 * item[Math.floor(i / 64) * 16 + Math.floor((i % 32) / 2)]);
    doubled.data.set([grey, grey, grey, 255], 4 * i);
  }
  await writeFile(join(folder, 'mine.png'), encodePng(doubled));
  const flags = ['--from', 'mine.png', '--steps', '3', '--out', 'mine.svg'];
  const { code, err } = await untangle('picture', 'runs/plain', 'traversal', ...flags);
  expect([code, err]).toEqual([0, '“mine.png” was resized from 32 × 32 to 16 × 16 pixels.\n']);
  const mine = await cellsOf('mine.svg');
  expect(difference(mine[0][0].pixels, pixelsOf(item))).toBeLessThan(8);
  await model.close();
});

test('an animated traversal goes there and back, as APNG and as GIF', async () => {
  const apng = await readFile(join(folder, 'seven-animated.png'));
  expect(apng.readUInt32BE(apng.indexOf('acTL') + 4)).toBe(8);
  expect((await readFile(join(folder, 'seven-animated.gif'))).subarray(0, 6).toString()).toBe('GIF89a');
});

test('all draws every kind that applies, at two pixels to one of the SVG, and says why others do not', async () => {
  const { code, out } = await untangle('picture', 'plain', 'all', '--items', '40', '--json');
  expect(code).toBe(0);
  const { files, leftOut } = JSON.parse(out);
  const kinds = ['reconstruction', 'traversal', 'samples', 'interpolation', 'embedding', 'curves', 'curves-kl', 'kl'];
  expect(files).toEqual(kinds.map((kind) => `runs/plain/pictures/${kind}.png`));
  expect(leftOut).toEqual([
    {
      kind: 'transfer',
      why: 'beta-vae has neither a salient nor a class block to tell what to move (--blocks z[0] would)',
    },
    { kind: 'swap', why: 'beta-vae has no salient block' },
    { kind: 'synthesis', why: 'beta-vae has no salient block' },
    { kind: 'classes', why: 'beta-vae has no class block' },
    { kind: 'prior', why: 'beta-vae has no class-related block with a learned prior' },
    { kind: 'class-kl', why: 'beta-vae has no block for a single class' },
  ]);
  const svg = await readFile(join(folder, 'runs/plain/pictures/traversal.svg'), 'utf8');
  const [, width, height] = /width="(\d+)" height="(\d+)"/.exec(svg) ?? [];
  const header = readPngHeader(await readFile(join(folder, 'runs/plain/pictures/traversal.png')), 'traversal.png');
  expect([header.width, header.height]).toEqual([2 * Number(width), 2 * Number(height)]);
});

test('reconstructions stand under the test items that they are of, target over background', async () => {
  const { model, data } = await opened('salient');
  const rows = await cellsOf('salient/reconstruction.svg');
  expect(rows.map((row) => row.length)).toEqual([4, 4, 4, 4]);
  const known = (set: RunData['target'] | undefined) => {
    const size = 256;
    const all = set?.data.gather(testItems(set)) ?? new Float32Array(0);
    return new Set(
      Array.from({ length: all.length / size }, (_, i) => pixelsOf(all.subarray(i * size, (i + 1) * size)).join()),
    );
  };
  const [targets, backgrounds] = [known(data.target), known(data.background)];
  for (const { pixels } of rows[0]) expect(targets.has(pixels.join())).toBe(true);
  for (const { pixels } of rows[2]) expect(backgrounds.has(pixels.join())).toBe(true);
  const values = Float32Array.from(rows[2][0].pixels, (value) => value / 255);
  const made = await model.decode(await codesOf(model, values, 'background'));
  expect(difference(rows[3][0].pixels, pixelsOf(made))).toBeLessThan(1);
  await model.close();
});

test('a transfer gives the salient code of the item above to the item at the left; a swap takes it away', async () => {
  const matrix = await cellsOf('salient/transfer.svg');
  expect(matrix.map((row) => row.length)).toEqual([8, 9, 9, 9, 9, 9, 9, 9, 9]);
  const { model } = await opened('salient');
  const toItem = ({ pixels }: CellPixels) => Float32Array.from(pixels, (value) => value / 255);
  const keep = await codesOf(model, toItem(matrix[2][0]), 'background');
  const take = await codesOf(model, toItem(matrix[0][3]));
  const mixed = await model.decode({ z: keep.z, s: take.s });
  expect(difference(matrix[2][4].pixels, pixelsOf(mixed))).toBeLessThan(1);

  const swapped = await cellsOf('salient/swap.svg');
  expect(swapped.map((row) => row.length)).toEqual([4, 4, 4, 4, 4, 4, 4, 4]);
  const { z, s } = await codesOf(model, toItem(swapped[1][0]));
  const parts: Codes[] = [{ z, s }, { z }, { s }];
  for (const [i, codes] of parts.entries())
    expect(difference(swapped[1][i + 1].pixels, pixelsOf(await model.decode(codes)))).toBeLessThan(1);
  await model.close();
});

test('a synthesis puts codes from the prior on background items, a column for each', async () => {
  const { model, data } = await opened('salient');
  const rows = cellsIn(await drawSynthesis(model, data, { seed: 1, items: 3, steps: 5 }));
  expect(rows.map((row) => row.length)).toEqual([6, 6, 6]);
  const drawn = sampleCodes(
    model,
    Array.from({ length: 5 }, () => []),
    1,
    1,
  );
  const { size } = model.file.blocks.find(({ name }) => name === 's')!;
  for (const row of rows) {
    const { z } = await codesOf(
      model,
      Float32Array.from(row[0].pixels, (value) => value / 255),
      'background',
    );
    const made = await model.decode({ z, s: drawn.s.subarray(2 * size, 3 * size) });
    expect(difference(row[3].pixels, pixelsOf(made))).toBeLessThan(1);
  }
  const some = cellsIn(await drawSynthesis(model, data, { seed: 1, items: 1, steps: 5, blocks: ['s[0]', 's[1]'] }));
  const { z, s: neutral } = await codesOf(
    model,
    data.background!.data.gather([someItems(data.background!, 1, 3)[0]]),
    'background',
  );
  const s = neutral.slice();
  s.set(drawn.s.subarray(0, 2));
  expect(difference(some[0][1].pixels, pixelsOf(await model.decode({ z, s })))).toBeLessThan(1);
  await model.close();
});

test('an interpolation goes from the first item to the salient code of the second, and over a square to all four', async () => {
  const { model, data, open } = await opened('salient');
  const item = (place: number) => data.target.data.gather([testItems(data.target)[place]]);
  const [first, last] = [await codesOf(model, item(2)), await codesOf(model, item(5))];
  const ends = [await model.decode(first), await model.decode({ z: first.z, s: last.s })].map(pixelsOf);
  const [line] = cellsIn(await drawInterpolation(model, open, { seed: 1, from: '2', to: '5', steps: 5 }));
  expect(line.length).toBe(7);
  expect(line[0].pixels).toEqual(pixelsOf(item(2)));
  expect(line[6].pixels).toEqual(pixelsOf(item(5)));
  expect([difference(line[1].pixels, ends[0]), difference(line[5].pixels, ends[1])]).toEqual([0, 0]);
  const square = cellsIn(await drawInterpolation(model, open, { seed: 1, corners: ['2', '5'], steps: 4 }));
  expect(square.map((row) => row.length)).toEqual([4, 4, 4, 4]);
  expect(difference(square[0][0].pixels, ends[0])).toBe(0);
  expect(difference(square[3][3].pixels, ends[1])).toBe(0);
  await model.close();
});

test('a model with classes shows samples of each, what varies inside each, and its learned prior', async () => {
  const sampled = await cellsOf('classes/samples.svg');
  expect(sampled.map((row) => row.length)).toEqual([6, 6, 6]);
  const { model } = await opened('classes');
  const narrow = cellsIn(await drawSamples(model, { seed: 1, items: 6, sigma: 0.001 }));
  await model.close();
  const spreadOf = (rows: CellPixels[][]) => difference(rows[1][0].pixels, rows[1][3].pixels);
  expect(spreadOf(narrow)).toBeLessThan(0.1);
  expect(spreadOf(sampled)).toBeGreaterThan(0.1);
  const inside = await cellsOf('classes/classes.svg');
  expect(inside.map((row) => row.length)).toEqual([5, 5, 5, 5, 5, 5]);
  const along = await cellsOf('classes/prior.svg');
  expect(along.map((row) => row.length)).toEqual([5]);
});

test('an embedding shows the sets of a contrastive run, or a factor of the target, for each block', async () => {
  const points = async (file: string) =>
    [...(await readFile(join(folder, file), 'utf8')).matchAll(/<circle[^>]*fill="([^"]+)"/g)].map(([, fill]) => fill);
  const fills = await points('salient/embedding-s.svg');
  // A point for each item, and one for each name in the legend.
  expect(['#0072b2', '#d55e00'].map((fill) => fills.filter((one) => one === fill).length)).toEqual([5, 5]);
  const { model, data } = await opened('salient');
  const options = { seed: 1, blocks: ['salient'], items: 40, colour: 'mark size', method: 'umap' } as const;
  const [{ drawing }] = await drawEmbeddings(model, data, options);
  await model.close();
  const colours = drawing.shapes.flatMap((shape) => (shape.kind === 'disc' ? [shape.fill] : []));
  expect(colours.length).toBe(40);
  expect(new Set(colours).size).toBe(4);
});

test('a table is shown by its columns in their own units', async () => {
  const { code, out, err } = await untangle('picture', 'runs/table', 'all', '--json');
  expect([code, code === 0 ? '' : err]).toEqual([0, '']);
  const { files, leftOut } = JSON.parse(out);
  expect(files.map((file: string) => file.split('/')[3])).toEqual([
    'reconstruction.png',
    'traversal.png',
    'embedding.png',
    'curves.png',
    'kl.png',
  ]);
  expect(leftOut[0]).toEqual({ kind: 'samples', why: 'vae learned from a table, not from images' });
  const { model, open } = await opened('table');
  const { shapes } = await drawTableTraversal(model, open, { seed: 1, dimensions: 1, items: 3 });
  const texts = shapes.flatMap((shape) => (shape.kind === 'text' ? [shape.text] : []));
  const ends = (name: string) => {
    const found = texts
      .map((text) => new RegExp(`^${name}: (\\d+[.]?\\d*) → (\\d+[.]?\\d*)$`).exec(text))
      .find(Boolean);
    return [Number(found?.[1]), Number(found?.[2])];
  };
  const [height, weight] = [ends('height'), ends('weight')];
  expect(height.every((value) => value > 130 && value < 210)).toBe(true);
  expect(Math.sign(height[1] - height[0])).toBe(Math.sign(weight[1] - weight[0]));
  expect(Math.abs(height[1] - height[0])).toBeGreaterThan(10);
  await model.close();
});

test.each([
  [['plain', 'traversl'], 'Did you mean “traversal”?'],
  [['plain', 'swap'], 'beta-vae has no salient block, which swap needs.'],
  [['nothing', 'kl'], 'There is no run “nothing”.'],
])('the wrong call %j gets a sentence and its exit code, never a stack trace', async (words, sentence) => {
  const { code, out, err } = await untangle('picture', ...words);
  expect(err).toContain(sentence);
  expect(err).not.toMatch(/\n\s+at /);
  expect([code, out]).toEqual([2, '']);
});

test.each<[string, string, Partial<PictureFlags>, string]>([
  ['plain', 'classes', {}, 'beta-vae has no class block, which classes needs.'],
  ['table', 'samples', {}, 'vae learned from a table, not from images, which samples needs.'],
  ['plain', 'traversal', { from: '5000' }, 'There is no item 5000 among the 307 test items of shapes.'],
  ['plain', 'traversal', { from: 'background:1' }, 'has learned without a background'],
  ['plain', 'traversal', { from: 'no.png' }, 'neither the number of a test item nor a picture'],
  ['plain', 'traversal', { blocks: ['z[9]'] }, 'z has no dimension 9.'],
  ['plain', 'traversal', { blocks: ['salient'] }, 'There is no block of this beta-vae “salient”.'],
  ['salient', 'transfer', { items: 20_000 }, 'The picture would have 400000000 images'],
  ['plain', 'interpolation', { from: '1' }, 'it needs both --from and --to'],
  ['plain', 'interpolation', { corners: ['1', '2', '3'] }, '3 corners were given'],
  ['plain', 'embedding', { colour: 'sclae' }, 'Did you mean “scale”?'],
  ['classes', 'traversal', { blocks: ['c'] }, 'c is a choice among classes'],
  ['classes', 'samples', { class: 'dics' }, 'Did you mean “disc”?'],
  ['plain', 'kl', { out: 'a.png', format: 'svg' }, 'ends in .png, and --format asks for svg'],
  ['plain', 'kl', { animate: true }, 'Only a traversal moves'],
])('a picture of the run %s, %s with %j, is refused with a sentence', async (run, kind, flags, sentence) => {
  const refused = await picture(join(folder, 'runs', run), kind, { seed: 1, ...flags }).catch((error) => error);
  expect(refused).toBeInstanceOf(UntangleError);
  expect(refused.kind).toBe('call');
  expect(`${refused.message} ${refused.hint ?? ''}`).toContain(sentence);
});
