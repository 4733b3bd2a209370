/** NumPy's archive of arrays: a zip whose entries are .npy files. Arrays are read when they are asked for. */
import { UntangleError, unknownName } from '../../errors.ts';
import { encodeNpy, type NpyArray, parseNpy, streamNpy } from './npy.ts';
import type { NumberArray, NumberType } from './numbers.ts';
import { openZip, readEntry, streamEntry, writeZip, type ZipEntry } from './zip.ts';

export interface Npz {
  readonly path: string;
  /** The arrays' names, without `.npy`. */
  readonly names: string[];
  read(name: string): Promise<NpyArray>;
  /** Numbers piece by piece, as `streamNpy` gives them. */
  stream(
    name: string,
    take: {
      start: (header: { shape: number[]; type: NumberType }) => void;
      next: (values: NumberArray, at: number) => void;
    },
  ): Promise<void>;
}

/**
 * Opens an .npz archive.
 *
 * @example const { names, read } = await openNpz('digits.npz')
 */
export async function openNpz(path: string): Promise<Npz> {
  const zip = await openZip(path);
  const entries = new Map<string, ZipEntry>();
  for (const entry of zip.entries) {
    if (entry.name.endsWith('.npy')) entries.set(entry.name.slice(0, -4), entry);
  }
  if (entries.size === 0) throw new UntangleError(`${path} holds no arrays: none of its entries ends in .npy.`);
  const names = [...entries.keys()];
  const find = (name: string) => {
    const entry = entries.get(name);
    if (!entry) throw unknownName(`array in ${path} with the name`, name, names);
    return entry;
  };
  const called = (name: string) => `“${name}” in ${path}`;
  return {
    path,
    names,
    read: async (name) => parseNpy(await readEntry(zip, find(name)), called(name)),
    stream: (name, take) => streamNpy(streamEntry(zip, find(name)), called(name), take),
  };
}

/** Writes arrays into an .npz archive, whole or not at all. */
export async function writeNpz(
  path: string,
  arrays: Record<string, { shape: readonly number[]; data: NumberArray | readonly string[] }>,
): Promise<void> {
  const entries = Object.entries(arrays).map(([name, { shape, data }]) => ({
    name: `${name}.npy`,
    data: encodeNpy(shape, data),
  }));
  await writeZip(path, entries);
}
