import { crc32, deflateSync } from 'node:zlib';
import fc from 'fast-check';
import { encode } from 'fast-png';
import { describe, expect, test } from 'vitest';
import { UntangleError } from '../../errors.ts';
import { decodePng, readPngHeader } from './png.ts';
import { loadSharp } from './sharp.ts';

const signature = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];

/** A PNG put together by hand, so that every part of it can be wrong. */
function png(options: {
  width: number;
  height: number;
  depth?: number;
  colour?: number;
  interlace?: number;
  palette?: number[];
  transparent?: number[];
  extra?: [string, Uint8Array];
  lines: Uint8Array | number[];
}): Uint8Array {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(options.width, 0);
  header.writeUInt32BE(options.height, 4);
  header.set([options.depth ?? 8, options.colour ?? 0, 0, 0, options.interlace ?? 0], 8);
  return Buffer.concat([
    Uint8Array.from(signature),
    chunk('IHDR', header),
    ...(options.extra ? [chunk(...options.extra)] : []),
    ...(options.palette ? [chunk('PLTE', Uint8Array.from(options.palette))] : []),
    ...(options.transparent ? [chunk('tRNS', Uint8Array.from(options.transparent))] : []),
    chunk('IDAT', deflateSync(Uint8Array.from(options.lines))),
    chunk('IEND', new Uint8Array(0)),
  ]);
}

function chunk(type: string, data: Uint8Array): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const frame = Buffer.alloc(8 + body.length);
  frame.writeUInt32BE(data.length, 0);
  frame.set(body, 4);
  frame.writeUInt32BE(crc32(body), 4 + body.length);
  return frame;
}

describe('every kind of pixel', () => {
  test('grey and colour of eight bits come out as they are', () => {
    expect(decodePng(png({ width: 2, height: 2, lines: [0, 10, 20, 0, 30, 40] }), 'a.png')).toEqual({
      channels: 1,
      height: 2,
      width: 2,
      data: Uint8Array.of(10, 20, 30, 40),
    });
    expect(decodePng(png({ width: 2, height: 1, colour: 2, lines: [0, 1, 2, 3, 4, 5, 6] }), 'a.png').data).toEqual(
      Uint8Array.of(1, 4, 2, 5, 3, 6),
    );
  });

  test('one, two and four bits of grey are spread over 0 to 255', () => {
    const one = png({ width: 9, height: 1, depth: 1, lines: [0, 0b10110001, 0b10000000] });
    expect([...decodePng(one, 'a.png').data]).toEqual([255, 0, 255, 255, 0, 0, 0, 255, 255]);
    const two = png({ width: 4, height: 1, depth: 2, lines: [0, 0b00011011] });
    expect([...decodePng(two, 'a.png').data]).toEqual([0, 85, 170, 255]);
    const four = png({ width: 3, height: 1, depth: 4, lines: [0, 0x0f, 0x80] });
    expect([...decodePng(four, 'a.png').data]).toEqual([0, 255, 136]);
  });

  test('sixteen bits are rounded to eight', () => {
    const file = png({ width: 3, height: 1, depth: 16, lines: [0, 0, 0, 0x80, 0x80, 0xff, 0xff] });
    expect([...decodePng(file, 'a.png').data]).toEqual([0, 128, 255]);
  });

  test('a palette becomes colour', () => {
    const file = png({
      width: 3,
      height: 1,
      depth: 2,
      colour: 3,
      palette: [9, 8, 7, 200, 100, 50],
      lines: [0, 0b01000100],
    });
    expect([...decodePng(file, 'a.png').data]).toEqual([200, 9, 200, 100, 8, 100, 50, 7, 50]);
  });

  test('what is transparent lies on white', () => {
    const alpha = png({ width: 3, height: 1, colour: 4, lines: [0, 0, 0, 0, 255, 100, 51] });
    expect([...decodePng(alpha, 'a.png').data]).toEqual([255, 0, 224]);
    const hidden = png({ width: 2, height: 1, transparent: [0, 7], lines: [0, 7, 8] });
    expect([...decodePng(hidden, 'a.png').data]).toEqual([255, 8]);
    const inPalette = png({
      width: 2,
      height: 1,
      colour: 3,
      palette: [9, 8, 7, 200, 100, 50],
      transparent: [0],
      lines: [0, 0, 1],
    });
    expect([...decodePng(inPalette, 'a.png').data]).toEqual([255, 200, 255, 100, 255, 50]);
  });

  test('each of the five line filters is undone', () => {
    const [width, height] = [6, 10];
    const pixels = Uint8Array.from({ length: width * height * 3 }, (_, i) => (i * i * 37 + i) % 251);
    const file = png({ width, height, colour: 2, lines: filtered(pixels, width * 3, 3) });
    const red = Uint8Array.from({ length: width * height }, (_, i) => pixels[i * 3]);
    expect(decodePng(file, 'a.png').data.subarray(0, width * height)).toEqual(red);
  });

  test('an interlaced picture gives its pixels back', () => {
    const data = Uint8Array.from({ length: 9 * 7 }, (_, i) => (i * 37) % 251);
    expect(decodePng(encode({ width: 9, height: 7, channels: 1, data }, { interlace: 'Adam7' }), 'a.png').data).toEqual(
      data,
    );
  });
});

