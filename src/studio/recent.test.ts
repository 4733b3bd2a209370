import { expect, test } from 'vitest';
import { Recent } from './recent.ts';

test('a thing is made once, also when asked for twice at a time, and the one asked for longest ago goes first', async () => {
  const made: string[] = [];
  const recent = new Recent<string>(2);
  const get = (key: string) =>
    recent.get(key, async () => {
      made.push(key);
      return key.toUpperCase();
    });
  expect(await Promise.all([get('a'), get('a'), get('b')])).toEqual(['A', 'A', 'B']);
  await get('a');
  await get('c');
  await get('a');
  expect(made).toEqual(['a', 'b', 'c']);
  await get('b');
  expect(made).toEqual(['a', 'b', 'c', 'b']);
});

test('a failure is not kept', async () => {
  const recent = new Recent<number>(2);
  await expect(recent.get('a', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(await recent.get('a', async () => 1)).toBe(1);
});
