/** Items as pictures: numbers in the data's range to pixels of a canvas, and a person's image to numbers of the model's shape. */
import { type ImageShape, itemSize, type ValueRange } from '../../src/model/index.ts';
import type { ModelFile } from '../../src/runs/index.ts';

export interface ImageFacts {
  shape: ImageShape;
  range: ValueRange;
}

/** The values that become black and white; standardised values are shown within three deviations. */
const limits = { binary: [0, 1], unit: [0, 1], symmetric: [-1, 1], real: [-3, 3] } as const;

/** The facts of image data; undefined for a table. */
export function imageFacts({ shape, range }: ModelFile['data']): ImageFacts | undefined {
  return shape.kind === 'image' ? { shape, range } : undefined;
}

/** Writes an item into pixels. */
function toPixels(item: Float32Array, { shape, range }: ImageFacts, image: ImageData): void {
  const [low, high] = limits[range];
  const plane = shape.height * shape.width;
  const scale = 255 / (high - low);
  for (let pixel = 0; pixel < plane; pixel++)
    for (let c = 0; c < 3; c++) {
      const value = item[(shape.channels >= 3 ? c : 0) * plane + pixel];
      image.data[4 * pixel + c] = (value - low) * scale;
    }
  for (let pixel = 0; pixel < plane; pixel++) image.data[4 * pixel + 3] = 255;
}

/** The pixels between items side by side. */
export const gapOf = ({ shape }: ImageFacts): number => Math.max(1, Math.round(shape.width / 16));

/** Draws items side by side, `columns` in a row. */
export function drawItems(
  canvas: HTMLCanvasElement,
  items: Float32Array,
  facts: ImageFacts,
  columns = 1,
  gap = 0,
): void {
  const { width, height } = facts.shape;
  const size = itemSize(facts.shape);
  const count = items.length / size;
  const rows = Math.ceil(count / columns);
  canvas.width = columns * (width + gap) - gap;
  canvas.height = rows * (height + gap) - gap;
  const context = canvas.getContext('2d');
  if (!context) return;
  const image = context.createImageData(width, height);
  for (let i = 0; i < count; i++) {
    toPixels(items.subarray(i * size, (i + 1) * size), facts, image);
    context.putImageData(image, (i % columns) * (width + gap), Math.floor(i / columns) * (height + gap));
  }
}

/** A person's image as the model takes it: its middle, brought to size, on white where it is transparent. */
export async function itemOfImage(file: File, { shape, range }: ImageFacts): Promise<Float32Array> {
  const bitmap = await createImageBitmap(file).catch(() => {
    throw new Error(`“${file.name}” is no picture that this browser can read.`);
  });
  const { width, height, channels } = shape;
  const canvas = new OffscreenCanvas(width, height);
  const context = canvas.getContext('2d', { willReadFrequently: true });
  if (!context) throw new Error('The browser gives no canvas.');
  const scale = Math.max(width / bitmap.width, height / bitmap.height);
  const [w, h] = [bitmap.width * scale, bitmap.height * scale];
  context.imageSmoothingQuality = 'high';
  context.fillStyle = 'white';
  context.fillRect(0, 0, width, height);
  context.drawImage(bitmap, (width - w) / 2, (height - h) / 2, w, h);
  bitmap.close();
  const { data } = context.getImageData(0, 0, width, height);
  const [low, high] = limits[range];
  const plane = width * height;
  const item = new Float32Array(channels * plane);
  for (let pixel = 0; pixel < plane; pixel++) {
    const [red, green, blue] = data.subarray(4 * pixel, 4 * pixel + 3);
    const grey = 0.299 * red + 0.587 * green + 0.114 * blue;
    for (let c = 0; c < channels; c++) {
      const value = channels === 1 ? grey : [red, green, blue][Math.min(c, 2)];
      item[c * plane + pixel] = low + (value / 255) * (high - low);
    }
  }
  return item;
}
