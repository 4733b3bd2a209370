import { expect, test } from 'vitest';
import { openTable } from './index.ts';
import { itemName } from './item-names.ts';
import { filled } from './testing/pictures.ts';

test('an item is called by the id column that the model does not see', async () => {
  const rows = ['m-7,1,a', 'm-9,3,b', 'm-12,2,a', 'm-13,5,b'];
  const folder = filled({ 't.csv': `mouse,x,kind\n${rows.join('\n')}\n`, 'u.csv': 'x,kind\n1,a\n3,b\n3,a\n' });
  const data = await openTable(`${folder}/t.csv`);
  expect([0, 3].map((item) => itemName(data, item))).toEqual(['m-7', 'm-13']);
  expect(itemName(await openTable(`${folder}/u.csv`), 0)).toBeUndefined();
});
