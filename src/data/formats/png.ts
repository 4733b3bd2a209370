/**
 * PNG pictures (W3C, PNG specification, third edition). The pixels are inflated once by node:zlib, under the bound that the
 * header sets, so a small file that would unpack to gigabytes is refused; chunks that do not carry the picture are passed over.
 */
import { inflateSync } from 'node:zlib';
import { crc32 } from '../../crc32.ts';
import { badPicture, checkPictureSize, type Picture, type PictureHeader } from './picture.ts';

interface PngHeader extends PictureHeader {
  depth: number;
  /** Grey 0, colour 2, palette 3, grey with alpha 4, colour with alpha 6. */
  colour: number;
  interlaced: boolean;
}

const depthsOf: Record<number, number[]> = { 0: [1, 2, 4, 8, 16], 2: [8, 16], 3: [1, 2, 4, 8], 4: [8, 16], 6: [8, 16] };
const samplesOf: Record<number, number> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 };

export function isPng(bytes: Uint8Array): boolean {
  return [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a].every((byte, i) => bytes[i] === byte);
}

/** Width, height and the rest of the header, found sound. */
export function readPngHeader(bytes: Uint8Array, name: string): PngHeader {
  if (bytes.length < 33 || !isPng(bytes)) throw badPicture(name, 'it does not begin as a PNG does');
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (view.getUint32(8) !== 13 || view.getUint32(12) !== chunkName('IHDR'))
    throw badPicture(name, 'its first chunk is not a header');
  const [width, height] = [view.getUint32(16), view.getUint32(20)];
  const [depth, colour, compression, filter, interlace] = bytes.subarray(24, 29);
  if (!depthsOf[colour]?.includes(depth) || compression !== 0 || filter !== 0 || interlace > 1)
    throw badPicture(name, 'its header holds values that PNG does not know');
  checkPictureSize(name, width, height);
  const channels = colour === 0 || colour === 4 ? 1 : 3;
  return { format: 'png', channels, height, width, depth, colour, interlaced: interlace === 1 };
}

/** Decodes the picture: 16 bits become 8, a palette becomes colour, and what is transparent lies on white. */
export function decodePng(bytes: Uint8Array, name: string): Picture {
  const header = readPngHeader(bytes, name);
  const { packed, palette, transparent } = readChunks(bytes, name);
  const samples = unpack(packed, header, name);
  const { channels, width, height } = header;
  const pixels = width * height;
  const data = new Uint8Array(channels * pixels);

  if (header.colour === 3) {
    if (!palette) throw badPicture(name, 'it has no palette');
    for (let i = 0; i < pixels; i++) {
      const entry = samples[i];
      if (3 * entry + 2 >= palette.length)
        throw badPicture(name, `a pixel has the colour ${entry} of ${palette.length / 3}`);
      const alpha = (transparent?.[entry] ?? 255) / 255;
      for (let c = 0; c < 3; c++) data[c * pixels + i] = Math.round(palette[3 * entry + c] * alpha + 255 * (1 - alpha));
    }
    return { channels, height, width, data };
  }

  const stride = samplesOf[header.colour];
  const maximum = 2 ** header.depth - 1;
  const scale = 255 / maximum;
  const hidden = stride === channels && transparent?.length === 2 * channels ? wordsOf(transparent) : undefined;
  for (let i = 0, from = 0; i < pixels; i++, from += stride) {
    let alpha = stride > channels ? samples[from + channels] / maximum : 1;
    if (hidden?.every((value, c) => samples[from + c] === value)) alpha = 0;
    for (let c = 0; c < channels; c++)
      data[c * pixels + i] = Math.round(samples[from + c] * scale * alpha + 255 * (1 - alpha));
  }
  return { channels, height, width, data };
}

/** The chunks that carry the picture, their checksums found right. */
function readChunks(bytes: Uint8Array, name: string) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const pixels: Uint8Array[] = [];
  let palette: Uint8Array | undefined;
  let transparent: Uint8Array | undefined;
  for (let at = 8; ; ) {
    const length = at + 12 <= bytes.length ? view.getUint32(at) : Number.POSITIVE_INFINITY;
    if (at + 12 + length > bytes.length) throw badPicture(name, 'it is cut short');
    const type = view.getUint32(at + 4);
    if (type === chunkName('IEND')) return { packed: Buffer.concat(pixels), palette, transparent };
    if (carriers.has(type)) {
      if (crc32(bytes.subarray(at + 4, at + 8 + length)) !== view.getUint32(at + 8 + length))
        throw badPicture(name, 'its checksums say that it is damaged');
      const data = bytes.subarray(at + 8, at + 8 + length);
      if (type === chunkName('IDAT')) pixels.push(data);
      else if (type === chunkName('PLTE')) palette = data;
      else if (type === chunkName('tRNS')) transparent = data;
    }
    at += 12 + length;
  }
}