/** Lines under the filters none, sub, up, average and Paeth in turn, as the PNG specification defines them. */
function filtered(pixels: Uint8Array, lineSize: number, step: number): number[] {
  const lines: number[] = [];
  for (let y = 0; y * lineSize < pixels.length; y++) {
    const at = (row: number, i: number) => (row < 0 || i < 0 ? 0 : pixels[row * lineSize + i]);
    const filter = y % 5;
    lines.push(filter);
    for (let i = 0; i < lineSize; i++) {
      const [left, up, corner] = [at(y, i - step), at(y - 1, i), at(y - 1, i - step)];
      const guess = left + up - corner;
      const distances = [left, up, corner].map((value) => Math.abs(guess - value));
      const paeth = [left, up, corner][distances.indexOf(Math.min(...distances))];
      const predicted = [0, left, up, (left + up) >> 1, paeth][filter];
      lines.push((at(y, i) - predicted) & 255);
    }
  }
  return lines;
}

test('sharp, where it is installed, sees the same pixels in files that it wrote itself', async ({ skip }) => {
  const sharp = (await loadSharp()) ?? skip('sharp is not installed');
  const { default: encoder } = await import('sharp');
  const colour = Uint8Array.from({ length: 37 * 23 * 4 }, (_, i) => (i % 4 === 3 ? 255 : (i * i * 7 + i * 13) % 256));
  const image = () => encoder(colour, { raw: { width: 37, height: 23, channels: 4 } });
  const files = await Promise.all([
    image().png({ adaptiveFiltering: true }).toBuffer(),
    image().png({ progressive: true, adaptiveFiltering: true }).toBuffer(),
    image().removeAlpha().png({ palette: true, colours: 4, progressive: true }).toBuffer(),
    image().removeAlpha().png({ palette: true, colours: 16 }).toBuffer(),
    image().removeAlpha().toColourspace('rgb16').png().toBuffer(),
    image().removeAlpha().toColourspace('b-w').png().toBuffer(),
  ]);
  for (const file of files) {
    const ours = decodePng(file, 'a.png');
    const theirs = await sharp.decode(file, 'a.png', { channels: ours.channels, turn: false });
    // Of sixteen bits sharp drops the lower eight, where we round.
    const apart = ours.data.reduce((most, value, i) => Math.max(most, Math.abs(value - theirs.data[i])), 0);
    expect([ours.channels, ours.height, ours.width]).toEqual([theirs.channels, theirs.height, theirs.width]);
    expect(apart).toBeLessThanOrEqual(readPngHeader(file, 'a.png').depth === 16 ? 1 : 0);
  }
});

describe('what is wrong gets a sentence', () => {
  const good = png({ width: 2, height: 2, lines: [0, 10, 20, 0, 30, 40] });

  test('a file cut short', () => {
    expect(() => decodePng(good.subarray(0, good.length - 20), 'a.png')).toThrow(
      "a.png can't be read as a picture: it is cut short.",
    );
    expect(() => decodePng(png({ width: 2, height: 3, lines: [0, 1, 2] }), 'a.png')).toThrow(
      'it holds 3 of 9 bytes of pixels.',
    );
  });

  test('a flipped bit, found by its checksum', () => {
    const broken = Uint8Array.from(good);
    broken[18] ^= 1;
    expect(() => decodePng(broken, 'a.png')).toThrow("a.png can't be read as a picture: ");
  });

  test('a header that claims a giant picture', () => {
    expect(() => readPngHeader(png({ width: 60_000, height: 60_000, lines: [] }), 'a.png')).toThrow(
      'its header claims 60000×60000 pixels, and 67 million are allowed.',
    );
  });

  test('pixels that unpack to far more than the header says', () => {
    const bomb = png({ width: 2, height: 2, lines: new Uint8Array(50_000_000) });
    expect(bomb.length).toBeLessThan(60_000);
    const before = process.memoryUsage().arrayBuffers;
    expect(() => decodePng(bomb, 'a.png')).toThrow('its pixels do not unpack to what its header says.');
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(10_000_000);
  });

  test('a colour profile that would unpack to far more than it is, is left alone', () => {
    const profile = Buffer.concat([Buffer.from('icc\0\0', 'latin1'), deflateSync(new Uint8Array(50_000_000))]);
    const file = png({ width: 1, height: 1, lines: [0, 5], extra: ['iCCP', profile] });
    expect([...decodePng(file, 'a.png').data]).toEqual([5]);
  });
});

test('broken bytes give a picture of the claimed size or a sentence', () => {
  const files = [
    png({ width: 5, height: 4, colour: 2, lines: new Uint8Array(64) }),
    png({
      width: 5,
      height: 4,
      depth: 2,
      colour: 3,
      palette: [1, 2, 3, 4, 5, 6, 7, 8, 9, 1, 1, 1],
      lines: new Uint8Array(12),
    }),
    png({ width: 5, height: 4, depth: 16, colour: 6, interlace: 1, lines: new Uint8Array(5 * 4 * 8 + 20) }),
  ];
  const flip = fc.record({ at: fc.nat(200), to: fc.nat(255) });
  fc.assert(
    fc.property(fc.constantFrom(...files), fc.array(flip, { maxLength: 4 }), fc.nat(300), (file, flips, cut) => {
      const broken = Uint8Array.from(file).subarray(0, cut);
      for (const { at, to } of flips) if (at < broken.length) broken[at] = to;
      repairChecksums(broken);
      try {
        const { channels, height, width, data } = decodePng(broken, 'a.png');
        expect(data.length).toBe(channels * height * width);
      } catch (error) {
        expect(error).toBeInstanceOf(UntangleError);
      }
    }),
    { numRuns: 2000 },
  );
});

/** Makes the checksums right again, so that the breakage gets past them. */
function repairChecksums(file: Uint8Array): void {
  const view = Buffer.from(file.buffer, file.byteOffset, file.byteLength);
  for (let at = 8; at + 12 <= file.length; ) {
    const length = view.readUInt32BE(at);
    if (at + 12 + length > file.length) return;
    view.writeUInt32BE(crc32(view.subarray(at + 4, at + 8 + length)), at + 8 + length);
    at += 12 + length;
  }
}
