/**
 * Styled MNIST, the digit set of the reference-based paper (Rb-VAE, section 5.1 and appendix C.1): outlines of digits, 64×64.
 * Half of the training digits are the reference; the other half is given a stroke width, a colour and a size, twice at random.
 * The paper does not name its edge detector, so the width of the reference's outlines is an option.
 * Digits from the test part, styled likewise, make the two folds of 5,000 on which factors are predicted.
 */

import type { Factor } from '../../model/index.ts';
import { type Stream, stream } from '../../random/index.ts';
import { type Dataset, fingerprint, gatherBy, type Opened, range } from '../dataset.ts';
import { resampleImage, triangleTaps } from '../images/resize.ts';
import { type BuiltIn, type OpenOptions, partOf } from './built-in.ts';
import { fromMnist, type MnistPart, readMnist } from './mnist.ts';
import { dilate, outline, outlineSide, unpackBits } from './strokes.ts';

/**
 * How wide plain digits are drawn, in pixels. One is the bare boundary, which is not learned from plain digits: whoever does not
 * know it to the pixel errs least, in ℓ₁, with a black image.
 */
const outlines: Readonly<Record<string, number>> = { 'outline-3': 3, 'outline-1': 1 };

export const styledMnist: BuiltIn = {
  title: 'Styled MNIST',
  what: '60,000 + 2 × 5,000 outlined digits in varying colour, size and stroke width (target), 30,000 plain ones (background), 64×64 RGB',
  licence: 'CC BY-SA 3.0 (MNIST)',
  ...fromMnist,
  get: `Generated from MNIST. ${fromMnist.get}`,
  parts: Object.keys(outlines),
  open: openStyled,
};

/** Every factor runs over [0, 1]: so the guess of a mean errs by 0.192 over all, as the paper's probes of z do (.195, .189). */
const factors: Factor[] = ['R', 'G', 'B', 'scale', 'width'].map((name) => ({ name, kind: 'continuous', size: 0 }));

/** Sizes and strokes of appendix C.1. */
const [smallest, largest] = [0.5, 1];
const [thinnest, widest] = [1, 10];

const foldSize = 5000;

async function openStyled({ seed = 0, part: asked, dataDir }: OpenOptions): Promise<Opened> {
  const part = partOf(styledMnist, asked);
  const [train, test] = await Promise.all([readMnist('train', dataDir), readMnist('t10k', dataDir)]);
  const order = stream(seed, 'halves of MNIST').permutation(train.count);
  const half = train.count / 2;
  const plain = order.slice(0, half).sort();
  const other = order.slice(half).sort();
  const folds = stream(seed, 'folds of MNIST').permutation(test.count);
  const sources = new Uint32Array(2 * half + 2 * foldSize);
  sources.set(other);
  sources.set(other, half);
  sources.set(
    folds.map((digit) => train.count + digit),
    2 * half,
  );
  const styles = drawStyles(stream(seed, 'styles'), sources.length);
  // A plain digit is white, at full size.
  const plainStyle = [1, 1, 1, 1, (outlines[part] - thinnest) / (widest - thinnest)];
  const white = Float32Array.from({ length: plain.length * factors.length }, (_, i) => plainStyle[i % factors.length]);
  const folded = 2 * half + foldSize;
  return {
    kind: 'contrast',
    target: {
      ...drawn('styled-mnist', styledMnist.title, { train, test }, sources, styles),
      factors: { factors, values: styles },
      split: {
        train: range(0, 2 * half),
        validation: range(2 * half, folded),
        test: range(folded, folded + foldSize),
      },
    },
    background: drawn('styled-mnist background', `${styledMnist.title}: plain`, { train, test }, plain, white),
  };
}

/** Width uniform in 1 … 10 pixels; colour uniform in [0, 1]³ over its sum; size uniform in [½, 1]; both as shares of their range. */
function drawStyles(random: Stream, count: number): Float32Array {
  const styles = new Float32Array(count * factors.length);
  for (let i = 0, at = 0; i < count; i++) {
    const wider = random.integer(widest - thinnest + 1);
    const colour = [random.uniform(), random.uniform(), random.uniform()];
    const sum = colour[0] + colour[1] + colour[2];
    for (const part of colour) styles[at++] = part / sum;
    styles[at++] = random.uniform();
    styles[at++] = wider / (widest - thinnest);
  }
  return styles;
}

/** Digits drawn in their styles as they are gathered. */
function drawn(
  name: string,
  title: string,
  digits: { train: MnistPart; test: MnistPart },
  sources: Uint32Array,
  styles: Float32Array,
): Dataset {
  const plane = outlineSide * outlineSide;
  const digit = new Float32Array(28 * 28);
  const bits = new Uint32Array(2 * outlineSide);
  const strokes = new Float32Array(plane);
  const scaled = new Float32Array(plane);
  const place = (source: number) =>
    source < digits.train.count
      ? { part: digits.train, index: source }
      : { part: digits.test, index: source - digits.train.count };

  function draw(item: number, out: Float32Array, to: number): void {
    const { part, index } = place(sources[item]);
    for (let i = 0; i < digit.length; i++) digit[i] = part.images[index * digit.length + i] / 255;
    const style = item * factors.length;
    const width = Math.round(thinnest + styles[style + 4] * (widest - thinnest));
    unpackBits(dilate(outline(digit, bits), width), strokes);
    const image = zoomed(strokes, smallest + styles[style + 3] * (largest - smallest), scaled);
    for (let c = 0; c < 3; c++) {
      const gain = 2 * styles[style + c];
      for (let i = 0; i < plane; i++) out[to + c * plane + i] = gain * image[i] - 1;
    }
  }
  return {
    name,
    title,
    shape: { kind: 'image', channels: 3, height: outlineSide, width: outlineSide },
    range: 'symmetric',
    length: sources.length,
    labels: {
      names: [...'0123456789'],
      values: Uint16Array.from(sources, (source) => {
        const { part, index } = place(source);
        return part.labels[index];
      }),
    },
    fingerprint: fingerprint(name, sources, styles, thinnest, widest),
    gather: gatherBy({ name, length: sources.length, size: 3 * plane }, draw),
  };
}

/** Shrinks about the centre; the margin is empty. */
function zoomed(image: Float32Array, scale: number, out: Float32Array): Float32Array {
  if (scale === 1) return image;
  const taps = triangleTaps(outlineSide, outlineSide, 1 / scale, (outlineSide - outlineSide / scale) / 2);
  resampleImage(image, 1, outlineSide, outlineSide, taps, taps, out);
  return out;
}
