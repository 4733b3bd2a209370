import fc from 'fast-check';
import jpeg from 'jpeg-js';
import { expect, test } from 'vitest';
import { UntangleError } from '../../errors.ts';
import { decodeByJpegJs, decodeJpeg, readJpegHeader, upright } from './jpeg.ts';
import type { Picture } from './picture.ts';
import { loadSharp } from './sharp.ts';

/** A smooth picture of 24×16 pixels, red growing rightwards and green downwards. */
function encoded(quality = 95): Uint8Array {
  const [width, height] = [24, 16];
  const data = Buffer.alloc(width * height * 4, 255);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) data.set([x * 10, y * 15, 60, 255], (y * width + x) * 4);
  return jpeg.encode({ width, height, data }, quality).data;
}

/** The file with an Exif block that says how the camera was held. */
function withOrientation(file: Uint8Array, orientation: number, little = false): Uint8Array {
  const tiff = Buffer.alloc(26);
  const view = new DataView(tiff.buffer, tiff.byteOffset, tiff.byteLength);
  view.setUint16(0, little ? 0x4949 : 0x4d4d);
  view.setUint16(2, 42, little);
  view.setUint32(4, 8, little);
  view.setUint16(8, 1, little);
  view.setUint16(10, 0x0112, little);
  view.setUint16(12, 3, little);
  view.setUint32(14, 1, little);
  view.setUint16(18, orientation, little);
  const block = Buffer.concat([
    Buffer.from([0xff, 0xe1, 0, 2 + 6 + tiff.length]),
    Buffer.from('Exif\0\0', 'latin1'),
    tiff,
  ]);
  return Buffer.concat([file.subarray(0, 2), block, file.subarray(2)]);
}

const largestDifference = (a: Uint8Array, b: Uint8Array) =>
  a.reduce((most, v, i) => Math.max(most, Math.abs(v - b[i])), 0);

test('the header tells size and channels without decoding', () => {
  expect(readJpegHeader(encoded(), 'a.jpg')).toEqual({
    format: 'jpeg',
    channels: 3,
    height: 16,
    width: 24,
    orientation: 1,
  });
});

test('a smooth picture comes back within a few levels', () => {
  const picture = decodeByJpegJs(encoded(), 'a.jpg');
  expect([picture.channels, picture.height, picture.width]).toEqual([3, 16, 24]);
  const truth = Uint8Array.from({ length: 3 * 16 * 24 }, (_, i) => {
    const [c, y, x] = [Math.floor(i / 384), Math.floor(i / 24) % 16, i % 24];
    return [x * 10, y * 15, 60][c];
  });
  expect(largestDifference(picture.data, truth)).toBeLessThanOrEqual(12);
});

test('sharp, where it is installed, decodes the same picture', async ({ skip }) => {
  const sharp = (await loadSharp()) ?? skip('sharp is not installed');
  const bySharp = await sharp.decode(encoded(), 'a.jpg', { channels: 3, turn: false });
  expect(largestDifference(bySharp.data, decodeByJpegJs(encoded(), 'a.jpg').data)).toBeLessThanOrEqual(12);
});

test('a picture held in any of eight ways is turned upright', async ({ skip }) => {
  const sharp = (await loadSharp()) ?? skip('sharp is not installed');
  for (let orientation = 1; orientation <= 8; orientation++) {
    const file = withOrientation(encoded(), orientation, orientation % 2 === 0);
    const header = readJpegHeader(file, 'a.jpg');
    const ours = await decodeJpeg(file, 'a.jpg');
    expect([header.orientation, header.height, header.width]).toEqual([orientation, ours.height, ours.width]);
    expect(ours).toEqual(await sharp.decode(file, 'a.jpg', { channels: 3, turn: true }));
  }
});

test('a quarter turn to the right brings the left column to the top', () => {
  const stored: Picture = { channels: 1, height: 2, width: 3, data: Uint8Array.of(1, 2, 3, 4, 5, 6) };
  expect(upright(stored, 6)).toEqual({ channels: 1, height: 3, width: 2, data: Uint8Array.of(4, 1, 5, 2, 6, 3) });
  expect(upright(stored, 3).data).toEqual(Uint8Array.of(6, 5, 4, 3, 2, 1));
});

test('a grey file has one channel', async ({ skip }) => {
  const sharp = await loadSharp();
  if (!sharp) skip('sharp is not installed');
  const { default: encoder } = await import('sharp');
  const grey = await encoder(Buffer.from([0, 128, 255, 64]), { raw: { width: 2, height: 2, channels: 1 } })
    .toColourspace('b-w')
    .jpeg({ quality: 100 })
    .toBuffer();
  expect(readJpegHeader(grey, 'a.jpg').channels).toBe(1);
  for (const picture of [await decodeJpeg(grey, 'a.jpg'), decodeByJpegJs(grey, 'a.jpg')]) {
    expect(picture.channels).toBe(1);
    expect(largestDifference(picture.data, Uint8Array.of(0, 128, 255, 64))).toBeLessThanOrEqual(3);
  }
});

test('a file cut short and a giant claim get a sentence', async () => {
  const file = encoded();
  const half = file.subarray(0, file.length / 2);
  expect(() => decodeByJpegJs(half, 'a.jpg')).toThrow("a.jpg can't be read as a picture: ");
  await expect(decodeJpeg(half, 'a.jpg')).rejects.toThrow("a.jpg can't be read as a picture: ");
  const frame = file.findIndex((byte, i) => byte === 0xff && file[i + 1] === 0xc0);
  const giant = Uint8Array.from(file);
  giant.set([0xff, 0xff, 0xff, 0xff], frame + 5);
  expect(() => readJpegHeader(giant, 'a.jpg')).toThrow(
    'its header claims 65535×65535 pixels, and 67 million are allowed.',
  );
  // Within what is allowed, and far more than its bytes could hold: refused before anything is decoded.
  const hollow = Uint8Array.from(file);
  hollow.set([0x0f, 0x42, 0x40, 0x18], frame + 5);
  expect(() => readJpegHeader(hollow, 'a.jpg')).toThrow(
    `its header claims 16408×3906 pixels, and it has ${file.length} bytes.`,
  );
  expect(() => readJpegHeader(file.subarray(0, 20), 'a.jpg')).toThrow('it has no frame header.');
});

test('broken bytes give a picture of the claimed size or a sentence, with sharp and without', async () => {
  const file = encoded(60);
  const flip = fc.record({ at: fc.integer({ min: 2, max: file.length - 1 }), to: fc.nat(255) });
  const check = ({ channels, height, width, data }: Picture) => expect(data.length).toBe(channels * height * width);
  await fc.assert(
    fc.asyncProperty(fc.array(flip, { maxLength: 4 }), fc.integer({ min: 0, max: file.length }), async (flips, cut) => {
      const broken = Uint8Array.from(file).subarray(0, flips.length % 2 ? cut : undefined);
      for (const { at, to } of flips) if (at < broken.length) broken[at] = to;
      try {
        check(decodeByJpegJs(broken, 'a.jpg'));
      } catch (error) {
        expect(error).toBeInstanceOf(UntangleError);
      }
      try {
        check(await decodeJpeg(broken, 'a.jpg'));
      } catch (error) {
        expect(error).toBeInstanceOf(UntangleError);
      }
    }),
    { numRuns: 600 },
  );
});
