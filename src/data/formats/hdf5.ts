/**
 * Arrays in HDF5 files, read slice by slice through h5wasm, so that no more than a slice is ever in memory. Each file has a process
 * of its own, with bounded memory and patience: what a damaged one does to the library ends with it.
 */
import { z } from 'zod';
import { UntangleError } from '../../errors.ts';
import { startProcess } from '../../orders.ts';
import { withFile } from './files.ts';

export interface Hdf5Array {
  readonly shape: readonly number[];
  /** How many items along the first axis are packed together; slices of whole chunks are read fastest. */
  readonly chunk: number;
  /** The items from `from` up to, and without, `to` along the first axis. */
  slice(from: number, to: number): Promise<ArrayLike<number>>;
}

/** An array's facts, with its items where they are asked for; without a name, whether the file opens. */
export interface Hdf5Reading {
  order: { path: string; name?: string; from?: number; to?: number };
  news: undefined;
  result: unknown;
}

const answerSchema = z.object({
  shape: z.array(z.int().min(0)),
  chunk: z.int().min(1),
  values: z.custom<ArrayLike<number>>((value) => value === undefined || ArrayBuffer.isView(value)).optional(),
});

/** How long one answer may take, in milliseconds. */
const patience = 60_000;

/** Opens a file, lets `work` read arrays from it by name, and closes it. */
export async function withHdf5<T>(
  path: string,
  work: (array: (name: string) => Promise<Hdf5Array>) => Promise<T>,
): Promise<T> {
  await withFile(path, async () => {});
  const reader = startProcess<Hdf5Reading>('data/formats/hdf5-process.js', () => damaged(path), {
    execArgv: ['--max-old-space-size=1024'],
    env: { ...process.env, NODE_OPTIONS: '' },
  });
  const ask = async (order: Omit<Hdf5Reading['order'], 'path'>) => {
    const timer = setTimeout(() => reader.process.kill('SIGKILL'), patience);
    try {
      const answer = answerSchema.safeParse(await reader.order({ path, ...order }));
      if (!answer.success) throw damaged(path);
      return answer.data;
    } finally {
      clearTimeout(timer);
    }
  };
  try {
    await ask({});
    return await work(async (name) => {
      const { shape, chunk } = await ask({ name });
      return { shape, chunk, slice: async (from, to) => (await ask({ name, from, to })).values ?? [] };
    });
  } finally {
    reader.process.kill('SIGKILL');
  }
}

function damaged(path: string): UntangleError {
  return new UntangleError(`${path} can't be read as an HDF5 file: it is damaged, cut short or something else.`);
}
