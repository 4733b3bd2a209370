/**
 * The process that reads a Parquet file for `parquet.ts`, column by column. It is a process of its own because a damaged file
 * can make the reader exhaust its memory.
 */
import { asyncBufferFromFile, parquetMetadataAsync, parquetRead, parquetSchema } from 'hyparquet';
import { compressors } from 'hyparquet-compressors';
import { carryOutOrders } from '../../orders.ts';
import { damaged, type ParquetReading } from './parquet.ts';

carryOutOrders<ParquetReading>(async ({ path, name }, tell) => {
  try {
    for await (const news of newsOf(path)) await tell(news);
  } catch (error) {
    throw damaged(name, error instanceof Error ? error.message : String(error));
  }
});

async function* newsOf(path: string) {
  const file = await asyncBufferFromFile(path);
  const metadata = await parquetMetadataAsync(file, { geoparquet: false });
  const columns = parquetSchema(metadata).children;
  yield { kind: 'begin', names: columns.map((column) => column.element.name), rows: Number(metadata.num_rows) };
  for (const { element, children } of columns) {
    const { name } = element;
    if (children.length > 0 || element.repetition_type === 'REPEATED') {
      yield { kind: 'other', name };
      continue;
    }
    const chunks: { rowStart: number; columnData: ArrayLike<unknown> }[] = [];
    await parquetRead({
      file,
      metadata,
      compressors,
      geoparquet: false,
      columns: [name],
      onChunk: (chunk) => chunks.push(chunk),
    });
    chunks.sort((a, b) => a.rowStart - b.rowStart);
    yield columnOf(
      name,
      chunks.flatMap((chunk) => Array.from(chunk.columnData)),
    );
  }
}

function columnOf(name: string, data: readonly unknown[]) {
  const kinds = new Set<string>();
  for (const value of data) if (value != null) kinds.add(value instanceof Date ? 'date' : typeof value);
  if ([...kinds].every((kind) => kind === 'number' || kind === 'bigint')) {
    return {
      kind: 'number',
      name,
      values: Float64Array.from(data, (value) => (value == null ? Number.NaN : Number(value))),
    };
  }
  if (kinds.has('object') || kinds.has('function')) return { kind: 'other', name };
  const text = (value: unknown) => (value == null ? null : value instanceof Date ? value.toISOString() : String(value));
  return { kind: 'text', name, values: data.map(text) };
}
