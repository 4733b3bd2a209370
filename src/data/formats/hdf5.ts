/** Arrays in HDF5 files, read slice by slice through h5wasm, so that no more than a slice is ever in memory. */
import { UntangleError } from '../../errors.ts';
import { withFile } from './files.ts';

export interface Hdf5Array {
  readonly shape: readonly number[];
  /** How many items along the first axis are packed together; slices of whole chunks are read fastest. */
  readonly chunk: number;
  /** The items from `from` up to, and without, `to` along the first axis. */
  slice(from: number, to: number): ArrayLike<number>;
}

/** Opens a file, lets `work` read arrays from it by name, and closes it. */
export async function withHdf5<T>(path: string, work: (array: (name: string) => Hdf5Array) => Promise<T>): Promise<T> {
  await withFile(path, async () => {});
  const h5wasm = await import('h5wasm/node');
  const library = await h5wasm.ready;
  // Otherwise the library prints its errors, and goes on without the file.
  library.activate_throwing_error_handler();
  const file = explained(path, () => new h5wasm.File(path, 'r'));
  try {
    return await work((name) => {
      const found = explained(path, () => (file.keys().includes(name) ? file.get(name) : undefined));
      if (!(found instanceof h5wasm.Dataset)) throw new UntangleError(`${path} holds no array “${name}”.`);
      const { shape, chunks } = explained(path, () => found.metadata);
      if (!shape || shape.length === 0) throw new UntangleError(`The array “${name}” of ${path} has no axes.`);
      return {
        shape,
        chunk: chunks?.[0] ?? 1,
        slice: (from, to) => {
          const value = explained(path, () => found.slice([[from, to]]));
          if (!ArrayBuffer.isView(value) || value instanceof BigInt64Array || value instanceof BigUint64Array)
            throw new UntangleError(`The array “${name}” of ${path} does not hold plain numbers.`);
          return value;
        },
      };
    });
  } finally {
    file.close();
  }
}

function explained<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (cause) {
    if (cause instanceof UntangleError) throw cause;
    throw new UntangleError(`${path} can't be read as an HDF5 file: it is damaged, cut short or something else.`, {
      cause,
    });
  }
}
