/**
 * Parquet tables, read by hyparquet in a process of its own with bounded memory and patience: its decoders trust the file,
 * and a damaged one can make them fill the memory or never end. Here that ends the process, with a sentence.
 */
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { builtFile } from '../../built.ts';
import { UntangleError } from '../../errors.ts';
import { type Column, checkedNames, type Table, textBuilder } from '../tables/columns.ts';
import { withFile } from './files.ts';

/** A table of more cells is not read into memory. */
const mostCells = 1e8;

/** What the process sends: the names, then each column in turn, then the end. */
const messageSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('begin'), names: z.array(z.string()), rows: z.number() }),
  z.object({ kind: z.literal('number'), name: z.string(), values: z.instanceof(Float64Array) }),
  z.object({ kind: z.literal('text'), name: z.string(), values: z.array(z.string().nullable()) }),
  z.object({ kind: z.literal('other'), name: z.string() }),
  z.object({ kind: z.literal('failed'), why: z.string() }),
  z.object({ kind: z.literal('end') }),
]);

/** Reads the flat columns of a Parquet file; columns of lists or records are left out with a note. */
export async function readParquet(path: string, name: string): Promise<Table> {
  const size = await withFile(path, async (_handle, bytes) => bytes);
  if (size < 12) throw damaged(name, `it has ${size} bytes`);
  const columns: Column[] = [];
  const notes: string[] = [];
  let rows = 0;
  let names: string[] = [];

  await inProcess(name, path, size, (message) => {
    switch (message.kind) {
      case 'begin':
        rows = message.rows;
        names = checkedNames(name, message.names);
        if (!(rows * names.length <= mostCells))
          throw new UntangleError(
            `${name} claims ${rows} rows of ${names.length} columns, and ${mostCells} cells are the most that is read.`,
          );
        return;
      case 'number':
      case 'text': {
        if (message.values.length !== rows)
          throw damaged(name, `its column ${message.name} has ${message.values.length} values for ${rows} rows`);
        const column =
          message.kind === 'number' ? finite(message.name, message.values) : texts(message.name, message.values);
        columns.push(column);
        return;
      }
      case 'other':
        notes.push(`The column ${message.name} holds lists or records and was left out.`);
    }
  });
  return { name, rows, columns, notes };
}

/** Runs the process until it has sent everything; an error of `onMessage` ends it. */
function inProcess(
  name: string,
  path: string,
  size: number,
  onMessage: (message: z.infer<typeof messageSchema>) => void,
): Promise<void> {
  const megabytes = Math.min(4096, Math.ceil(256 + (40 * size) / 2 ** 20));
  const child = spawn(
    process.execPath,
    [`--max-old-space-size=${megabytes}`, fileURLToPath(builtFile('data/formats/parquet-process.js')), path],
    {
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      serialization: 'advanced',
      env: { ...process.env, NODE_OPTIONS: '' },
    },
  );
  const patience = 5000 + size / 1000;
  return new Promise<void>((done, fail) => {
    let timer: NodeJS.Timeout | undefined;
    const settle = (finish: () => void) => {
      clearTimeout(timer);
      child.removeAllListeners();
      child.on('error', () => {});
      child.kill('SIGKILL');
      finish();
    };
    const failWith = (error: unknown) => settle(() => fail(error));
    const wait = () => {
      clearTimeout(timer);
      timer = setTimeout(() => failWith(damaged(name, 'reading it does not come to an end')), patience);
    };
    wait();
    child.on('message', (data) => {
      wait();
      try {
        const parsed = messageSchema.safeParse(data);
        if (!parsed.success) return failWith(damaged(name, 'its columns are not what its header says'));
        const message = parsed.data;
        if (message.kind === 'end') settle(done);
        else if (message.kind === 'failed') failWith(damaged(name, message.why));
        else onMessage(message);
      } catch (error) {
        failWith(error);
      }
    });
    child.on('error', (cause) =>
      failWith(damaged(name, `the process to read it did not start (${cause.message})`, cause)),
    );
    child.on('exit', () => failWith(damaged(name, 'it unpacks to far more than it is')));
  });
}

function finite(name: string, values: Float64Array): Column {
  return { kind: 'number', name, values: values.map((value) => (Number.isFinite(value) ? value : Number.NaN)) };
}

function texts(name: string, values: readonly (string | null)[]): Column {
  const builder = textBuilder(values.length);
  for (const [row, value] of values.entries()) builder.set(row, value ?? '');
  return builder.column(name);
}

function damaged(name: string, why: string, cause?: unknown): UntangleError {
  return new UntangleError(`${name} can't be read as a Parquet table: ${why.replace(/\.$/, '')}.`, { cause });
}
