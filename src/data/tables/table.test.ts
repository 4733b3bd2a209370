import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { select } from '../conditions/condition.ts';
import { writeParquet } from '../testing/parquet-write.ts';
import { newFolder } from '../testing/pictures.ts';
import { sharedData } from '../testing/shared-data.ts';
import { openTable } from './table.ts';
import { decodeRows } from './transformation.ts';

const folder = newFolder();

function stored(text: string | Uint8Array, name = 't.csv'): string {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
}

const csv = 'id,age,site,class\np1,10,Bonn,sick\np2,20,Aachen,well\np3,,Bonn,sick\np4,60,Bonn,\n';

describe('a table as a dataset', () => {
  test('has a row an item, the label apart, and notes on what was done', async () => {
    const data = await openTable(stored(csv));
    expect([data.name, data.length, data.range]).toEqual(['t', 4, 'real']);
    expect(data.shape).toEqual({ kind: 'table', columns: ['age', 'site=Aachen', 'site=Bonn'] });
    expect(data.labels).toEqual({ names: ['sick', 'well', 'missing'], values: Uint16Array.of(0, 1, 0, 2) });
    expect(data.notes).toEqual([
      'The column id was left out: it is an id, different in every row.',
      'Missing values that were filled in: 1, in 1 of the columns.',
    ]);
  });

  test('gathers its rows in any order', async () => {
    const data = await openTable(stored(csv));
    const rows = decodeRows(data.transformation, data.gather([3, 1, 2]));
    expect(rows.map(({ age, site }) => [Math.round(Number(age)), site])).toEqual([
      [60, 'Bonn'],
      [20, 'Aachen'],
      [20, 'Bonn'],
    ]);
    expect(() => data.gather([4])).toThrow('Item 4 of t was asked for; it has 4 items.');
  });

  test('columns that were excluded become factors, and can be asked about', async () => {
    const data = await openTable(stored(csv), { exclude: ['SITE'] });
    expect(data.shape).toEqual({ kind: 'table', columns: ['age'] });
    expect(data.factors).toEqual({
      factors: [{ name: 'site', kind: 'discrete', size: 2 }],
      values: Float32Array.of(1, 0, 1, 1),
    });
    expect([...select(data, 'site = Bonn and id != p1')]).toEqual([2, 3]);
    expect([...select(data, 'age >= 20')]).toEqual([1, 3]);
    expect([...select(data, 'label in sick')]).toEqual([0, 2]);
  });

  test('numbers can be labels', async () => {
    const data = await openTable(stored('x,y,digit\n1,2,10\n2,1,9\n3,3,10\n'), { label: 'digit' });
    expect(data.labels).toEqual({ names: ['9', '10'], values: Uint16Array.of(1, 0, 1) });
  });

  test('has one fingerprint for equal data, and another for other data', async () => {
    const first = (await openTable(stored(csv))).fingerprint;
    expect((await openTable(stored(csv, 'copy.csv'))).fingerprint).toBe(first);
    expect((await openTable(stored(csv.replace('60', '61')))).fingerprint).not.toBe(first);
    expect((await openTable(stored(csv.replace('well', 'sick')))).fingerprint).not.toBe(first);
  });

  test('a Parquet table with the same content is the same data', async () => {
    const parquet = writeParquet([
      { name: 'id', type: 'text', values: ['p1', 'p2', 'p3', 'p4'] },
      { name: 'age', type: 'double', values: [10, 20, null, 60] },
      { name: 'site', type: 'text', values: ['Bonn', 'Aachen', 'Bonn', 'Bonn'] },
      { name: 'class', type: 'text', values: ['sick', 'well', 'sick', null] },
    ]);
    const data = await openTable(stored(parquet, 't.parquet'));
    expect(data.fingerprint).toBe((await openTable(stored(csv))).fingerprint);
  });

  test('an unknown column gets the nearest name', async () => {
    await expect(openTable(stored(csv), { label: 'clas' })).rejects.toThrow('There is no column in t.csv “clas”.');
    await expect(openTable(stored(csv), { exclude: ['sites'] })).rejects.toMatchObject({
      hint: 'Did you mean “site”? Known: id, age, site, class.',
    });
  });

  test('a label of thousands of values gets a sentence', async () => {
    const rows = Array.from({ length: 1500 }, (_, i) => `${i},${i % 7}`).join('\n');
    await expect(openTable(stored(`name,x\n${rows}`), { label: 'name' })).rejects.toThrow(
      'The column name of t.csv has 1500 different values, too many for a label.',
    );
  });
});

const mice = sharedData('mice-protein');

test.skipIf(!mice)('the mice: 77 proteins, 1396 values filled in, eight classes', async () => {
  const data = await openTable(join(mice ?? '', 'Data_Cortex_Nuclear.csv'), {
    exclude: ['Genotype', 'Treatment', 'Behavior'],
  });
  expect(data.length).toBe(1080);
  expect(data.shape.kind === 'table' && data.shape.columns.length).toBe(77);
  expect(data.notes).toContain('Missing values that were filled in: 1396, in 49 of the columns.');
  expect(data.notes).toContain('The column MouseID was left out: it is an id, different in every row.');
  expect(data.labels?.names).toEqual(['c-CS-m', 'c-CS-s', 'c-SC-m', 'c-SC-s', 't-CS-m', 't-CS-s', 't-SC-m', 't-SC-s']);
  expect(select(data, 'class in t-CS-s,t-SC-s').length).toBe(105 + 135);
  expect(select(data, 'Genotype = Ts65Dn and Treatment = Saline').length).toBe(240);

  const values = data.gather(Uint32Array.from({ length: 1080 }, (_, i) => i));
  for (let k = 0; k < 77; k++) {
    let [sum, squares, known] = [0, 0, 0];
    const fill = data.transformation.columns[k];
    if (fill.kind !== 'number') throw new Error('a protein is a number');
    const filled = Math.fround((fill.fill - fill.mean) / fill.deviation);
    for (let i = 0; i < 1080; i++) {
      const value = values[i * 77 + k];
      if (value === filled && fill.name in data.transformation.filled) continue;
      sum += value;
      squares += value * value;
      known++;
    }
    expect(Math.abs(sum / known)).toBeLessThan(1e-3);
    expect(Math.abs(squares / known - 1)).toBeLessThan(2e-3);
  }
});
