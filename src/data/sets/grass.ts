/**
 * Patches of grass, 28×28, in place of ImageNet's grass pictures. One CC0 photograph is cropped from 28 pixels to its whole
 * width, turned and flipped; the light on it varies as it does between photographs: exposure, contrast, colour, a slope and a
 * shadow. That slow variation is what a common code can hold; a bare texture is noise to it.
 */
import { readFile } from 'node:fs/promises';
import { UntangleError } from '../../errors.ts';
import type { Factors } from '../../model/index.ts';
import { type Stream, stream } from '../../random/index.ts';
import { decodePng } from '../formats/png.ts';

export const patchSide = 28;
const plane = patchSide * patchSide;

export interface GrassPatches {
  /** Three planes for each patch, or one if grey. */
  pixels: Uint8Array;
  factors: Factors;
}

/** Draws `count` patches by the seed. */
export async function grassPatches(
  count: number,
  { seed, grey }: { seed: number; grey: boolean },
): Promise<GrassPatches> {
  const levels = halvings(await photograph());
  const channels = grey ? 1 : 3;
  const pixels = new Uint8Array(count * channels * plane);
  const values = new Float32Array(count * factorNames.length);
  const texture = new Float32Array(plane);
  for (let i = 0; i < count; i++) {
    const view = drawView(stream(seed, 'grass', i));
    crop(levels, view, texture);
    light(texture, view, channels, pixels.subarray(i * channels * plane, (i + 1) * channels * plane));
    factorNames.forEach((name, k) => {
      values[i * factorNames.length + k] = view[name];
    });
  }
  const factors = factorNames.map((name) => ({ name: words[name], kind: 'continuous' as const, size: 0 }));
  return { pixels, factors: { factors, values } };
}

/** One way to look at the grass, and the light on it. */
interface View {
  /** Doublings of the crop from 28 pixels on. */
  zoom: number;
  centreX: number;
  centreY: number;
  angle: number;
  isFlipped: boolean;
  /** Natural logarithm of the exposure. */
  brightness: number;
  contrast: number;
  /** Change of the logarithm of light from one side to the other. */
  slopeX: number;
  slopeY: number;
  /** A soft spot, darker where negative, with its place in [−1, 1]². */
  spot: number;
  spotX: number;
  spotY: number;
  /** Logarithms of colour gains: red against blue, and green against both. */
  warmth: number;
  green: number;
}

const words = {
  zoom: 'zoom',
  brightness: 'brightness',
  contrast: 'contrast',
  slopeX: 'slope of light x',
  slopeY: 'slope of light y',
  spot: 'spot of light',
  warmth: 'warmth',
  green: 'green',
} as const;

const factorNames = Object.keys(words).filter((name): name is keyof typeof words => name in words);

/** Spreads are of the order of those between photographs: a third of a stop in exposure and up to one across a picture. */
function drawView(random: Stream): View {
  return {
    zoom: random.uniform() * Math.log2(512 / patchSide),
    centreX: random.uniform(),
    centreY: random.uniform(),
    angle: random.uniform() * 2 * Math.PI,
    isFlipped: random.uniform() < 0.5,
    brightness: 0.05 + 0.25 * random.normal(),
    contrast: 0.4 + random.uniform(),
    slopeX: 0.5 * random.normal(),
    slopeY: 0.5 * random.normal(),
    spot: 0.5 * random.normal(),
    spotX: random.uniform() * 2 - 1,
    spotY: random.uniform() * 2 - 1,
    warmth: 0.15 * random.normal(),
    green: 0.1 * random.normal(),
  };
}

/** The grey level that contrast turns about: the photograph's mean. */
const middle = 0.464;

/** The mean colour of grass over its brightness. */
const grassColour = [0.92, 1.12, 0.62];

