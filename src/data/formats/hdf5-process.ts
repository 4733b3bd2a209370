/**
 * The process that reads an HDF5 file for `hdf5.ts`. It is a process of its own because a damaged file leaves the library, which
 * is WebAssembly with one memory, in a state in which whole files fail too.
 */
import type { Dataset, File } from 'h5wasm/node';
import { UntangleError } from '../../errors.ts';
import { checkMemory } from '../../memory.ts';
import { carryOutOrders } from '../../orders.ts';
import type { Hdf5Reading } from './hdf5.ts';

let open: { path: string; file: File } | undefined;

carryOutOrders<Hdf5Reading>(async ({ path, name, from, to }) => {
  const h5wasm = await import('h5wasm/node');
  const library = await h5wasm.ready;
  // Otherwise the library prints its errors, and goes on without the file.
  library.activate_throwing_error_handler();
  open ??= { path, file: explained(path, () => new h5wasm.File(path, 'r')) };
  const { file } = open;
  if (name === undefined) return { shape: [], chunk: 1 };
  const found = explained(path, () => (file.keys().includes(name) ? file.get(name) : undefined));
  if (!(found instanceof h5wasm.Dataset)) throw new UntangleError(`${path} holds no array “${name}”.`);
  const facts = factsOf(path, name, found);
  if (from === undefined || to === undefined) return facts;
  const items = facts.shape.slice(1).reduce((product, side) => product * side, 1);
  checkMemory(`The array “${name}” of ${path}`, 16 * (to - from) * items);
  const values = explained(path, () => found.slice([[from, to]]));
  if (!ArrayBuffer.isView(values) || values instanceof BigInt64Array || values instanceof BigUint64Array)
    throw new UntangleError(`The array “${name}” of ${path} does not hold plain numbers.`);
  return { ...facts, values };
});

function factsOf(path: string, name: string, found: Dataset): { shape: number[]; chunk: number } {
  const { shape, chunks } = explained(path, () => found.metadata);
  if (!shape || shape.length === 0) throw new UntangleError(`The array “${name}” of ${path} has no axes.`);
  return { shape, chunk: chunks?.[0] ?? 1 };
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
