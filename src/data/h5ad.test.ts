import { execFileSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { chooseData } from './choose.ts';
import { fieldsOf } from './fields.ts';
import { addToH5ad } from './formats/h5ad.ts';
import { openH5ad } from './h5ad.ts';
import { itemName } from './item-names.ts';
import { allRows } from './tables/transformation.ts';

/** Written by tools/fixtures_h5ad.py with h5py. */
const fixture = (name: string) => fileURLToPath(new URL(`fixtures/${name}`, import.meta.url));
const cells = 14;
let folder: string;
let known: { counts: number[][]; logs: number[][] };
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'untangle-h5ad-'));
  known = JSON.parse(await readFile(fixture('cells.json'), 'utf8'));
});
afterAll(() => rm(folder, { recursive: true }));

test.each(['csr', 'csc', 'dense'])('a matrix that is %s comes back with what is known of its cells', async (kind) => {
  const data = await openH5ad(fixture(`cells-${kind}.h5ad`));
  // The fifth gene is the same in every cell.
  expect(data.shape).toEqual({ kind: 'table', columns: [0, 1, 2, 3, 5].map((j) => `gene ${j}`) });
  expect(data.transformation.columns.every((column) => column.kind === 'number' && column.counts)).toBe(true);
  const rows = data.gather(allRows({ rows: cells }));
  for (let i = 0; i < cells; i++)
    for (const [k, j] of [0, 1, 2, 3, 5].entries()) {
      const column = data.transformation.columns[k];
      if (column.kind !== 'number') throw new Error('genes are numbers');
      expect(rows[i * 5 + k] * column.deviation + column.mean).toBeCloseTo(known.counts[i][j], 5);
    }
  const value = (name: string, item: number) => {
    const field = fieldsOf(data).find((one) => one.name === name);
    return field?.kind === 'text' ? field.categories[field.at(item)] : field?.at(item);
  };
  expect([0, 1, 2, 3].map((item) => value('batch', item))).toEqual(['one', 'three', 'two', undefined]);
  expect([4, 5].map((item) => value('dose', item))).toEqual([2, Number.NaN]);
  expect([0, 1].map((item) => value('good', item))).toEqual([1, 0]);
  expect([1, 2].map((item) => value('age', item))).toEqual([21, Number.NaN]);
  expect(itemName(data, 13)).toBe('cell 13');
});

test('a layer that holds no counts is a table like any other, and one that is not there is refused by name', async () => {
  const data = await openH5ad(fixture('cells-csc.h5ad'), { layer: 'log' });
  const [column] = data.transformation.columns;
  if (column.kind !== 'number') throw new Error('genes are numbers');
  expect(column.counts).toBeUndefined();
  expect(data.gather([3])[0] * column.deviation + column.mean).toBeCloseTo(known.logs[3][0], 5);
  await expect(openH5ad(fixture('cells-csc.h5ad'), { layer: 'raw' })).rejects.toThrow('has no layer “raw”');
  await expect(openH5ad(fixture('cells-csc.h5ad'), { layer: 'log', counts: ['all'] })).rejects.toThrow(
    'said to hold counts',
  );
});

test('cells are parted by what is known of them, and batches are given', async () => {
  const choice = { where: 'good = 1', backgroundWhere: 'good = 0', given: ['batch'] };
  const { opened } = await chooseData(fixture('cells-csr.h5ad'), choice);
  if (opened.kind === 'single') throw new Error('two piles');
  expect([opened.target.length, opened.background.length]).toEqual([7, 7]);
  expect(opened.target.given?.covariates).toMatchObject([{ name: 'batch', categories: ['one', 'three', 'two'] }]);
});

test('codes go into a copy where h5py finds them, beside all that was there', async () => {
  const out = join(folder, 'coded.h5ad');
  const codes = Float32Array.from({ length: cells * 2 }, (_, i) => i / 4);
  await addToH5ad(fixture('cells-csr.h5ad'), out, {
    obsm: { untangle_z: { width: 2, values: codes } },
    varm: { untangle_z: { width: 2, values: Float32Array.of(1, 2, 3, 4) } },
    genes: ['gene 5', 'gene 0'],
  });
  const script = `
import h5py, json, sys
with h5py.File(sys.argv[1]) as f:
    z = f["obsm/untangle_z"]
    print(json.dumps({"z": z[:].tolist(), "type": [z.attrs["encoding-type"], f["obsm"].attrs["encoding-type"]],
      "varm": [[None if v != v else v for v in row] for row in f["varm/untangle_z"][:].tolist()],
      "keys": sorted(f.keys()), "x": f["X/data"][:].tolist(), "names": [t.decode() for t in f["obs/_index"][:2]]}))`;
  const read = JSON.parse(execFileSync('/usr/bin/python3', ['-c', script, out], { encoding: 'utf8' }));
  expect(read.z.flat()).toEqual([...codes]);
  expect(read.type).toEqual(['array', 'dict']);
  expect(read.varm).toEqual([
    [3, 4],
    [null, null],
    [null, null],
    [null, null],
    [null, null],
    [1, 2],
  ]);
  expect(read.keys).toEqual(['X', 'layers', 'obs', 'obsm', 'var', 'varm']);
  expect(read.x).toEqual(known.counts.flat().filter((value) => value !== 0));
  expect(read.names).toEqual(['cell 0', 'cell 1']);
  await expect(
    addToH5ad(out, join(folder, 'twice.h5ad'), {
      obsm: { untangle_z: { width: 2, values: codes } },
      varm: {},
      genes: [],
    }),
  ).rejects.toThrow('already');
});

test('a damaged file is a sentence', async () => {
  const path = join(folder, 'broken.h5ad');
  const bytes = await readFile(fixture('cells-csr.h5ad'));
  await writeFile(path, bytes.subarray(0, 3000));
  await expect(openH5ad(path)).rejects.toThrow(/can’t be read as AnnData|damaged/);
});
