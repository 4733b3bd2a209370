/** What tests of methods with classes look at: a small set whose classes are soon learned, and how often a model names them. */
import { type Opened, openData, select, subset } from '../../data/index.ts';
import { stream } from '../../random/index.ts';
import type { RunData } from '../../training/data.ts';
import type { Session } from '../../training/session/session.ts';

/** 192 of the shapes: the largest ones, near the middle; by shape (3) and brightness (4). */
export async function middleShapes(): Promise<Opened> {
  const opened = await openData('shapes');
  if (opened.kind !== 'single') throw new Error('shapes is one set');
  const { data } = opened;
  const wanted = select(data, 'scale = 3 and x > 1 and x < 6 and y > 1 and y < 6');
  return { kind: 'single', data: subset(data, wanted) };
}

/** The share of items, of those whose labels were not seen, that the encoder names rightly, for each variable. */
export async function unseenAccuracy(session: Session, data: RunData): Promise<number[]> {
  const seen = new Set(data.labelled);
  const unseen = Uint32Array.from({ length: data.target.data.length }, (_, i) => i).filter((item) => !seen.has(item));
  const { program, model } = session.assembled;
  const encoded = await program.run('encode', { x: data.target.data.gather(unseen) });
  const blocks = model.blocks.filter(({ role }) => role === 'class');
  return data.variables.map(({ values }, k) => {
    const { name, size } = blocks[k];
    const probabilities = encoded[`${name} probabilities`];
    const right = unseen.filter((item, i) => {
      const row = probabilities.subarray(i * size, (i + 1) * size);
      return row.indexOf(Math.max(...row)) === values[item];
    });
    return right.length / unseen.length;
  });
}

/** Pictures of each class from the same codes: the decoder is given zeros, or noise where given, in every other block. */
export async function drawnOfClasses(session: Session, count: number, noise?: Float32Array): Promise<Float32Array[]> {
  const { program, model } = session.assembled;
  const [ofClass, ...others] = model.blocks;
  const codes = Object.fromEntries(
    others.map(({ name, size }) => [name, noise?.subarray(0, count * size) ?? new Float32Array(count * size)]),
  );
  const pictures = [];
  for (let k = 0; k < ofClass.size; k++) {
    const code = new Float32Array(count * ofClass.size).map((_, at) => (at % ofClass.size === k ? 1 : 0));
    pictures.push((await program.run('decode', { ...codes, [ofClass.name]: code })).x);
  }
  return pictures;
}

/** The mean picture of rows. */
export function meanPicture(rows: Float32Array, count: number): Float64Array {
  const size = rows.length / count;
  const mean = new Float64Array(size);
  for (let i = 0; i < rows.length; i++) mean[i % size] += rows[i] / count;
  return mean;
}

/** The Euclidean distance of two pictures. */
export function distance(one: ArrayLike<number>, other: ArrayLike<number>): number {
  let sum = 0;
  for (let i = 0; i < one.length; i++) sum += (one[i] - other[i]) ** 2;
  return Math.sqrt(sum);
}

/** The mean picture of each class of the data. */
export function classMeans({ target: { data }, variables: [{ classes, values }] }: RunData): Float64Array[] {
  const all = Uint32Array.from({ length: data.length }, (_, i) => i);
  return classes.map((_, k) => {
    const members = all.filter((item) => values[item] === k);
    return meanPicture(data.gather(members), members.length);
  });
}

/** Two heaps of points in the plane, left and right of the middle: what a generator with classes learns at once. */
export function heaps(count = 512): Opened {
  const random = stream(1, 'heaps');
  const values = random
    .normals(2 * count)
    .map((value, at) => 0.3 * value + (at % 2 === 0 ? (at % 4 === 0 ? -1 : 1) : 0));
  return {
    kind: 'single',
    data: {
      name: 'heaps',
      title: 'Heaps',
      shape: { kind: 'table', columns: ['x', 'y'] },
      range: 'real',
      length: count,
      gather(indices, out = new Float32Array(2 * indices.length)) {
        for (let i = 0; i < indices.length; i++) out.set(values.subarray(2 * indices[i], 2 * indices[i] + 2), 2 * i);
        return out;
      },
      labels: { names: ['left', 'right'], values: Uint16Array.from({ length: count }, (_, i) => i % 2) },
      fingerprint: 'heaps',
    },
  };
}