const carriers = new Set(['IHDR', 'PLTE', 'tRNS', 'IDAT'].map(chunkName));

function chunkName(name: string): number {
  return Buffer.from(name, 'latin1').readUInt32BE();
}

/** Where the passes of an interlaced picture begin and how far they step (Adam7), and the one pass of any other. */
const passes = [
  { x: 0, y: 0, dx: 8, dy: 8 },
  { x: 4, y: 0, dx: 8, dy: 8 },
  { x: 0, y: 4, dx: 4, dy: 8 },
  { x: 2, y: 0, dx: 4, dy: 4 },
  { x: 0, y: 2, dx: 2, dy: 4 },
  { x: 1, y: 0, dx: 2, dy: 2 },
  { x: 0, y: 1, dx: 1, dy: 2 },
];
const onePass = [{ x: 0, y: 0, dx: 1, dy: 1 }];

/** The samples of all pixels, one after the other, at the file's own depth. */
function unpack(packed: Uint8Array, header: PngHeader, name: string): Uint8Array | Uint16Array {
  const { width, height, depth, colour, interlaced } = header;
  const stride = samplesOf[colour];
  const sizes = (interlaced ? passes : onePass).map((pass) => ({
    ...pass,
    columns: Math.max(0, Math.ceil((width - pass.x) / pass.dx)),
    rows: Math.max(0, Math.ceil((height - pass.y) / pass.dy)),
  }));
  const lineSize = (columns: number) => Math.ceil((columns * stride * depth) / 8);
  const need = sizes.reduce((sum, { columns, rows }) => sum + (columns > 0 ? rows * (1 + lineSize(columns)) : 0), 0);
  const lines = inflateWithin(packed, need, name);

  const samples = depth === 16 ? new Uint16Array(width * height * stride) : new Uint8Array(width * height * stride);
  let at = 0;
  for (const { x, y, dx, dy, columns, rows } of sizes) {
    if (columns === 0) continue;
    let above: Uint8Array | undefined;
    for (let row = 0; row < rows; row++) {
      const line = lines.subarray(at + 1, at + 1 + lineSize(columns));
      unfilter(lines[at], line, above, Math.max(1, (stride * depth) >> 3), name);
      for (let column = 0; column < columns; column++) {
        const to = ((y + row * dy) * width + x + column * dx) * stride;
        for (let c = 0; c < stride; c++) samples[to + c] = sampleAt(line, column * stride + c, depth);
      }
      above = line;
      at += 1 + line.length;
    }
  }
  return samples;
}

function inflateWithin(packed: Uint8Array, need: number, name: string): Uint8Array {
  let lines: Uint8Array;
  try {
    lines = inflateSync(packed, { maxOutputLength: need + 65536 });
  } catch (cause) {
    throw badPicture(name, 'its pixels do not unpack to what its header says', cause);
  }
  if (lines.length < need) throw badPicture(name, `it holds ${lines.length} of ${need} bytes of pixels`);
  return lines;
}

/** Undoes a line's filter in place (section 9 of the specification); `step` is the distance to the pixel on the left. */
function unfilter(filter: number, line: Uint8Array, above: Uint8Array | undefined, step: number, name: string): void {
  if (filter > 4) throw badPicture(name, `it has a line with the unknown filter ${filter}`);
  if (filter === 0) return;
  for (let i = 0; i < line.length; i++) {
    const left = i >= step ? line[i - step] : 0;
    const up = above ? above[i] : 0;
    if (filter === 1) line[i] += left;
    else if (filter === 2) line[i] += up;
    else if (filter === 3) line[i] += (left + up) >> 1;
    else line[i] += paeth(left, up, above && i >= step ? above[i - step] : 0);
  }
}

/** Of left, up and the corner between them, the one nearest to left + up − corner. */
function paeth(left: number, up: number, corner: number): number {
  const toLeft = Math.abs(up - corner);
  const toUp = Math.abs(left - corner);
  const toCorner = Math.abs(left + up - 2 * corner);
  if (toLeft <= toUp && toLeft <= toCorner) return left;
  return toUp <= toCorner ? up : corner;
}

function sampleAt(line: Uint8Array, index: number, depth: number): number {
  if (depth === 8) return line[index];
  if (depth === 16) return line[2 * index] * 256 + line[2 * index + 1];
  const bit = index * depth;
  return (line[bit >> 3] >> (8 - depth - (bit & 7))) & (2 ** depth - 1);
}

/** The one colour that stands for transparent, as words of two bytes. */
function wordsOf(bytes: Uint8Array): number[] {
  return Array.from({ length: bytes.length / 2 }, (_, i) => bytes[2 * i] * 256 + bytes[2 * i + 1]);
}
