/** A dataset seen through a lens: its images at another size, in grey, or with other numbers for black and white. Nothing is computed before an item is asked for. */
import { UntangleError } from '../../errors.ts';
import { itemSize } from '../../model/index.ts';
import { type Dataset, fingerprint } from '../dataset.ts';
import { greyImage, resampleImage, tapsFor } from './resize.ts';

/** Images at `size` × `size`, resized as they are gathered: a digit takes a few microseconds. */
export function resized(data: Dataset, size: number): Dataset {
  if (data.shape.kind !== 'image') throw notAnImage(data, 'resized');
  const { channels, height, width } = data.shape;
  if (height === size && width === size) return data;
  const shape = { ...data.shape, height: size, width: size };
  const rows = tapsFor(height, size);
  const columns = tapsFor(width, size);
  return imageView(data, shape, ['size', size], (image, out) =>
    resampleImage(image, channels, height, width, rows, columns, out),
  );
}

/** Colour images in grey; grey ones as they are. */
export function greyed(data: Dataset): Dataset {
  if (data.shape.kind !== 'image') throw notAnImage(data, 'made grey');
  if (data.shape.channels !== 3) return data;
  const { height, width } = data.shape;
  return imageView(data, { ...data.shape, channels: 1 }, ['grey'], (image, out) =>
    out.set(greyImage(image, height, width)),
  );
}

/** Images with other numbers for black and white: from 0 to 1, or from −1 to 1. */
export function ranged(data: Dataset, range: 'unit' | 'symmetric'): Dataset {
  if (data.shape.kind !== 'image') throw notAnImage(data, 'brought to another range');
  if (data.range === range || data.range === 'real') return data;
  const [scale, shift] = range === 'symmetric' ? [2, -1] : data.range === 'symmetric' ? [0.5, 0.5] : [1, 0];
  const view = imageView(data, data.shape, ['range', range], (image, out) => {
    for (let i = 0; i < image.length; i++) out[i] = scale * image[i] + shift;
  });
  return { ...view, range };
}

function imageView(
  data: Dataset,
  shape: Dataset['shape'],
  change: (string | number)[],
  convert: (image: Float32Array, out: Float32Array) => void,
): Dataset {
  const from = itemSize(data.shape);
  const to = itemSize(shape);
  const one = new Float32Array(from);
  return {
    ...data,
    shape,
    range: data.range === 'binary' ? 'unit' : data.range,
    fingerprint: fingerprint(data.fingerprint, ...change),
    gather(indices, out = new Float32Array(indices.length * to)) {
      for (let i = 0; i < indices.length; i++) {
        convert(data.gather([indices[i]], one), out.subarray(i * to, (i + 1) * to));
      }
      return out;
    },
  };
}

function notAnImage(data: Dataset, what: string): UntangleError {
  return new UntangleError(`${data.name} is a table; only images can be ${what}.`, { kind: 'call' });
}
