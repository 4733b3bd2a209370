import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { crc32c, eventFrame, openEvents } from './tensorboard.ts';

const fixture: { wallTime: number; scalars: Record<string, number>; png: string; events: string[] } = JSON.parse(
  readFileSync(join(import.meta.dirname, 'fixtures', 'tensorboard.json'), 'utf8'),
);

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'untangle-events-'));
});
afterEach(() => {
  vi.useRealTimers();
  rmSync(folder, { recursive: true, force: true });
});

/** CRC-32C bit by bit, from the polynomial's definition: nothing of the writer's table. */
function slowCrc(bytes: Uint8Array): number {
  let crc = 0xffffffffn;
  for (const byte of bytes) {
    crc ^= BigInt(byte);
    for (let bit = 0; bit < 8; bit++) crc = (crc >> 1n) ^ (crc & 1n ? 0x82f63b78n : 0n);
  }
  return Number(crc ^ 0xffffffffn);
}

/** The messages of an event file; fails where a length or a checksum is wrong. */
function recordsOf(path: string): string[] {
  const bytes = readFileSync(path);
  const unmasked = (at: number) => {
    const turned = (bytes.readUInt32LE(at) - 0xa282ead8) >>> 0;
    return ((turned >>> 17) | (turned << 15)) >>> 0;
  };
  const records: string[] = [];
  for (let at = 0; at < bytes.length; ) {
    const length = Number(bytes.readBigUInt64LE(at));
    const body = bytes.subarray(at + 12, at + 12 + length);
    expect(unmasked(at + 8)).toBe(slowCrc(bytes.subarray(at, at + 8)));
    expect(unmasked(at + 12 + length)).toBe(slowCrc(body));
    records.push(body.toString('hex'));
    at += length + 16;
  }
  return records;
}

test('the checksum is CRC-32C', () => {
  // The vectors of RFC 3720, appendix B.4, and the check value of the Rocksoft model.
  const bytes = (make: (i: number) => number) => Uint8Array.from({ length: 32 }, (_, i) => make(i));
  expect(crc32c(bytes(() => 0))).toBe(0x8a9136aa);
  expect(crc32c(bytes(() => 0xff))).toBe(0x62a8ab43);
  expect(crc32c(bytes((i) => i))).toBe(0x46dd794e);
  expect(crc32c(bytes((i) => 31 - i))).toBe(0x113fdb5c);
  expect(crc32c(new TextEncoder().encode('123456789'))).toBe(0xe3069283);
  expect(crc32c(new Uint8Array(0))).toBe(0);
});

test('the messages are, byte for byte, those that protocol buffers for Python write', () => {
  vi.useFakeTimers({ now: fixture.wallTime * 1000, toFake: ['Date'] });
  const events = openEvents(folder, 501);
  events.scalars(600, fixture.scalars);
  events.image(5_000_000_000, 'samples', Buffer.from(fixture.png, 'hex'));
  events.close();
  expect(recordsOf(events.path)).toEqual(fixture.events);
});

test('a file has the name that TensorBoard looks for, and never overwrites another', () => {
  vi.useFakeTimers({ now: 1_767_225_600_250, toFake: ['Date'] });
  const paths = [0, 1].map(() => {
    const events = openEvents(folder);
    events.close();
    return basename(events.path);
  });
  expect(paths[0]).toMatch(/^events\.out\.tfevents\.1767225600\..+\.\d+\.0$/);
  expect(paths[1]).toBe(paths[0].replace(/0$/, '1'));
  expect(readdirSync(folder).sort()).toEqual(paths);
});

test('a number that 32 bits can’t hold, or that is none, does not stop the run', () => {
  const events = openEvents(folder);
  events.scalars(1, { huge: 1e300, none: Number.NaN, low: -Infinity });
  events.close();
  const float = (value: number) => {
    const bytes = Buffer.alloc(4);
    bytes.writeFloatLE(value);
    return bytes.toString('hex');
  };
  const record = recordsOf(events.path)[1];
  for (const value of [Infinity, Number.NaN, -Infinity]) expect(record).toContain(`15${float(value)}`);
});

test('an image that is not a PNG is refused', () => {
  const events = openEvents(folder);
  expect(() => events.image(1, 'x', new Uint8Array(100))).toThrow('must be a PNG file');
  events.close();
  expect(recordsOf(events.path).length).toBe(1);
});

test('a frame costs 16 bytes', () => {
  expect(eventFrame(new Uint8Array(5)).length).toBe(21);
});
