/**
 * Portable grey maps and pixmaps (netpbm): P2 and P3 with numbers as text, P5 and P6 with 8 or 16 bits a sample. Samples are
 * scaled from the file's own maximum to 0 … 255.
 */
import { badPicture, checkPictureSize, type Picture, type PictureHeader, toPlanes } from './picture.ts';

interface PnmHeader extends PictureHeader {
  text: boolean;
  maximum: number;
  /** Where the samples begin. */
  start: number;
}

/** Width, height and the rest of the header, found sound. */
export function readPnmHeader(bytes: Uint8Array, name: string): PnmHeader {
  const kind = bytes[1] - 48;
  if (bytes[0] !== 0x50 || ![2, 3, 5, 6].includes(kind))
    throw badPicture(name, 'it does not begin with P2, P3, P5 or P6');
  const reader = numberReader(bytes, 2);
  const [width, height, maximum] = [reader.next(), reader.next(), reader.next()];
  if (width === undefined || height === undefined || maximum === undefined)
    throw badPicture(name, 'its header lacks a width, height or maximum');
  if (maximum < 1 || maximum > 65535)
    throw badPicture(name, `its header says a maximum of ${maximum}, and 1 to 65535 are possible`);
  checkPictureSize(name, width, height);
  const channels = kind === 2 || kind === 5 ? 1 : 3;
  // One white space, and no more, parts the header from binary samples.
  return { format: 'pnm', channels, height, width, text: kind < 4, maximum, start: reader.at + 1 };
}

/** Decodes the picture. */
export function decodePnm(bytes: Uint8Array, name: string): Picture {
  const { channels, height, width, text, maximum, start } = readPnmHeader(bytes, name);
  const count = channels * height * width;
  const sampleSize = maximum > 255 ? 2 : 1;
  // Text takes at least a digit and a space a sample.
  if (bytes.length < start + (text ? 2 * count - 1 : sampleSize * count))
    throw badPicture(name, `it is cut short, as ${bytes.length} bytes can't hold ${width}×${height} pixels`);

  const reader = numberReader(bytes, start);
  const samples = new Uint8Array(count);
  for (let i = 0; i < count; i++) {
    let sample: number | undefined;
    if (text) sample = reader.next();
    else if (sampleSize === 1) sample = bytes[start + i];
    else sample = bytes[start + 2 * i] * 256 + bytes[start + 2 * i + 1];
    if (sample === undefined) throw badPicture(name, `it holds ${i} of ${count} samples`);
    if (sample > maximum) throw badPicture(name, `a sample is ${sample}, above its maximum of ${maximum}`);
    samples[i] = Math.round((sample * 255) / maximum);
  }
  const data = channels === 1 ? samples : toPlanes(samples, 3, 3, height * width);
  return { channels, height, width, data };
}

/** Whole numbers in plain text one after the other, with white space and # comments between them. */
function numberReader(bytes: Uint8Array, from: number) {
  let at = from;
  return {
    get at() {
      return at;
    },
    next(): number | undefined {
      while (at < bytes.length && (isSpace(bytes[at]) || bytes[at] === 35)) {
        if (bytes[at] === 35) while (at < bytes.length && bytes[at] !== 10 && bytes[at] !== 13) at++;
        else at++;
      }
      const start = at;
      let value = 0;
      // Ten digits are more than any number here may have.
      while (at < bytes.length && at - start < 10 && bytes[at] >= 48 && bytes[at] <= 57)
        value = value * 10 + bytes[at++] - 48;
      return at === start ? undefined : value;
    },
  };
}

function isSpace(byte: number): boolean {
  return byte === 32 || (byte >= 9 && byte <= 13);
}
