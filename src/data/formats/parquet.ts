/**
 * Parquet tables, read by hyparquet in a process of its own with bounded memory and patience: its decoders trust the file,
 * and a damaged one can make them fill the memory or never end. Here that ends the process, with a sentence.
 */
import { z } from 'zod';
import { UntangleError } from '../../errors.ts';
import { checkMemory } from '../../memory.ts';
import { startProcess } from '../../orders.ts';
import { checkedNames, type Table, type TableColumn, textBuilder } from '../tables/columns.ts';
import { withFile } from './files.ts';

/** A table of more cells is not read into memory. */
const mostCells = 1e8;

/** What a cell takes while it is passed on: in the file's rows, as a message, and in its column. */
const bytesPerCell = 32;

/** What the process tells: the names, then each column in turn. */
const newsSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('begin'), names: z.array(z.string()), rows: z.number() }),
  z.object({ kind: z.literal('number'), name: z.string(), values: z.instanceof(Float64Array) }),
  z.object({ kind: z.literal('text'), name: z.string(), values: z.array(z.string().nullable()) }),
  z.object({ kind: z.literal('other'), name: z.string() }),
]);

export interface ParquetReading {
  order: { path: string; name: string };
  news: unknown;
  result: undefined;
}

/** Reads the flat columns of a Parquet file; columns of lists or records are left out with a note. */
export async function readParquet(path: string, name: string): Promise<Table> {
  const size = await withFile(path, async (_handle, bytes) => bytes);
  if (size < 12) throw damaged(name, `it has ${size} bytes`);
  const columns: TableColumn[] = [];
  const notes: string[] = [];
  let rows = 0;
  let names: string[] = [];

  await inProcess(name, path, size, (news) => {
    switch (news.kind) {
      case 'begin':
        rows = news.rows;
        names = checkedNames(name, news.names);
        if (!(rows * names.length <= mostCells))
          throw new UntangleError(
            `${name} claims ${rows} rows of ${names.length} columns, and ${mostCells} cells are the most that is read.`,
          );
        checkMemory(name, bytesPerCell * rows * names.length);
        return;
      case 'number':
      case 'text': {
        if (news.values.length !== rows)
          throw damaged(name, `its column ${news.name} has ${news.values.length} values for ${rows} rows`);
        const column = news.kind === 'number' ? finite(news.name, news.values) : texts(news.name, news.values);
        columns.push(column);
        return;
      }
      case 'other':
        notes.push(`The column ${news.name} holds lists or records and was left out.`);
    }
  });
  return { name, rows, columns, notes };
}

/** Has a process read the file until all of it is told; an error of `onNews` ends it. */
async function inProcess(
  name: string,
  path: string,
  size: number,
  onNews: (news: z.infer<typeof newsSchema>) => void,
): Promise<void> {
  const megabytes = Math.min(4096, Math.ceil(256 + (40 * size) / 2 ** 20));
  let isEndless = false;
  const reader = startProcess<ParquetReading>(
    'data/formats/parquet-process.js',
    () => damaged(name, isEndless ? 'reading it does not come to an end' : 'it unpacks to far more than it is'),
    { execArgv: [`--max-old-space-size=${megabytes}`], env: { ...process.env, NODE_OPTIONS: '' } },
  );
  const patience = setTimeout(
    () => {
      isEndless = true;
      reader.process.kill('SIGKILL');
    },
    5000 + size / 1000,
  );
  try {
    await reader.order({ path, name }, (news) => {
      patience.refresh();
      const parsed = newsSchema.safeParse(news);
      if (!parsed.success) throw damaged(name, 'its columns are not what its header says');
      onNews(parsed.data);
    });
  } finally {
    clearTimeout(patience);
    reader.process.kill('SIGKILL');
  }
}

function finite(name: string, values: Float64Array): TableColumn {
  return { kind: 'number', name, values: values.map((value) => (Number.isFinite(value) ? value : Number.NaN)) };
}

function texts(name: string, values: readonly (string | null)[]): TableColumn {
  const builder = textBuilder(values.length);
  for (const [row, value] of values.entries()) builder.set(row, value ?? '');
  return builder.column(name);
}

export function damaged(name: string, why: string): UntangleError {
  return new UntangleError(`${name} can't be read as a Parquet table: ${why.replace(/\.$/, '')}.`);
}
