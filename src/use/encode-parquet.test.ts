import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readTable } from '../data/index.ts';
import { handMadeRun } from '../runs/testing/hand-made.ts';
import { readInputs } from './arrays.ts';
import { encodeToFile } from './encode.ts';

test('codes as .parquet are the codes as .csv, with what else is known beside them', async () => {
  const root = mkdtempSync(join(tmpdir(), 'untangle-parquet-'));
  try {
    const run = await handMadeRun(root);
    const request = { data: 'shapes', part: 'validation' } as const;
    await encodeToFile(run, join(root, 'codes.parquet'), request);
    await encodeToFile(run, join(root, 'codes.csv'), request);
    const [parquet, csv] = await Promise.all([
      readInputs({ codes: join(root, 'codes.parquet') }),
      readInputs({ codes: join(root, 'codes.csv') }),
    ]);
    expect(csv.codes?.n).toBeGreaterThan(100);
    const rounded = (values: ArrayLike<number> = []) => Array.from(values, Math.fround);
    expect(rounded(parquet.codes?.values)).toEqual(rounded(csv.codes?.values));
    const names = async (path: string) => (await readTable(path)).columns.map(({ name }) => name);
    expect(await names(join(root, 'codes.factors.parquet'))).toEqual(await names(join(root, 'codes.factors.csv')));
  } finally {
    rmSync(root, { recursive: true });
  }
});
