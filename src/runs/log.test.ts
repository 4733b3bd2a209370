import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { checkLines, followLog, type LogLine, lastLine, openLog, readLog } from './log.ts';

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'untangle-log-'));
  path = join(folder, 'log.jsonl');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const lineAt = (step: number): LogLine => ({
  step,
  epoch: step / 100,
  seconds: step / 8,
  terms: { loss: 100 / (step + 1), 'KL of z': step },
  weights: { beta: 4 },
});

/** Logs every tenth step in (from, to], as a trainer that resumes at `from` does. */
function train(from: number, to: number) {
  const log = openLog(path, from);
  for (let step = from + 10; step <= to; step += 10) log.append(lineAt(step));
  log.sync();
  log.close();
}

const all = async (lines: AsyncIterable<LogLine>) => {
  const found: LogLine[] = [];
  for await (const line of lines) found.push(line);
  return found;
};

test('a line holds step, epoch, seconds and every term by name', () => {
  const log = openLog(path);
  log.append({ step: 1, epoch: 0.5, seconds: 2, terms: { loss: Number.NaN, KL: -Infinity }, validation: { loss: 3 } });
  log.close();
  // CRC-32 of the line without its last field, as Python's zlib.crc32 gives it.
  expect(readFileSync(path, 'utf8')).toBe(
    '{"step":1,"epoch":0.5,"seconds":2,"terms":{"loss":"NaN","KL":"-Infinity"},"validation":{"loss":3},"check":"2e900c25"}\n',
  );
  expect(lastLine(path)?.terms).toEqual({ loss: Number.NaN, KL: -Infinity });
});

test('the log of a run that was killed and resumed is that of one that was never stopped', () => {
  train(0, 200);
  const undisturbed = readFileSync(path);
  for (let killedAt = 0; killedAt <= undisturbed.length; killedAt += 37) {
    for (const checkpoint of [0, 40, 100, 200]) {
      writeFileSync(path, undisturbed.subarray(0, killedAt));
      // A checkpoint is written after the log up to its step is on the disk.
      if ((lastLine(path)?.step ?? 0) < checkpoint) continue;
      train(checkpoint, 200);
      expect(readFileSync(path).equals(undisturbed)).toBe(true);
    }
  }
});

test('a run that begins anew has an empty log', () => {
  train(-10, 50);
  openLog(path, -1).close();
  expect(readFileSync(path, 'utf8')).toBe('');
});

test('what a power cut leaves at the end is cut off', async () => {
  train(0, 30);
  const good = readFileSync(path, 'utf8');
  for (const rest of [
    '\0'.repeat(5000),
    '{"step":40',
    '\n\n',
    '{"step":40}\n',
    `${'x'.repeat(3_000_000)}\n`,
    'é\n\0',
  ]) {
    writeFileSync(path, good + rest);
    expect(lastLine(path)).toEqual(lineAt(30));
    expect(await all(readLog(path))).toEqual([lineAt(10), lineAt(20), lineAt(30)]);
    openLog(path).close();
    expect(readFileSync(path, 'utf8')).toBe(good);
  }
});

test('damage in the middle costs only the lines that it hit', async () => {
  train(0, 30);
  const lines = readFileSync(path, 'utf8').split('\n');
  for (const damaged of [
    'garbage',
    'y'.repeat(2_000_000),
    '[]',
    '{"step":20,"epoch":1,"seconds":1,"terms":{"a":"x"}}',
  ]) {
    writeFileSync(path, [lines[0], damaged, lines[2], ''].join('\n'));
    expect(await all(readLog(path))).toEqual([lineAt(10), lineAt(30)]);
  }
});

test('any bytes can stand in a log file', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.constantFrom('\n', '{', '}', '"step":1', '"', 'NaN', ',', '\0')), async (pieces) => {
      writeFileSync(path, pieces.join(''));
      expect(await all(readLog(path))).toEqual([]);
      openLog(path, 5).close();
      expect(readFileSync(path, 'utf8')).toBe('');
    }),
  );
});

test('a long log is read whole, and from its end', async () => {
  const log = openLog(path);
  for (let step = 1; step <= 5000; step++) log.append(lineAt(step));
  log.close();
  const lines = await all(readLog(path));
  expect(lines.length).toBe(5000);
  expect(lines[4321]).toEqual(lineAt(4322));
  expect(lastLine(path)).toEqual(lineAt(5000));
  openLog(path, 17).close();
  expect(lastLine(path)).toEqual(lineAt(17));
});

test('a log that is not there has no lines', async () => {
  expect(await all(readLog(path))).toEqual([]);
  expect(lastLine(path)).toBeUndefined();
});

test('a follower sees each new line once, also after a resume cut the log', async () => {
  const stop = new AbortController();
  const seen: number[] = [];
  const following = (async () => {
    for await (const line of followLog(path, stop.signal, 5)) seen.push(line.step);
  })();
  const until = async (count: number) => {
    for (let i = 0; seen.length < count && i < 500; i++) await sleep(5);
  };
  await sleep(15);
  train(0, 30);
  await until(3);
  appendFileSync(path, '{"step":40,"epoch":0.4,');
  await sleep(15);
  appendFileSync(path, '"seconds":5,"terms":{}}\n');
  await until(4);
  openLog(path, 20).close();
  await sleep(30);
  train(20, 40);
  await until(6);
  stop.abort();
  await following;
  expect(seen).toEqual([10, 20, 30, 40, 30, 40]);
});

test('a line of which a bit was flipped is left out, or says what it said', async () => {
  const log = openLog(path);
  for (const step of [1, 2, 3]) log.append({ step, epoch: 0, seconds: 0, terms: { loss: 100 + step } });
  log.close();
  const whole = readFileSync(path);
  const said = await all(readLog(path));
  const { damaged } = await checkLines(path);
  expect([said.length, damaged]).toEqual([3, 0]);
  for (let bit = 0; bit < 8 * whole.length; bit++) {
    const changed = Buffer.from(whole);
    changed[bit >> 3] ^= 1 << (bit & 7);
    writeFileSync(path, changed);
    for (const line of await all(readLog(path))) expect(said).toContainEqual(line);
  }
});
