import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { contrastBetween } from '../conditions/contrast.ts';
import { newFolder } from '../testing/pictures.ts';
import { sharedData } from '../testing/shared-data.ts';
import { openTable } from './table.ts';
import { openTableContrast } from './table-contrast.ts';
import { decodeRows } from './transformation.ts';

const folder = newFolder();

function stored(text: string, name: string): string {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
}

const people = stored('group,x,y\nsick,1,5\nsick,3,1\nwell,5,2\nwell,7,0\nother,100,100\n', 'people.csv');

describe('one table', () => {
  test('is standardised by target and background together, and by nothing else', async () => {
    const { target, background, warnings } = await openTableContrast(people, {
      where: 'group = sick',
      backgroundWhere: 'group = well',
    });
    expect([target.length, background.length, warnings]).toEqual([2, 2, []]);
    expect(target.transformation).toEqual(background.transformation);
    expect(target.transformation.columns).toEqual([
      { kind: 'number', name: 'x', mean: 4, deviation: Math.sqrt(5), fill: 4 },
      { kind: 'number', name: 'y', mean: 2, deviation: Math.sqrt(3.5), fill: 1.5 },
    ]);
    const rows = decodeRows(background.transformation, background.gather([0, 1]));
    expect(rows.map(({ x, y }) => [Math.round(Number(x)), Math.round(Number(y))])).toEqual([
      [5, 2],
      [7, 0],
    ]);
  });

  test('keeps the columns that tell the parts apart from the model', async () => {
    const { target } = await openTableContrast(people, { backgroundWhere: 'GROUP = well' });
    expect(target.shape).toEqual({ kind: 'table', columns: ['x', 'y'] });
    expect(target.factors?.factors).toEqual([{ name: 'group', kind: 'discrete', size: 3 }]);
    expect(target.length).toBe(3);
  });

  test('an overlap is noticed', async () => {
    const { warnings } = await openTableContrast(people, { where: 'x < 7', backgroundWhere: 'group = well' });
    expect(warnings).toEqual(['1 of the 2 items in the background are in the target too.']);
  });
});

describe('two tables', () => {
  const sick = stored('x,site,class\n1,Bonn,a\n3,Aachen,b\n', 'sick.csv');

  test('share one transformation, and need not have their columns in one order', async () => {
    const well = stored('site,x\nKöln,5\nBonn,\n', 'well.csv');
    const { target, background } = await openTableContrast(sick, { background: well });
    expect(target.shape).toEqual({ kind: 'table', columns: ['x', 'site=Aachen', 'site=Bonn', 'site=Köln'] });
    expect(background.shape).toEqual(target.shape);
    expect(background.gather([1])).toEqual(Float32Array.of(0, 0, 1, 0));
    expect(target.labels?.names).toEqual(['a', 'b', 'missing']);
    expect([target.name, background.name]).toEqual(['sick target', 'well background']);
  });

  test('rows that are in both are noticed', async () => {
    const same = stored('x,site\n3,Aachen\n9,Bonn\n', 'same.csv');
    const { warnings } = await openTableContrast(sick, { background: same });
    expect(warnings).toEqual(['1 of the 2 items in the background are in the target too.']);
  });

  test('with other columns get a sentence with both shapes', async () => {
    const other = stored('x,site,weight,height\n1,Bonn,3,4\n', 'other.csv');
    await expect(openTableContrast(sick, { background: other })).rejects.toThrow(
      'sick.csv has 3 columns and other.csv 4; only one of them has weight, height.',
    );
    const { target } = await openTableContrast(sick, { background: other, exclude: ['weight', 'height'] });
    expect(target.shape).toEqual({ kind: 'table', columns: ['x', 'site=Aachen', 'site=Bonn'] });
  });

  test('with numbers here and texts there get a sentence', async () => {
    const texts = stored('x,site\nlow,Bonn\nhigh,Bonn\n', 'texts.csv');
    await expect(openTableContrast(sick, { background: texts })).rejects.toThrow(
      'The column x holds numbers in one of sick.csv and texts.csv, and texts in the other.',
    );
  });

  test('that were opened each by itself are refused', async () => {
    const [a, b] = [
      await openTable(people),
      await openTable(stored('group,x,y\nsick,9,5\nwell,3,2\nother,2,2\nsick,1,1\n', 'b.csv')),
    ];
    expect(() => contrastBetween(a, b)).toThrow('people and b were standardised each by itself.');
  });
});

const mice = sharedData('mice-protein');

test.skipIf(!mice)('the mice: 240 with Down syndrome against 270 controls, all on saline', async () => {
  const { target, background, warnings } = await openTableContrast(join(mice ?? '', 'Data_Cortex_Nuclear.csv'), {
    where: 'class in t-CS-s,t-SC-s',
    backgroundWhere: 'class in c-CS-s,c-SC-s',
    exclude: ['Genotype', 'Treatment', 'Behavior'],
  });
  expect([target.length, background.length, warnings]).toEqual([240, 270, []]);
  expect(target.shape.kind === 'table' && target.shape.columns.length).toBe(77);
  const sums = new Float64Array(77);
  for (const part of [target, background])
    for (let i = 0; i < part.length; i++) for (const [k, value] of part.gather([i]).entries()) sums[k] += value;
  const complete = target.transformation.columns.flatMap(({ name }, k) =>
    name in target.transformation.filled ? [] : [k],
  );
  expect(complete.length).toBeGreaterThan(20);
  for (const k of complete) expect(Math.abs(sums[k] / 510)).toBeLessThan(1e-6);
});
