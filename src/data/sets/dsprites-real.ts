/**
 * The real dSprites file. Its pictures unfold to 3 GB, so they are packed once to a bit a pixel with the empty rows left out
 * (some 100 MB), and that is kept on disk with a checksum.
 */
import { createHash } from 'node:crypto';
import { UntangleError } from '../../errors.ts';
import { prepare, preparedFolder } from '../cache.ts';
import { type Dataset, fingerprint, gatherBy, range } from '../dataset.ts';
import { streamRange } from '../formats/files.ts';
import { openNpz } from '../formats/npz.ts';
import { subset } from '../split.ts';
import type { OpenOptions } from './built-in.ts';
import { factorSizes, shapeNames } from './dsprites-geometry.ts';
import { side } from './dsprites-sprites.ts';

/** Opens the file as it is, or with every second orientation, x and y. */
export async function openRealDsprites(path: string, options: OpenOptions & { step?: 1 | 2 }): Promise<Dataset> {
  const hash = createHash('sha256');
  for await (const piece of streamRange(path)) hash.update(piece);
  const file = await prepare({
    folder: await preparedFolder(options.dataDir),
    name: 'dsprites.real',
    key: `packed rows, version 1, of ${hash.digest('hex')}`,
    build: async (write) => {
      for (const part of await pack(path, options)) {
        await write(new Uint8Array(part.buffer, part.byteOffset, part.byteLength));
      }
    },
  });
  const all = packedDsprites(file.load());
  if (options.step !== 2) return all;
  const classes = all.factors?.values ?? new Float32Array();
  const small = range(0, all.length).filter((i) => [2, 3, 4].every((k) => classes[i * 5 + k] % 2 === 0));
  return subset(all, small, 'dsprites-small');
}

/** The five factors in the file's order; the file has colour, which never changes, before them. */
const counts = [factorSizes.shape, factorSizes.scale, factorSizes.orientation, factorSizes.x, factorSizes.y];

/** Packs the pictures: [count], where each picture's rows start, the rows, each picture's first row, the factors. */
async function pack(path: string, { onProgress }: OpenOptions): Promise<(Uint32Array | Uint8Array)[]> {
  const npz = await openNpz(path);
  const plane = side * side;
  let length = 0;
  let starts = new Uint32Array(1);
  let tops = new Uint8Array(0);
  let rows = new Uint8Array(1 << 20);
  let used = 0;
  const picture = new Uint8Array(plane);
  function add(index: number): void {
    const top = Math.floor(Math.max(0, picture.indexOf(1)) / side);
    const bottom = Math.ceil((picture.lastIndexOf(1) + 1) / side);
    tops[index] = top;
    if (used + 8 * side > rows.length) {
      const larger = new Uint8Array(rows.length * 2);
      larger.set(rows);
      rows = larger;
    }
    for (let at = top * side; at < bottom * side; at += 8) {
      let byte = 0;
      for (let bit = 0; bit < 8; bit++) byte |= picture[at + bit] << bit;
      rows[used++] = byte;
    }
    starts[index + 1] = used / 8;
  }
  await npz.stream('imgs', {
    start: ({ shape, type }) => {
      if (shape.length !== 3 || shape[1] !== side || shape[2] !== side || (type !== 'u1' && type !== 'b1')) {
        throw unexpected(path, `its pictures have the shape ${shape.join(' × ')}`);
      }
      length = shape[0];
      if (length > counts.reduce((product, count) => product * count, 1))
        throw unexpected(path, `it has ${length} pictures`);
      starts = new Uint32Array(length + 1);
      tops = new Uint8Array(length);
    },
    next: (values, position) => {
      for (let i = 0; i < values.length; ) {
        const at = (position + i) % plane;
        const count = Math.min(plane - at, values.length - i);
        for (let k = 0; k < count; k++) {
          if (values[i + k] > 1) throw unexpected(path, 'a pixel is neither 0 nor 1');
          picture[at + k] = values[i + k];
        }
        i += count;
        if (at + count !== plane) continue;
        const done = (position + i) / plane;
        add(done - 1);
        if (done % 4096 === 0) onProgress?.({ what: 'packing dSprites', done, total: length });
      }
    },
  });
  const classes = await npz.read('latents_classes');
  if (
    classes.kind !== 'numbers' ||
    classes.shape.length !== 2 ||
    classes.shape[0] !== length ||
    classes.shape[1] !== 6
  ) {
    throw unexpected(path, `its latents_classes have the shape ${classes.shape.join(' × ')}`);
  }
  const factors = Uint8Array.from({ length: length * 5 }, (_, i) => {
    const value = Number(classes.data[Math.floor(i / 5) * 6 + 1 + (i % 5)]);
    if (!(value >= 0 && value < counts[i % 5])) throw unexpected(path, `a factor has the value ${value}`);
    return value;
  });
  return [Uint32Array.of(length), starts, rows.subarray(0, used), tops, factors];
}

/** The set on its packed pictures. */
function packedDsprites(bytes: Uint8Array<ArrayBuffer>): Dataset {
  const [length] = new Uint32Array(bytes.buffer, 0, 1);
  const starts = new Uint32Array(bytes.buffer, 4, length + 1);
  const rows = bytes.subarray(4 + 4 * (length + 1), 4 + 4 * (length + 1) + 8 * starts[length]);
  const tops = new Uint8Array(bytes.buffer, rows.byteOffset + rows.length, length);
  const factors = new Uint8Array(bytes.buffer, tops.byteOffset + length, 5 * length);
  return {
    name: 'dsprites',
    title: 'dSprites',
    shape: { kind: 'image', channels: 1, height: side, width: side },
    range: 'binary',
    length,
    factors: {
      factors: ['shape', 'scale', 'orientation', 'x', 'y'].map((name, k) => ({
        name,
        kind: 'discrete',
        size: counts[k],
      })),
      values: Float32Array.from(factors),
    },
    labels: { names: shapeNames, values: Uint16Array.from({ length }, (_, i) => factors[5 * i]) },
    fingerprint: fingerprint('dsprites', bytes),
    gather: gatherBy({ name: 'dsprites', length, size: side * side }, (index, out, start) => {
      out.fill(0, start, start + side * side);
      let to = start + tops[index] * side;
      for (let at = 8 * starts[index]; at < 8 * starts[index + 1]; at++, to += 8) {
        for (let byte = rows[at], bit = 0; byte !== 0; byte >>= 1, bit++) out[to + bit] = byte & 1;
      }
    }),
  };
}

function unexpected(path: string, what: string): UntangleError {
  return new UntangleError(`${path} is not the dSprites file: ${what}.`, {
    hint: 'It holds imgs (737280 × 64 × 64, zeros and ones) and latents_classes (737280 × 6).',
  });
}
