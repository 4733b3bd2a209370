import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { chooseData } from './choose.ts';
import { heldOut, splitOf } from './split.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'untangle-design-'));
  const rows = Array.from({ length: 240 }, (_, i) => {
    const mouse = Math.floor(i / 10);
    // Mice 0 … 3 were measured before and after, the others in one pile alone.
    const pile = mouse < 4 ? ['new', 'old'][i % 2] : mouse % 2 ? 'new' : 'old';
    return [(i * 7919) % 101, (i * 31) % 17, `${mouse}_${i % 10}`, mouse, `batch ${mouse % 3}`, pile].join(',');
  });
  await writeFile(join(folder, 'mice.csv'), ['a,b,id,mouse,batch,pile', ...rows].join('\n'));
});
afterAll(() => rm(folder, { recursive: true }));

const choice = { where: 'pile = new', backgroundWhere: 'pile = old' };

test.each(['mouse', 'id before _'])(
  'rows of a group by “%s” keep together in every split, in both piles',
  async (group) => {
    const { opened, warnings } = await chooseData(join(folder, 'mice.csv'), { ...choice, group, within: 'batch' });
    expect(warnings).toEqual([]);
    if (opened.kind === 'single') throw new Error('two piles');
    const { target, background } = opened;
    const parts = [target, background].map((data) => {
      const split = splitOf(data, { seed: 3 });
      expect(split.train.length + heldOut(split).length).toBe(data.length);
      return { train: split.train, held: heldOut(split), groups: data.groups?.values ?? [] };
    });
    const groupsIn = (name: 'train' | 'held') =>
      new Set(parts.flatMap((one) => Array.from(one[name], (item) => one.groups[item])));
    const trained = groupsIn('train');
    expect([...groupsIn('held')].filter((one) => trained.has(one))).toEqual([]);
    expect(target.groups?.shared.size).toBe(4);
    for (const { held } of parts) expect(held.length).toBeGreaterThan(0);
    expect(new Set(target.strata?.values).size).toBe(3);
    // Neither column is one that the model sees.
    expect(target.shape).toMatchObject({
      columns: group === 'mouse' ? expect.not.arrayContaining(['mouse', 'batch=batch 0']) : expect.anything(),
    });
  },
);

test('a column with a value of its own in each row is said to group nothing, and an unknown one is refused', async () => {
  const path = join(folder, 'mice.csv');
  const { warnings } = await chooseData(path, { ...choice, group: 'id' });
  expect(warnings[0]).toContain('--group "id before _"');
  await expect(chooseData(path, { ...choice, group: 'mose' })).rejects.toThrow(/mose/);
  const one = await chooseData(path, { ...choice, group: 'pile' });
  expect(one.warnings[0]).toContain('has one group by pile');
});
