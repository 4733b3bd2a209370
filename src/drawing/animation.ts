/** Frames as an animation that repeats for ever: APNG, which loses nothing, and GIF, which everything can show. */
import whole, * as named from 'gifenc';
import { crc32 } from '../crc32.ts';
import { UntangleError } from '../errors.ts';
import type { Raster } from './image.ts';
import { channelsNeeded, encodePng } from './png.ts';

// Node has a CommonJS package's functions on its default export, bundlers have them by name.
const gifenc = 'GIFEncoder' in named ? named : whole;

/**
 * An animated PNG; viewers that know only PNG show its first frame. `delay` is how long a frame stands, in milliseconds.
 *
 * @example encodeApng(traversalFrames(options).map((frame) => rasterise(frame, 1)))
 */
export function encodeApng(frames: Raster[], delay = 120): Uint8Array {
  const { width, height } = checkFrames(frames, delay);
  const channels = Math.max(...frames.map(channelsNeeded));
  const out: Uint8Array[] = [];
  let sequence = 0;
  frames.forEach((frame, i) => {
    const parts = chunksOf(encodePng(frame, channels));
    const part = (kind: string) => joined(parts.filter((item) => item.kind === kind).map((item) => item.data));
    if (i === 0) out.push(signature, chunk('IHDR', part('IHDR')), chunk('acTL', words(frames.length, 0)));
    // The delay is a fraction of a second; the last two bytes say: leave the frame as it is, and paint over the one before.
    const times = new Uint8Array([delay >> 8, delay & 255, 1000 >> 8, 1000 & 255, 0, 0]);
    out.push(chunk('fcTL', joined([words(sequence++, width, height, 0, 0), times])));
    out.push(i === 0 ? chunk('IDAT', part('IDAT')) : chunk('fdAT', joined([words(sequence++), part('IDAT')])));
  });
  return joined([...out, chunk('IEND', new Uint8Array(0))]);
}

/** An animated GIF, in at most 255 colours for the whole of it. The format counts in hundredths of a second. */
export function encodeGif(frames: Raster[], delay = 120): Uint8Array {
  const { width, height } = checkFrames(frames, delay);
  const index = indexer(frames);
  const gif = gifenc.GIFEncoder();
  let before: Uint8Array | undefined;
  for (const frame of frames) {
    const indexed = index.apply(frame);
    // Pixels that stand still are left transparent over the frame before, which keeps the file small.
    const written = before === undefined ? indexed : indexed.map((value, i) => (value === before?.[i] ? kept : value));
    const { palette } = index;
    const first = before === undefined;
    gif.writeFrame(written, width, height, {
      ...(first ? { palette: [...palette, ...Array.from({ length: 256 - palette.length }, () => [0, 0, 0])] } : {}),
      delay,
      repeat: 0,
      transparent: !first,
      transparentIndex: kept,
      dispose: 1,
    });
    before = indexed;
  }
  gif.finish();
  return gif.bytes();
}

/** The palette's place that means “as before”. */
const kept = 255;

/** One palette for all frames: their very colours if these are few enough, otherwise the nearest of 255. */
function indexer(frames: Raster[]): { palette: number[][]; apply(frame: Raster): Uint8Array } {
  const places = new Map<number, number>();
  for (const { data } of frames) {
    for (let i = 0; i < data.length && places.size <= kept; i += 4) {
      const colour = colourAt(data, i);
      if (!places.has(colour)) places.set(colour, places.size);
    }
  }
  if (places.size <= kept) {
    const palette = [...places.keys()].map((colour) => [colour >> 16, (colour >> 8) & 255, colour & 255]);
    const apply = ({ data }: Raster) =>
      Uint8Array.from({ length: data.length / 4 }, (_, i) => places.get(colourAt(data, i * 4))!);
    return { palette, apply };
  }
  const pixels = frames.reduce((sum, { data }) => sum + data.length / 4, 0);
  const palette = gifenc.quantize(sampled(frames, Math.ceil(pixels / 500_000)), kept);
  return { palette, apply: ({ data }) => gifenc.applyPalette(data.slice(), palette) };
}

function colourAt(data: Uint8Array, i: number): number {
  return (data[i] << 16) | (data[i + 1] << 8) | data[i + 2];
}

/** Every `stride`-th pixel of all frames. */
function sampled(frames: Raster[], stride: number): Uint8Array {
  const parts = frames.map(({ data }) => {
    const part = new Uint8Array(Math.ceil(data.length / 4 / stride) * 4);
    for (let i = 0; i < part.length / 4; i++) part.set(data.subarray(i * stride * 4, i * stride * 4 + 4), i * 4);
    return part;
  });
  return joined(parts);
}

function checkFrames(frames: Raster[], delay: number): Raster {
  const [first] = frames;
  if (first === undefined) throw new UntangleError('An animation needs at least one frame.', { kind: 'call' });
  const odd = frames.find(({ width, height }) => width !== first.width || height !== first.height);
  if (odd !== undefined) {
    throw new UntangleError(
      `Frames of ${first.width} × ${first.height} and of ${odd.width} × ${odd.height} pixels can’t be one animation.`,
      { kind: 'call', hint: 'All frames need the same size.' },
    );
  }
  if (!(Number.isInteger(delay) && delay >= 1 && delay <= 65535)) {
    throw new UntangleError(`A frame can’t be shown for ${delay} ms.`, {
      kind: 'call',
      hint: 'Give a whole number of milliseconds, such as 120.',
    });
  }
  return first;
}

const signature = new Uint8Array([137, 80, 78, 71, 13, 10, 26, 10]);

/** The chunks of a PNG file. */
function chunksOf(png: Uint8Array): { kind: string; data: Uint8Array }[] {
  const view = new DataView(png.buffer, png.byteOffset, png.byteLength);
  const found: { kind: string; data: Uint8Array }[] = [];
  for (let at = signature.length; at < png.length; ) {
    const length = view.getUint32(at);
    const kind = String.fromCharCode(...png.subarray(at + 4, at + 8));
    found.push({ kind, data: png.subarray(at + 8, at + 8 + length) });
    at += length + 12;
  }
  return found;
}

/** A chunk: length, kind, data, and the checksum of the kind and the data. */
function chunk(kind: string, data: Uint8Array): Uint8Array {
  const body = joined([Uint8Array.from(kind, (letter) => letter.charCodeAt(0)), data]);
  return joined([words(data.length), body, words(crc32(body))]);
}

/** Whole numbers as four bytes each, the highest first. */
function words(...values: number[]): Uint8Array {
  const bytes = new Uint8Array(values.length * 4);
  const view = new DataView(bytes.buffer);
  values.forEach((value, i) => {
    view.setUint32(i * 4, value);
  });
  return bytes;
}

function joined(parts: Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
