import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { LatentReport } from '../contrast/latent.ts';
import type { LinearReport } from '../contrast/linear.ts';
import type { ContrastReport } from '../contrast/report.ts';
import { stream } from '../random/index.ts';
import type { Run } from '../runs/index.ts';
import { prepareRun, trainRun } from '../training/index.ts';
import { fitClvm } from './clvm.ts';
import { contrast } from './contrast.ts';
import { cpca } from './cpca.ts';
import { chromium, openBrowser } from './testing/browser.ts';

let root: string;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'untangle-contrast-'));
  await writeTables();
});
afterAll(() => rm(root, { recursive: true }));

/**
 * Two factors over six columns; rows of the set “rich” are also of one of two kinds, which moves three columns. Sets “plain” and
 * “same” have no kinds, and “few” is fifty rows.
 */
async function writeTables(): Promise<void> {
  const noise = stream(1, 'two tables');
  const weights = [
    [1, 0.5, 0, 0.8, 0, 0.6],
    [0, 0.7, 1, 0.1, 0.9, -0.3],
  ];
  const rows = (set: string, count: number) =>
    Array.from({ length: count }, () => {
      const [a, b] = [noise.normal(), noise.normal()];
      const kind = noise.integer(2);
      const added = set === 'rich' ? 1.5 * (2 * kind - 1) : 0;
      const values = weights[0].map(
        (weight, j) => weight * a + weights[1][j] * b + 0.3 * noise.normal() + [0, 0, 0, added, -added, added][j],
      );
      return [...values.map((value) => (100 + 10 * value).toFixed(3)), set, ['down', 'up'][kind]].join(',');
    });
  const all = [...rows('rich', 400), ...rows('plain', 400), ...rows('same', 400), ...rows('few', 50)];
  await writeFile(join(root, 'two.csv'), `a,b,c,d,e,f,set,kind\n${all.join('\n')}\n`);
}

async function trained(name: string, target: string, background: string): Promise<Run> {
  const { run } = await prepareRun({
    method: 'contrastive-w2',
    data: join(root, 'two.csv'),
    choice: { where: `set = ${target}`, backgroundWhere: `set = ${background}`, label: 'kind' },
    set: ['steps=250', 'scale=0.3', 'beta=1', 'learningRate=0.002', 'validateEvery=0'],
    workers: 1,
    root,
    name,
  });
  await trainRun(run);
  return run;
}

/** What a verb prints as JSON. */
async function printed<T>(call: () => Promise<void>): Promise<T> {
  const lines: string[] = [];
  const out = vi.spyOn(process.stdout, 'write').mockImplementation((text) => lines.push(String(text)) > 0);
  const err = vi.spyOn(process.stderr, 'write').mockImplementation(() => true);
  try {
    await call();
  } finally {
    out.mockRestore();
    err.mockRestore();
  }
  // The caller says what the verb prints.
  return JSON.parse(lines.join('')) as T;
}

const reportOn = ({ folder }: Run) =>
  printed<ContrastReport & { files: string[] }>(() => contrast(folder, { seed: 1, json: true }));

