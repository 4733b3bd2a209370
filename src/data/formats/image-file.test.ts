import { encode } from 'fast-png';
import jpeg from 'jpeg-js';
import { afterEach, expect, test, vi } from 'vitest';
import { decodeImage, readImageHeader } from './image-file.ts';
import { loadSharp } from './sharp.ts';

const png = encode({ width: 2, height: 1, channels: 1, data: Uint8Array.of(7, 9) });
const pgm = Buffer.from('P5 2 1 255\n\x07\x09', 'latin1');
const jpg = jpeg.encode({ width: 2, height: 1, data: Buffer.alloc(8, 255) }, 90).data;

afterEach(() => {
  vi.doUnmock('sharp');
  vi.resetModules();
});

test('a file is what its first bytes say, whatever it is called', async () => {
  const { data } = await decodeImage(png, 'cat.jpg');
  expect(data).toEqual(Uint8Array.of(7, 9));
  expect((await decodeImage(pgm, 'cat.png')).data).toEqual(Uint8Array.of(7, 9));
  expect((await readImageHeader(jpg, 'cat')).format).toBe('jpeg');
});

test('WebP is read through sharp, with what is transparent on white', async ({ skip }) => {
  if (!(await loadSharp())) skip('sharp is not installed');
  const { default: sharp } = await import('sharp');
  const pixels = Buffer.from([10, 20, 30, 255, 0, 0, 0, 0]);
  const webp = await sharp(pixels, { raw: { width: 2, height: 1, channels: 4 } })
    .webp({ lossless: true })
    .toBuffer();
  expect(await readImageHeader(webp, 'a.webp')).toEqual({ format: 'webp', channels: 3, height: 1, width: 2 });
  expect(await decodeImage(webp, 'a.webp')).toEqual({
    channels: 3,
    height: 1,
    width: 2,
    data: Uint8Array.of(10, 255, 20, 255, 30, 255),
  });
});

test('an interlaced PNG of two bits a pixel is read too', async ({ skip }) => {
  if (!(await loadSharp())) skip('sharp is not installed');
  const { default: sharp } = await import('sharp');
  const grey = Uint8Array.from({ length: 81 }, (_, i) => [0, 85, 170, 255][(i * 7) % 4]);
  const file = await sharp(grey, { raw: { width: 9, height: 9, channels: 1 } })
    .png({ palette: true, colours: 4, progressive: true, dither: 0 })
    .toBuffer();
  const { width, data } = await decodeImage(file, 'a.png');
  expect(width).toBe(9);
  expect(data.subarray(0, 81)).toEqual(grey);
});

test('bytes that are no picture get a sentence', async () => {
  await expect(decodeImage(Buffer.from('hello, world'), 'note.png')).rejects.toThrow(
    "note.png can't be read as a picture: ",
  );
  await expect(decodeImage(new Uint8Array(0), 'empty.png')).rejects.toThrow("empty.png can't be read as a picture: ");
});

test('without sharp, a WebP file says what it needs', async () => {
  vi.doMock('sharp', () => {
    throw new Error('Cannot find package sharp');
  });
  vi.resetModules();
  const fresh = await import('./image-file.ts');
  const webp = Buffer.concat([Buffer.from('RIFF\0\0\0\0WEBPVP8L', 'latin1')]);
  await expect(fresh.decodeImage(webp, 'a.webp')).rejects.toThrow(
    'a.webp is a WebP picture, which needs the package sharp.',
  );
  expect((await fresh.decodeImage(png, 'a.png')).data).toEqual(Uint8Array.of(7, 9));
  expect((await fresh.decodeImage(jpg, 'a.jpg')).width).toBe(2);
});
