import { crc32 } from 'node:zlib';
import { decode, decodeApng } from 'fast-png';
import { expect, test } from 'vitest';
import { encodeApng, encodeGif } from './animation.ts';
import type { Raster } from './image.ts';

/** A frame of 6 × 4 whose colours come from its number. */
function frame(seed: number, colours = 3): Raster {
  const data = new Uint8Array(6 * 4 * 4);
  for (let i = 0; i < 24; i++) data.set([(i * 37 * seed) % 256, seed * 10, (i % colours) * 7, 255], i * 4);
  return { width: 6, height: 4, data };
}

function chunks(png: Uint8Array) {
  const view = new DataView(png.buffer, png.byteOffset);
  const found: { kind: string; data: Uint8Array; crc: number; expected: number }[] = [];
  for (let at = 8; at < png.length; ) {
    const length = view.getUint32(at);
    const kind = Buffer.from(png.subarray(at + 4, at + 8)).toString('latin1');
    const expected = crc32(png.subarray(at + 4, at + 8 + length));
    found.push({ kind, data: png.subarray(at + 8, at + 8 + length), crc: view.getUint32(at + 8 + length), expected });
    at += length + 12;
  }
  return found;
}

test('an animated PNG gives back every frame, with its delay, and repeats for ever', () => {
  const frames = [frame(1), frame(2), frame(3)];
  const decoded = decodeApng(encodeApng(frames, 80));
  expect([decoded.width, decoded.height, decoded.numberOfFrames, decoded.numberOfPlays]).toEqual([6, 4, 3, 0]);
  decoded.frames.forEach((one, i) => {
    expect(one.delayNumber / one.delayDenominator).toBe(0.08);
    const rgb = [...frames[i].data].filter((_, k) => k % 4 !== 3);
    expect([...one.data]).toEqual(rgb);
  });
});

test('its chunks stand in the order of the specification, with right checksums and sequence numbers', () => {
  const found = chunks(encodeApng([frame(1), frame(2), frame(3)]));
  const kinds = ['IHDR', 'acTL', 'fcTL', 'IDAT', 'fcTL', 'fdAT', 'fcTL', 'fdAT', 'IEND'];
  expect(found.map(({ kind }) => kind)).toEqual(kinds);
  expect(found.map(({ crc }) => crc)).toEqual(found.map(({ expected }) => expected));
  const numbered = found.filter(({ kind }) => kind === 'fcTL' || kind === 'fdAT');
  const sequence = numbered.map(({ data }) => new DataView(data.buffer, data.byteOffset).getUint32(0));
  expect(sequence).toEqual([0, 1, 2, 3, 4]);
});

test('a viewer that knows only PNG sees the first frame', () => {
  const first = decode(encodeApng([frame(1), frame(2)]));
  expect([...first.data]).toEqual([...frame(1).data].filter((_, k) => k % 4 !== 3));
});

test('grey frames and a coloured one share the channels that the colours need', () => {
  const grey: Raster = { width: 1, height: 1, data: new Uint8Array([9, 9, 9, 255]) };
  const red: Raster = { width: 1, height: 1, data: new Uint8Array([200, 0, 0, 255]) };
  const decoded = decodeApng(encodeApng([grey, red]));
  expect(decoded.frames.map(({ data }) => [...data])).toEqual([
    [9, 9, 9],
    [200, 0, 0],
  ]);
});

test('a GIF has a header, its size, the loop for ever, a frame each and an end', () => {
  const gif = encodeGif([frame(1), frame(2), frame(3)], 80);
  const text = Buffer.from(gif).toString('latin1');
  expect(text.slice(0, 6)).toBe('GIF89a');
  expect([gif[6] + 256 * gif[7], gif[8] + 256 * gif[9]]).toEqual([6, 4]);
  expect(text).toContain('NETSCAPE2.0\x03\x01\x00\x00');
  // A graphic control extension before each frame: four bytes long, the delay in hundredths of a second.
  const controls = text.split('\x21\xf9\x04').slice(1);
  expect(controls.map((rest) => rest.charCodeAt(1) + 256 * rest.charCodeAt(2))).toEqual([8, 8, 8]);
  expect(gif[gif.length - 1]).toBe(0x3b);
});

test('few colours stay exact in a GIF, and many are brought down to its palette', () => {
  const exact = encodeGif([frame(1)]);
  const table = Buffer.from(exact.subarray(13, 13 + 256 * 3))
    .toString('hex')
    .match(/.{6}/g);
  for (let i = 0; i < 24; i++) {
    const colour = Buffer.from(frame(1).data.subarray(i * 4, i * 4 + 3)).toString('hex');
    expect(table).toContain(colour);
  }
  const data = new Uint8Array(64 * 64 * 4).map((_, i) => (i % 4 === 3 ? 255 : (i * i * 31 + i * 7) % 256));
  const many = encodeGif([{ width: 64, height: 64, data }]);
  expect(many[many.length - 1]).toBe(0x3b);
});

test('frames of two sizes, no frames and an impossible delay are refused', () => {
  const small: Raster = { width: 1, height: 1, data: new Uint8Array(4) };
  expect(() => encodeApng([])).toThrow('at least one frame');
  expect(() => encodeGif([frame(1), small])).toThrow('Frames of 6 × 4 and of 1 × 1 pixels');
  expect(() => encodeApng([small], 0)).toThrow('can’t be shown for 0 ms');
  expect(() => encodeGif([small], Number.NaN)).toThrow('can’t be shown for NaN ms');
});
