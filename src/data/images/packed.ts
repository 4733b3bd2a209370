/**
 * Pictures as bytes of one shape in one prepared file, with a note on where they came from. Small sets stay in memory; of
 * large ones each picture is read when it is asked for, so a set may be larger than memory.
 */
import { statfs } from 'node:fs/promises';
import type { z } from 'zod';
import type { Write } from '../../disk.ts';
import { UntangleError } from '../../errors.ts';
import type { ImageShape } from '../../model/index.ts';
import { prepare, preparedFolder } from '../cache.ts';
import { type Dataset, gatherBy } from '../dataset.ts';

export interface Packed<Note> {
  readonly note: Note;
  readonly length: number;
  /** The pictures at `indices` as numbers in [0, 1]. */
  readonly gather: Dataset['gather'];
}

/** Sets up to this many bytes are held in memory. */
const inMemory = 256 * 2 ** 20;

/**
 * Opens the packed pictures of `key`, after `build` has written them one after the other and given back the note on them.
 *
 * @example await packPictures({ name: 'cats', key, note: schema, build: async (write) => { await write(pixels); return note } })
 */
export async function packPictures<Note extends { shape: ImageShape }>(options: {
  name: string;
  key: string;
  dataDir?: string;
  /** What the note must look like when it is read back. */
  note: z.ZodType<Note>;
  build: (write: Write) => Promise<Note>;
}): Promise<Packed<Note>> {
  const folder = await preparedFolder(options.dataDir);
  const file = await prepare({
    folder,
    name: `${safeName(options.name)}.pictures`,
    key: options.key,
    build: async (write) => {
      const note = Buffer.from(JSON.stringify(await options.build(write)));
      const length = Buffer.alloc(8);
      length.writeBigUInt64LE(BigInt(note.length));
      await write(note);
      await write(length);
    },
  });

  const tail = Buffer.alloc(8);
  file.read(file.length - 8, tail);
  const noteBytes = Buffer.alloc(Number(tail.readBigUInt64LE()));
  file.read(file.length - 8 - noteBytes.length, noteBytes);
  const note = options.note.parse(JSON.parse(noteBytes.toString('utf8')));

  const { channels, height, width } = note.shape;
  const size = channels * height * width;
  const bytes = file.length - 8 - noteBytes.length;
  const length = bytes / size;
  const all = bytes <= inMemory ? file.load() : undefined;
  const one = new Uint8Array(size);

  return {
    note,
    length,
    gather: gatherBy({ name: options.name, length, size }, (item, out, at) => {
      if (all === undefined) file.read(item * size, one);
      const [source, from] = all === undefined ? [one, 0] : [all, item * size];
      for (let i = 0; i < size; i++) out[at + i] = unit[source[from + i]];
    }),
  };
}

/** Says so in time if what is to be prepared will not fit on the disk. */
export async function checkRoom(bytes: number, dataDir?: string): Promise<void> {
  const folder = await preparedFolder(dataDir);
  const { bavail, bsize } = await statfs(folder);
  if (bytes > bavail * bsize)
    throw new UntangleError(
      `Preparing the pictures takes ${gigabytes(bytes)} in ${folder}, where ${gigabytes(bavail * bsize)} are free.`,
      { hint: 'Choose a smaller --size, or another place with --data-dir.' },
    );
}

const unit = Float32Array.from({ length: 256 }, (_, value) => value / 255);

const gigabytes = (bytes: number) => `${(bytes / 1e9).toFixed(1)} GB`;

function safeName(name: string): string {
  return name.replace(/[^a-zA-Z0-9._-]+/g, '-');
}