/** Lights a texture: exposure × slope × spot × colour × texture, clipped to the range of a picture. */
function light(texture: Float32Array, view: View, channels: number, out: Uint8Array): void {
  const gains = [view.warmth - view.green, view.green, -view.warmth - view.green].map(
    (gain, c) => grassColour[c] * Math.exp(gain),
  );
  const greyGain = 0.299 * gains[0] + 0.587 * gains[1] + 0.114 * gains[2];
  const x = spread((place) => view.slopeX * place);
  const y = spread((place) => view.slopeY * place);
  const nearX = spread((place) => Math.exp(-((place - view.spotX) ** 2) / spotSpread));
  const nearY = spread((place) => Math.exp(-((place - view.spotY) ** 2) / spotSpread));
  for (let row = 0, i = 0; row < patchSide; row++) {
    for (let column = 0; column < patchSide; column++, i++) {
      const logLight = view.brightness + (x[column] + y[row]) / 2 + view.spot * nearX[column] * nearY[row];
      const shade = Math.max(0, middle + view.contrast * (texture[i] - middle)) * Math.exp(logLight);
      for (let c = 0; c < channels; c++) {
        out[c * plane + i] = Math.min(255, 255 * shade * (channels === 1 ? greyGain : gains[c]) + 0.5);
      }
    }
  }
}

/** Twice the variance of a spot of light, whose deviation is a fifth of the patch's side. */
const spotSpread = 2 * 0.4 ** 2;

/** A function of the place in [−1, 1] across a patch, at each pixel. */
function spread(value: (place: number) => number): Float64Array {
  return Float64Array.from({ length: patchSide }, (_, k) => value(((k + 0.5) / patchSide) * 2 - 1));
}

/** One picture, its side a power of two. */
interface Level {
  side: number;
  pixels: Float32Array;
}

async function photograph(): Promise<Level> {
  const path = new URL('../../../assets/grass.png', import.meta.url);
  try {
    const { width, height, channels, data } = decodePng(await readFile(path), 'assets/grass.png');
    if (width === 512 && height === 512 && channels === 1) {
      return { side: width, pixels: Float32Array.from(data, (value) => value / 255) };
    }
  } catch (error) {
    throw new UntangleError('The photograph assets/grass.png is missing or damaged.', {
      hint: 'Install untangle again.',
      cause: error,
    });
  }
  throw new UntangleError('The photograph assets/grass.png is another picture.', { hint: 'Install untangle again.' });
}

/** The picture at its own size, then each time half of it, so that large crops do not alias. */
function halvings(picture: Level): Level[] {
  const levels = [picture];
  for (let last = picture; last.side > 16; ) {
    const side = last.side / 2;
    const pixels = new Float32Array(side * side);
    for (let y = 0; y < side; y++) {
      for (let x = 0; x < side; x++) {
        const at = 2 * y * last.side + 2 * x;
        const { pixels: p } = last;
        pixels[y * side + x] = (p[at] + p[at + 1] + p[at + last.side] + p[at + last.side + 1]) / 4;
      }
    }
    last = { side, pixels };
    levels.push(last);
  }
  return levels;
}

/** Cuts a turned square out of the picture, which is mirrored beyond its edges, between the two levels that fit its zoom. */
function crop(levels: Level[], view: View, out: Float32Array): void {
  const step = 2 ** view.zoom / levels[0].side;
  const cos = Math.cos(view.angle) * step;
  const sin = Math.sin(view.angle) * step;
  const below = Math.min(Math.floor(view.zoom), levels.length - 2);
  const share = view.zoom - below;
  for (let i = 0; i < plane; i++) {
    const across = (i % patchSide) + 0.5 - patchSide / 2;
    const dx = view.isFlipped ? -across : across;
    const dy = Math.floor(i / patchSide) + 0.5 - patchSide / 2;
    const x = view.centreX + cos * dx - sin * dy;
    const y = view.centreY + sin * dx + cos * dy;
    out[i] = (1 - share) * sample(levels[below], x, y) + share * sample(levels[below + 1], x, y);
  }
}

/** Bilinear, at a place in units of the picture's side. */
function sample({ side, pixels }: Level, x: number, y: number): number {
  const px = x * side - 0.5;
  const py = y * side - 0.5;
  const left = Math.floor(px);
  const top = Math.floor(py);
  const x0 = mirror(left, side);
  const x1 = mirror(left + 1, side);
  const y0 = mirror(top, side) * side;
  const y1 = mirror(top + 1, side) * side;
  const fx = px - left;
  const fy = py - top;
  const upper = (1 - fx) * pixels[y0 + x0] + fx * pixels[y0 + x1];
  const lower = (1 - fx) * pixels[y1 + x0] + fx * pixels[y1 + x1];
  return (1 - fy) * upper + fy * lower;
}

function mirror(position: number, side: number): number {
  if (position >= 0 && position < side) return position;
  const turned = ((position % (2 * side)) + 2 * side) % (2 * side);
  return turned < side ? turned : 2 * side - 1 - turned;
}
