/** Brings pictures to one shape: cuts out the middle, scales, turns colour into grey or grey into colour. */
import { UntangleError } from '../../errors.ts';
import type { ImageShape } from '../../model/index.ts';
import type { Picture, PictureHeader } from '../formats/picture.ts';
import { cropImage, greyImage, resizeImage } from './resize.ts';

export interface Framing {
  /** Side of the square that pictures are scaled to; without it, all must be of one size. */
  size?: number;
  /** Cuts out the middle first: a square of so many pixels, or (`true`) the largest square. */
  crop?: number | true;
  grey?: boolean;
  /** Keeps the outline alone: what is not white becomes 1, the rest 0. */
  mask?: boolean;
}

/** A part of a picture, in pixels. */
export interface Box {
  top: number;
  left: number;
  height: number;
  width: number;
}

/** The framing alone, its numbers found sound. */
export function checkFraming({ size, crop, grey = false, mask = false }: Framing): Framing {
  for (const [what, value] of Object.entries({ size, crop }))
    if (typeof value === 'number' && !(Number.isInteger(value) && value >= 1 && value <= 4096))
      throw new UntangleError(`The ${what} is ${value}, but must be a whole number of pixels from 1 to 4096.`, {
        kind: 'call',
      });
  return { size, crop, grey: grey || mask, mask };
}

/** The shape of the set: colour if any picture has colour, and the size that most pictures come to. */
export function commonShape(headers: readonly PictureHeader[], framing: Framing): ImageShape | undefined {
  const counts = new Map<string, { height: number; width: number; count: number }>();
  for (const header of headers) {
    const size = framedSize(header, framing);
    const key = `${size.height}×${size.width}`;
    const entry = counts.get(key) ?? { ...size, count: 0 };
    entry.count++;
    counts.set(key, entry);
  }
  const [most] = [...counts.values()].toSorted((a, b) => b.count - a.count);
  if (most === undefined) return undefined;
  const colour = !framing.grey && headers.some((header) => header.channels === 3);
  return { kind: 'image', channels: colour ? 3 : 1, height: most.height, width: most.width };
}

/** Why a picture does not come to the shape of the set, if it does not. */
export function misfit(header: PictureHeader, shape: ImageShape, framing: Framing): string | undefined {
  const { height, width } = header;
  if (typeof framing.crop === 'number' && Math.min(height, width) < framing.crop)
    return `it is ${width}×${height} pixels, too small to cut out ${framing.crop}×${framing.crop}`;
  const size = framedSize(header, framing);
  if (size.height !== shape.height || size.width !== shape.width)
    return `it is ${width}×${height} pixels where most are ${shape.width}×${shape.height}`;
  return undefined;
}

/** The picture, or the part of it in `within`, in the given shape. */
export function framed(picture: Picture, shape: ImageShape, framing: Framing, within?: Box): Uint8Array {
  const { channels, height, width } = picture;
  const outer = within ? insideOf(within, height, width) : { top: 0, left: 0, height, width };
  const inner = cropBox(outer.height, outer.width, framing);
  const box = { ...inner, top: outer.top + inner.top, left: outer.left + inner.left };
  const cropped = box.height !== height || box.width !== width;
  const scaled = box.height !== shape.height || box.width !== shape.width;
  if (!cropped && !scaled && channels === shape.channels && !framing.mask) return picture.data;

  let image: Float32Array = Float32Array.from(picture.data);
  let planes: number = channels;
  if (cropped) image = cropImage(image, planes, height, width, box);
  if (planes === 3 && shape.channels === 1) {
    image = greyImage(image, box.height, box.width);
    planes = 1;
  }
  // Renderings fade into the white of the paper; the last few levels are paper too.
  if (framing.mask) image = image.map((value) => (value < 250 ? 255 : 0));
  if (scaled) image = resizeImage(image, planes, box.height, box.width, shape.height, shape.width);
  if (framing.mask) image = image.map((value) => (value < 127.5 ? 0 : 255));
  const plane = shape.height * shape.width;
  const out = new Uint8Array(shape.channels * plane);
  for (let i = 0; i < out.length; i++) out[i] = Math.round(image[planes === 1 ? i % plane : i]);
  return out;
}

/** The box cut down to what the picture has; the whole picture where they do not meet. */
function insideOf(box: Box, height: number, width: number): Box {
  const [top, left] = [Math.max(0, Math.round(box.top)), Math.max(0, Math.round(box.left))];
  const bottom = Math.min(height, Math.round(box.top + box.height));
  const right = Math.min(width, Math.round(box.left + box.width));
  if (!(bottom > top && right > left)) return { top: 0, left: 0, height, width };
  return { top, left, height: bottom - top, width: right - left };
}

/** What a picture comes to on its own. */
function framedSize({ height, width }: { height: number; width: number }, framing: Framing) {
  if (framing.size !== undefined) return { height: framing.size, width: framing.size };
  const box = cropBox(height, width, framing);
  return { height: box.height, width: box.width };
}

function cropBox(height: number, width: number, { crop }: Framing): Box {
  if (crop === undefined) return { top: 0, left: 0, height, width };
  const side = crop === true ? Math.min(height, width) : Math.min(crop, height, width);
  return { top: (height - side) >> 1, left: (width - side) >> 1, height: side, width: side };
}
