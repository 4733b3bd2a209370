import { appendFile, mkdtemp, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { linesAt, offsetAfter, sampledLines, thinnedLog } from './log-lines.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'untangle-lines-'));
});
afterAll(() => rm(folder, { recursive: true }));

/** A log of `count` lines, step 10, 20 …, with held-out terms at every 500th step, and a torn line at its end. */
async function logOf(count: number, name = `${count}.jsonl`): Promise<string> {
  const lines = Array.from({ length: count }, (_, i) => lineAt(10 * (i + 1)));
  const path = join(folder, name);
  await writeFile(path, `${lines.join('')}{"step":99999999,"epo`);
  return path;
}

function lineAt(step: number): string {
  const validation = step % 500 === 0 ? { validation: { loss: 2 * step } } : {};
  return `${JSON.stringify({ step, epoch: step / 100, seconds: step, terms: { loss: 1000 / step }, ...validation })}\n`;
}

const steps = (lines: { step: number }[]) => lines.map(({ step }) => step);

test.each([3, 60, 400, 20_000])('a small curve of a log of %i lines begins and ends with it', async (count) => {
  const lines = await sampledLines(await logOf(count), 60);
  const found = steps(lines);
  expect(found.length).toBeLessThanOrEqual(60);
  expect(found.length).toBeGreaterThanOrEqual(Math.min(count, 55));
  expect([found[0], found.at(-1)]).toEqual([10, 10 * count]);
  expect(found).toEqual([...found].sort((a, b) => a - b));
  expect(lines.every(({ step, terms }) => terms.loss === 1000 / step)).toBe(true);
  const gaps = found.slice(1).map((step, i) => step - found[i]);
  expect(Math.max(...gaps)).toBeLessThanOrEqual(10 * Math.max(1, Math.ceil((1.3 * count) / 55)));
});

test('a log is thinned to 1500 lines that keep the first, the last and every held-out one', async () => {
  const found = await thinnedLog(await logOf(20_000), 1500);
  expect(found.length).toBeLessThanOrEqual(1500);
  expect(found.length).toBeGreaterThan(1400);
  expect([found[0].step, found.at(-1)?.step]).toEqual([10, 200_000]);
  expect(found.filter(({ validation }) => validation).length).toBe(400);
  expect(steps(await thinnedLog(await logOf(1500), 1500)).length).toBe(1500);
});

test.each([0, 5, 10, 12_345, 99_990, 199_990, 200_000, 1e9])(
  'lines after step %d are found without reading all',
  async (after) => {
    const path = await logOf(20_000);
    const offset = await offsetAfter(path, after);
    const first = (await linesAt(path, offset)).lines.find(({ step }) => step > after)?.step;
    expect(first).toBe(after >= 200_000 ? undefined : 10 * (Math.floor(after / 10) + 1));
  },
);

test('following a log sees whole lines alone, and a log that was cut goes on from the cut', async () => {
  const path = join(folder, 'followed.jsonl');
  await writeFile(path, lineAt(10) + lineAt(20));
  const first = await linesAt(path, 0);
  expect(steps(first.lines)).toEqual([10, 20]);
  const third = lineAt(30);
  await appendFile(path, third.slice(0, 20));
  const second = await linesAt(path, first.end);
  expect([second.lines, second.end]).toEqual([[], first.end]);
  await appendFile(path, third.slice(20));
  const whole = await linesAt(path, second.end);
  expect(steps(whole.lines)).toEqual([30]);
  await truncate(path, lineAt(10).length);
  const cut = await linesAt(path, whole.end);
  expect(cut.lines).toEqual([]);
  await appendFile(path, lineAt(15));
  expect(steps((await linesAt(path, cut.end)).lines)).toEqual([15]);
});

test('damage, emptiness and absence give no lines and no trouble', async () => {
  const path = join(folder, 'damaged.jsonl');
  await writeFile(path, Buffer.concat([Buffer.alloc(3_000_000, 7), Buffer.from(`\n${lineAt(10)}`)]));
  expect(steps(await thinnedLog(path, 1500))).toEqual([10]);
  expect(steps(await sampledLines(path, 60))).toEqual([10]);
  expect(await offsetAfter(path, 5)).toBeGreaterThanOrEqual(0);
  let [offset, found] = [0, 0];
  for (let look = 0; look < 10; look++) {
    const { lines, end } = await linesAt(path, offset);
    [offset, found] = [end, found + lines.length];
  }
  expect(found).toBe(1);
  await writeFile(path, '');
  expect(await thinnedLog(path, 10)).toEqual([]);
  expect(await sampledLines(join(folder, 'nothing.jsonl'), 60)).toEqual([]);
  expect(await sampledLines(folder, 60)).toEqual([]);
});
