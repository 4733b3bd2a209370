/**
 * One picture from the bytes of a file: PNG, JPEG and portable grey maps and pixmaps by readers that are always here, WebP
 * and others where sharp is installed. What a file is, its first bytes say, not its name.
 */
import { UntangleError } from '../../errors.ts';
import { decodeJpeg, isJpeg, readJpegHeader } from './jpeg.ts';
import type { Picture, PictureHeader } from './picture.ts';
import { decodePng, isPng, readPngHeader } from './png.ts';
import { decodePnm, readPnmHeader } from './pnm.ts';
import { loadSharp, type SharpDecoder } from './sharp.ts';

/** Endings of files that are taken for pictures when a folder is searched. */
export const pictureEndings = ['png', 'jpg', 'jpeg', 'pgm', 'ppm', 'pnm', 'webp', 'tif', 'tiff', 'gif', 'avif'];

/** What the header says, without decoding; `bytes` may be just the file's beginning. */
export async function readImageHeader(bytes: Uint8Array, name: string): Promise<PictureHeader> {
  if (isPng(bytes)) return readPngHeader(bytes, name);
  if (isJpeg(bytes)) return readJpegHeader(bytes, name);
  if (isPnm(bytes)) return readPnmHeader(bytes, name);
  return (await sharpFor(name, bytes)).header(bytes, name);
}

/**
 * Decodes a picture.
 *
 * @example const { channels, height, width, data } = await decodeImage(await readFile('cat.png'), 'cat.png')
 */
export async function decodeImage(bytes: Uint8Array, name: string): Promise<Picture> {
  if (isPng(bytes)) return decodePng(bytes, name);
  if (isJpeg(bytes)) return decodeJpeg(bytes, name);
  if (isPnm(bytes)) return decodePnm(bytes, name);
  const sharp = await sharpFor(name, bytes);
  const { channels } = await readImageHeader(bytes, name);
  return sharp.decode(bytes, name, { channels, turn: true });
}

function isPnm(bytes: Uint8Array): boolean {
  return bytes[0] === 0x50 && bytes[1] >= 0x31 && bytes[1] <= 0x36;
}

async function sharpFor(name: string, bytes: Uint8Array): Promise<SharpDecoder> {
  const sharp = await loadSharp();
  if (sharp) return sharp;
  const kind =
    Buffer.from(bytes.subarray(8, 12)).toString('latin1') === 'WEBP'
      ? 'a WebP picture'
      : 'neither PNG, JPEG, PGM nor PPM';
  throw new UntangleError(`${name} is ${kind}, which needs the package sharp.`, {
    hint: 'Install it with “npm install sharp”, or convert the pictures to PNG.',
  });
}
