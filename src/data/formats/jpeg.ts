/**
 * JPEG pictures, decoded by jpeg-js within bounds of pixels and memory, or by sharp where it is installed, which is many
 * times as fast and agrees within a few grey levels. A camera's note on how it was held is honoured.
 */
import jpeg from 'jpeg-js';
import { badPicture, checkPictureSize, maxPixels, type Picture, type PictureHeader, toPlanes } from './picture.ts';
import { loadSharp } from './sharp.ts';

interface JpegHeader extends PictureHeader {
  /** 1 … 8 as Exif has it: from 5 on, rows and columns are swapped. `height` and `width` are those of the upright picture. */
  orientation: number;
}

export function isJpeg(bytes: Uint8Array): boolean {
  return bytes[0] === 0xff && bytes[1] === 0xd8 && bytes[2] === 0xff;
}

/** Size and channels as the frame header has them, and the orientation of an Exif block before it. */
export function readJpegHeader(bytes: Uint8Array, name: string): JpegHeader {
  if (!isJpeg(bytes)) throw badPicture(name, 'it does not begin as a JPEG does');
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let orientation = 1;
  for (let at = 2; at + 4 <= bytes.length; ) {
    if (bytes[at] !== 0xff) throw badPicture(name, 'its header is damaged');
    const marker = bytes[at + 1];
    if (marker === 0xff) {
      at++;
      continue;
    }
    const length = view.getUint16(at + 2);
    const end = at + 2 + length;
    if (marker === 0xe1 && end <= bytes.length)
      orientation = exifOrientation(bytes.subarray(at + 4, end)) ?? orientation;
    if (isFrame(marker)) {
      if (at + 10 > bytes.length) break;
      const [height, width, components] = [view.getUint16(at + 5), view.getUint16(at + 7), bytes[at + 9]];
      checkPictureSize(name, width, height);
      // Huffman's shortest code is a bit, and each 8×8 block of the picture has at least one.
      if (marker < 0xc8 && width * height > 8 * 64 * bytes.length)
        throw badPicture(name, `its header claims ${width}×${height} pixels, and it has ${bytes.length} bytes`);
      const channels = components === 1 ? 1 : 3;
      const size = orientation > 4 ? { height: width, width: height } : { height, width };
      return {
        format: 'jpeg',
        channels,
        ...size,
        orientation,
        oddity: components === 4 ? ('cmyk' as const) : undefined,
      };
    }
    if (marker === 0xd9 || marker === 0xda || length < 2) break;
    at = end;
  }
  throw badPicture(name, 'it has no frame header');
}

/** Decodes the picture and turns it upright. */
export async function decodeJpeg(bytes: Uint8Array, name: string): Promise<Picture> {
  const { channels, orientation } = readJpegHeader(bytes, name);
  const sharp = await loadSharp();
  const picture = sharp ? await sharp.decode(bytes, name, { channels, turn: false }) : decodeByJpegJs(bytes, name);
  return upright(picture, orientation);
}

/** Decodes without sharp, in the picture's stored orientation. */
export function decodeByJpegJs(bytes: Uint8Array, name: string): Picture {
  const { channels } = readJpegHeader(bytes, name);
  try {
    const { width, height, data } = jpeg.decode(bytes, {
      useTArray: true,
      formatAsRGBA: false,
      tolerantDecoding: false,
      maxResolutionInMP: maxPixels / 1e6,
      maxMemoryUsageInMB: 1024,
    });
    checkPictureSize(name, width, height);
    return { channels, height, width, data: toPlanes(data, 3, channels, width * height) };
  } catch (cause) {
    throw badPicture(name, cause instanceof Error ? cause.message : 'it is damaged', cause);
  }
}

/** Turns a picture from one of Exif's eight orientations upright. */
export function upright(picture: Picture, orientation: number): Picture {
  if (orientation <= 1 || orientation > 8) return picture;
  const { channels, height: h, width: w, data } = picture;
  const swapped = orientation > 4;
  const [height, width] = swapped ? [w, h] : [h, w];
  const out = new Uint8Array(data.length);
  for (let c = 0, to = 0; c < channels; c++) {
    for (let y = 0; y < height; y++) {
      for (let x = 0; x < width; x++, to++) {
        const [a, b] = swapped ? [x, y] : [y, x];
        const row = [3, 4, 6, 7].includes(orientation) ? h - 1 - a : a;
        const column = [2, 3, 7, 8].includes(orientation) ? w - 1 - b : b;
        out[to] = data[(c * h + row) * w + column];
      }
    }
  }
  return { channels, height, width, data: out };
}

/** Start-of-frame markers: C0 … CF without the tables DHT, JPG and DAC. */
function isFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
}

/** Tag 0x0112 of an Exif block's first directory, if it is there and sound. */
function exifOrientation(block: Uint8Array): number | undefined {
  if (Buffer.from(block.subarray(0, 6)).toString('latin1') !== 'Exif\0\0') return undefined;
  const view = new DataView(block.buffer, block.byteOffset + 6, block.byteLength - 6);
  if (view.byteLength < 8) return undefined;
  const little = view.getUint16(0) === 0x4949;
  const directory = view.getUint32(4, little);
  if (directory + 2 > view.byteLength) return undefined;
  const entries = view.getUint16(directory, little);
  for (let k = 0; k < entries; k++) {
    const at = directory + 2 + 12 * k;
    if (at + 12 > view.byteLength) return undefined;
    if (view.getUint16(at, little) === 0x0112) {
      const value = view.getUint16(at + 8, little);
      return value >= 1 && value <= 8 ? value : undefined;
    }
  }
  return undefined;
}
