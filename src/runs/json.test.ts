import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { fromJson, parseJson, readJson, toJson, writeJson } from './json.ts';

test('numbers that JSON lacks are written readably and come back', () => {
  const text = toJson({ a: Number.NaN, b: [Number.POSITIVE_INFINITY], c: { d: Number.NEGATIVE_INFINITY }, e: 0.1 });
  expect(text).toBe('{"a":"NaN","b":["Infinity"],"c":{"d":"-Infinity"},"e":0.1}');
  expect(fromJson(text)).toEqual({ a: Number.NaN, b: [Infinity], c: { d: -Infinity }, e: 0.1 });
});

test('every number comes back exactly, as resuming needs it', () => {
  fc.assert(
    fc.property(fc.double(), (number) => {
      expect(fromJson(toJson([number]))).toEqual([number]);
    }),
  );
});

test('a file that does not fit its schema is named with the place that is wrong', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'untangle-json-'));
  const path = join(folder, 'a.json');
  const schema = z.object({ data: z.object({ seed: z.int() }) });
  await writeJson(path, { data: { seed: 3 } });
  expect(await readJson(path, schema)).toEqual({ data: { seed: 3 } });
  await writeJson(path, { data: { seed: 'x' } });
  await expect(readJson(path, schema)).rejects.toThrow('a.json” does not fit: “data.seed”: Invalid input');
  writeFileSync(path, '{"data": {"se');
  await expect(readJson(path, schema)).rejects.toThrow('a.json” is not a JSON file.');
  expect(await readJson(join(folder, 'missing.json'), schema)).toBeUndefined();
  expect(() => parseJson(Uint8Array.of(0x22, 0xff, 0x22), 'b.json', z.string())).toThrow(
    '“b.json” is not a JSON file.',
  );
  rmSync(folder, { recursive: true });
});
