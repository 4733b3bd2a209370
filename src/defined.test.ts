import { expect, expectTypeOf, test } from 'vitest';
import { defined } from './defined.ts';

test('undefined properties are left out; false, zero, null and empty text stay', () => {
  const given = { a: undefined, b: 0, c: false, d: null, e: '', f: [] };
  expect(Object.keys(defined(given))).toEqual(['b', 'c', 'd', 'e', 'f']);
  const seed: number | undefined = undefined;
  expect({ seed: 1, ...defined({ seed }) }).toEqual({ seed: 1 });
});

test('what may be undefined may be absent, and is never undefined where it is there', () => {
  const some: { name: string; size: number | undefined; crop?: boolean } = { name: 'a', size: undefined };
  const left = defined(some);
  expectTypeOf(left.name).toEqualTypeOf<string>();
  expectTypeOf({ size: 3, ...left }.size).toEqualTypeOf<number>();
});
