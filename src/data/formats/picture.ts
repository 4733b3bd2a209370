/** A decoded picture, what its header says before any of it is decoded, and the bounds that both are held to. */
import { UntangleError } from '../../errors.ts';
import { checkMemory } from '../../memory.ts';

/** Bytes in channel, row, column order: grey has one channel, colour three (red, green, blue). */
export interface Picture {
  channels: 1 | 3;
  height: number;
  width: number;
  data: Uint8Array;
}

/** What can be known of a picture without decoding it. */
export interface PictureHeader {
  format: string;
  channels: 1 | 3;
  height: number;
  width: number;
  /** What is not taken from the file as it is: an animation gives its first picture, colours for a printer are translated. */
  oddity?: 'animated' | 'cmyk';
}

/** No picture may hold more: a header that claims it is refused before anything is allocated. */
export const maxPixels = 2 ** 26;

/** What decoding takes for each pixel: packed lines, samples, planes, and the floats that are made of them. */
const bytesPerPixel = 24;

/** The error for a picture that cannot be read. */
export function badPicture(name: string, why: string, cause?: unknown): UntangleError {
  return new UntangleError(`${name} can't be read as a picture: ${why}.`, { cause });
}

/** Refuses a size without pixels, or with more than a picture may have. */
export function checkPictureSize(name: string, width: number, height: number): void {
  if (!(width > 0 && height > 0)) throw badPicture(name, `its header says ${width}×${height} pixels`);
  if (width * height > maxPixels)
    throw badPicture(
      name,
      `its header claims ${width}×${height} pixels, and ${Math.floor(maxPixels / 1e6)} million are allowed`,
    );
  checkMemory(name, bytesPerPixel * width * height);
}

/** From red, green, blue, red, green, blue, … to one plane a channel, taking the first channels of every `stride`. */
export function toPlanes(interleaved: ArrayLike<number>, stride: number, channels: 1 | 3, pixels: number): Uint8Array {
  const data = new Uint8Array(channels * pixels);
  for (let c = 0; c < channels; c++) {
    for (let i = 0, from = c; i < pixels; i++, from += stride) data[c * pixels + i] = interleaved[from];
  }
  return data;
}