test('a target with two kinds that the background lacks: the report finds the difference, the kinds and the columns', async () => {
  const { verdict, factors, clusters, columns, leakage, files } = await reportOn(
    await trained('found', 'rich', 'plain'),
  );
  expect(verdict.found).toBe('difference');
  expect(verdict.salient.pValue).toBe(0.001);
  expect(verdict.items).toEqual({ target: 80, background: 80 });
  expect(factors.filter(({ active }) => active).length).toBeGreaterThan(0);
  for (const { active, targetSpread, backgroundSpread } of factors)
    if (active) expect(backgroundSpread).toBeLessThan(0.4 * targetSpread);
  expect(clusters?.clusters).toHaveLength(2);
  const [first, second] = clusters?.labels?.counts ?? [];
  expect(Math.max(first[0], first[1]) + Math.max(second[0], second[1])).toBeGreaterThan(76);
  const [strongest] = columns ?? [];
  expect(
    strongest.columns
      .slice(0, 3)
      .map(({ column }) => column)
      .sort(),
  ).toEqual(['d', 'e', 'f']);
  const moved = new Map(strongest.columns.map(({ column, effect }) => [column, effect]));
  expect(Math.sign(moved.get('d') ?? 0)).toBe(-Math.sign(moved.get('e') ?? 0));
  // The kinds are 30 apart in the columns’ own units (80 rows are held out), and one factor however many dimensions hold it.
  expect(columns).toHaveLength(1);
  for (const { from, to } of strongest.columns.slice(0, 3)) expect(Math.abs(Math.abs(to - from) - 30)).toBeLessThan(9);
  // Of three columns more, one may seem to move at a rate of false discoveries of 5 %.
  expect(strongest.columns.filter(({ found }) => found).length).toBeLessThanOrEqual(4);
  expect(strongest.columns.slice(0, 3).every(({ found }) => found)).toBe(true);
  expect(strongest.columns[0].quantiles?.target).toHaveLength(3);
  expect(leakage.probes[0]).toMatchObject({ target: 'label' });
  expect(leakage.probes[0].salient).toBeGreaterThan(0.9);
  expect(leakage.w2?.withinTarget).toBeGreaterThan(0);

  const csv = (await readFile(files[2], 'utf8')).trim().split('\n');
  expect(csv[0]).toBe('role,item,part,set,kind,salience,cluster,s[0],s[1],s[2],s[3]');
  expect(csv).toHaveLength(801);
  const page = await readFile(files[0], 'utf8');
  expect(page).toContain('Yes: the target holds something that the background lacks.');
  expect(page).not.toMatch(/<script|https?:\/\//);
}, 60_000);

test('equal piles: the report says that nothing was found', async () => {
  const { verdict, factors, clusters, columns, salience, files } = await reportOn(
    await trained('equal', 'plain', 'same'),
  );
  expect([clusters, columns, salience]).toEqual([undefined, undefined, undefined]);
  const page = await readFile(files[0], 'utf8');
  expect(page).not.toContain('clusters');
  expect(page).not.toContain('most salient');
  expect(verdict.found).toBe('nothing');
  expect(verdict.salient.pValue).toBeGreaterThan(0.01);
  expect(verdict.sentences[0]).toBe('Nothing was found that the target holds and the background lacks.');
  expect(factors.filter(({ active }) => active)).toEqual([]);
}, 60_000);

test('swapped roles: the report says that it is the background that holds more', async () => {
  const { verdict } = await reportOn(await trained('swapped', 'plain', 'rich'));
  expect(verdict.found).toBe('swapped');
  expect(verdict.richness.background).toBeGreaterThan(10 * verdict.richness.target);
  expect(verdict.sentences[0]).toContain('The roles may be swapped.');
}, 60_000);

test('fifty background rows are enough for a strong difference, and the report says how few are held out', async () => {
  const { verdict } = await reportOn(await trained('few', 'rich', 'few'));
  expect(verdict.found).toBe('difference');
  expect(verdict.items.background).toBe(10);
  expect(verdict.sentences.at(-1)).toContain('With 10 held-out items');
}, 60_000);

test('of images the page has every picture inside, in light and in dark, and asks for nothing else', async () => {
  const { run } = await prepareRun({
    method: 'contrastive-correct',
    data: 'shapes-contrast',
    choice: { size: 16 },
    set: ['steps=60', 'network=mlp', 'validateEvery=0'],
    workers: 1,
    root,
    name: 'shapes',
  });
  await trainRun(run);
  const { files, kind, columns } = await reportOn(run);
  expect([kind, columns]).toEqual(['image', undefined]);
  const page = await readFile(files[0], 'utf8');
  const pictures = [...page.matchAll(/src="data:image\/svg\+xml;base64,([^"]+)" [^>]*alt="([^"]+)"/g)];
  // Two maps of codes, clusters, traversal, swap, transfer, synthesis, salience.
  expect(pictures).toHaveLength(8);
  for (const [, data] of pictures) expect(atob(data)).toContain('prefers-color-scheme:dark');
  const executable = chromium();
  if (executable === undefined) return;
  const browser = await openBrowser(executable);
  try {
    for (const [width, colours] of [
      [1280, 'light'],
      [390, 'dark'],
    ] as const) {
      await browser.look(width, 900, colours);
      await browser.goto(`file://${files[0]}`);
      expect(await browser.evaluate('[...document.images].every((one) => one.complete && one.naturalWidth > 50)')).toBe(
        true,
      );
      expect(await browser.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    }
    expect(browser.errors).toEqual([]);
    expect(browser.requests.filter((url) => !url.startsWith('data:') && !url.startsWith('file:'))).toEqual([]);
  } finally {
    await browser.close();
  }
}, 60_000);

test('a run of a method without a salient block gets a sentence that names methods with one', async () => {
  const { run } = await prepareRun({
    method: 'vae',
    data: 'shapes',
    set: ['steps=2', 'network=mlp'],
    workers: 1,
    root,
    name: 'plain',
  });
  await trainRun(run);
  await expect(contrast(run.folder, { seed: 1 })).rejects.toThrow(/vae, which has no salient block/);
  await expect(contrast(run.folder, { seed: 1 })).rejects.toMatchObject({
    hint: expect.stringContaining('contrastive-w2'),
  });
}, 60_000);

test('contrastive PCA sets the target’s kinds further apart than PCA, in directions that the background hardly varies in', async () => {
  const flags = {
    data: join(root, 'two.csv'),
    where: 'set = rich',
    backgroundWhere: 'set = plain',
    label: 'kind',
    out: join(root, 'linear'),
  };
  const { models, files } = await printed<LinearReport & { files: string[] }>(() =>
    cpca({ ...flags, alphas: [0, 10], json: true }),
  );
  expect(models.map(({ alpha }) => alpha)).toEqual([0, 10]);
  expect(models[1].labels).toBeGreaterThan((models[0].labels ?? 1) + 0.3);
  expect(models[1].target[0] / models[1].background[0]).toBeGreaterThan(20);
  expect((await readFile(files[2], 'utf8')).split('\n')[0]).toBe(
    'item,label,alpha 0 direction 1,alpha 0 direction 2,alpha 10 direction 1,alpha 10 direction 2',
  );
  await expect(cpca({ ...flags, backgroundWhere: 'set = nobody' })).rejects.toThrow(/nobody/);
  await expect(cpca({ data: flags.data, out: flags.out })).rejects.toThrow(/is one set/);
});

test('contrastive PCA in the space of a kernel parts two rings, which no direction of the columns does', async () => {
  const noise = stream(4, 'rings');
  const rows = ['x,y,noise,set,ring'];
  for (let i = 0; i < 240; i++) {
    const isRing = i < 120;
    const [radius, turn] = [isRing ? 1 + 2 * (i % 2) : 0, 2 * Math.PI * noise.uniform()];
    const place = [radius * Math.cos(turn), radius * Math.sin(turn)].map((value) => value + 0.2 * noise.normal());
    rows.push([...place, 0.3 * noise.normal(), isRing ? 'rings' : 'middle', i % 2 ? 'large' : 'small'].join(','));
  }
  await writeFile(join(root, 'rings.csv'), rows.join('\n'));
  const withKernel = (kernel?: 'rbf') =>
    printed<LinearReport>(() =>
      cpca({
        data: join(root, 'rings.csv'),
        where: 'set = rings',
        backgroundWhere: 'set = middle',
        label: 'ring',
        alphas: [10],
        out: join(root, 'rings'),
        json: true,
        kernel,
      }),
    );
  const [straight, curved] = [await withKernel(), await withKernel('rbf')];
  expect(straight.models[0].labels).toBeLessThan(0.2);
  expect(curved.models[0].labels).toBeGreaterThan(0.4);
  expect(straight.models[0].loadings).toHaveLength(3);
  expect(curved.models[0].loadings).toBeUndefined();
});

test('contrastive PCA of a table with categories finds directions in which the target varies, and no rounding noise', async () => {
  const noise = stream(4, 'rows with categories');
  const rows = ['x,y,site,colour,set'];
  for (let i = 0; i < 200; i++) {
    const wide = i < 100 ? 2 : 1;
    const [site, colour] = [['Bonn', 'Ulm', 'Kiel'][noise.integer(3)], ['red', 'blue'][noise.integer(2)]];
    rows.push(`${wide * noise.normal()},${noise.normal()},${site},${colour},${i < 100 ? 'new' : 'old'}`);
  }
  await writeFile(join(root, 'categories.csv'), rows.join('\n'));
  const { models } = await printed<LinearReport>(() =>
    cpca({
      data: join(root, 'categories.csv'),
      where: 'set = new',
      backgroundWhere: 'set = old',
      out: join(root, 'categories'),
      json: true,
    }),
  );
  for (const { target, loadings } of models) {
    for (const variance of target) expect(variance).toBeGreaterThan(0.01);
    // The most frequent level of each category is left out: it follows from the others.
    expect(loadings).toHaveLength(5);
  }
});

test('the contrastive latent variable model tells what the target adds, with numbers missing, and how sure each item is', async () => {
  const noise = stream(5, 'rows with gaps');
  const rows = ['a,b,c,d,set,kind'];
  for (let i = 0; i < 300; i++) {
    const isNew = i < 150;
    const [common, own] = [2 * noise.normal(), isNew ? 2 * Math.sign(noise.normal()) : 0];
    const cells = [common + own, common - own, own, common].map((value) =>
      noise.uniform() < 0.1 ? '' : String(value + 0.3 * noise.normal()),
    );
    rows.push([...cells, isNew ? 'new' : 'old', own > 0 ? 'up' : 'down'].join(','));
  }
  await writeFile(join(root, 'gaps.csv'), rows.join('\n'));
  const flags = {
    data: join(root, 'gaps.csv'),
    where: 'set = new',
    backgroundWhere: 'set = old',
    label: 'kind',
    out: join(root, 'latent'),
    shared: 1,
  };
  const { directions, data, labels, converged, files } = await printed<LatentReport & { files: string[] }>(() =>
    fitClvm({ ...flags, salient: 2, relevance: true, json: true }),
  );
  expect(converged).toBe(true);
  expect(data.target.missing).toBeGreaterThan(20);
  expect(labels).toBeGreaterThan(0.4);
  // One direction is needed: a and c go with it, b against it, d not at all.
  expect(directions[1].variance).toBeLessThan(0.05 * directions[0].variance);
  const weights = Object.fromEntries((directions[0].loadings ?? []).map(({ column, weight }) => [column, weight]));
  expect(weights.a * weights.c).toBeGreaterThan(0);
  expect(weights.a * weights.b).toBeLessThan(0);
  expect(Math.abs(weights.d)).toBeLessThan(0.2 * Math.abs(weights.c));
  const [head, ...lines] = (await readFile(files[2], 'utf8')).trim().split('\n');
  expect(head).toBe(
    'item,label,salient 1,salient 1 deviation,salient 2,salient 2 deviation,shared 1,shared 1 deviation,weight,log-likelihood',
  );
  expect(lines.length).toBe(150);
  expect(await readFile(files[0], 'utf8')).toContain('are left out, not filled in');
  await expect(fitClvm({ data: flags.data, out: flags.out })).rejects.toThrow(/is one set/);
});
