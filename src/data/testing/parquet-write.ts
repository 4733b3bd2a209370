/** Writes small Parquet files for tests: one row group, one page a column, plain or dictionary encoding, gzip or none. */
import { gzipSync } from 'node:zlib';

export interface WrittenColumn {
  name: string;
  type: 'double' | 'int64' | 'text' | 'boolean';
  /** null where the value is missing. */
  values: (number | string | boolean | null)[];
  dictionary?: boolean;
  /** Marks the column as one of lists, as a reader of flat tables must notice. */
  repeated?: boolean;
}

/** Field types of Thrift's compact protocol. */
type Thrift =
  | { i32: number }
  | { i64: number }
  | { text: string }
  | { list: Thrift[] }
  | { struct: [id: number, value: Thrift][] };

export function writeParquet(columns: WrittenColumn[], options: { gzip?: boolean; rows?: number } = {}): Buffer {
  const parts: Buffer[] = [Buffer.from('PAR1')];
  let offset = 4;
  const add = (part: Buffer) => {
    parts.push(part);
    offset += part.length;
  };
  const rows = options.rows ?? columns[0].values.length;
  const chunks: Thrift[] = columns.map((column) => {
    const start = offset;
    const present = column.values.filter((value) => value !== null);
    const distinct = [...new Set(present)];
    let dictionaryOffset: number | undefined;
    if (column.dictionary) {
      dictionaryOffset = offset;
      addPage(2, plain(column.type, distinct), {
        struct: [
          [1, { i32: distinct.length }],
          [2, { i32: 0 }],
        ],
      });
    }
    const dataOffset = offset;
    const levels = rle(
      column.values.map((value) => (value === null ? 0 : 1)),
      1,
    );
    const length = Buffer.alloc(4);
    length.writeUInt32LE(levels.length);
    const width = Math.max(1, 32 - Math.clz32(distinct.length - 1));
    const values = column.dictionary
      ? Buffer.concat([
          Buffer.of(width),
          rle(
            present.map((value) => distinct.indexOf(value)),
            width,
          ),
        ])
      : plain(column.type, present);
    addPage(0, Buffer.concat([length, levels, values]), {
      struct: [
        [1, { i32: column.values.length }],
        [2, { i32: column.dictionary ? 8 : 0 }],
        [3, { i32: 3 }],
        [4, { i32: 3 }],
      ],
    });
    const size = offset - start;
    const meta: [number, Thrift][] = [
      [1, { i32: typeCodes[column.type] }],
      [2, { list: [{ i32: 0 }, { i32: 3 }, { i32: 8 }] }],
      [3, { list: [{ text: column.name }] }],
      [4, { i32: options.gzip ? 2 : 0 }],
      [5, { i64: column.values.length }],
      [6, { i64: size }],
      [7, { i64: size }],
      [9, { i64: dataOffset }],
    ];
    if (dictionaryOffset !== undefined) meta.push([11, { i64: dictionaryOffset }]);
    return {
      struct: [
        [2, { i64: start }],
        [3, { struct: meta }],
      ],
    };
  });
  const schema: Thrift[] = [
    {
      struct: [
        [4, { text: 'schema' }],
        [5, { i32: columns.length }],
      ],
    },
    ...columns.map(
      ({ name, type, repeated }): Thrift => ({
        struct: [
          [1, { i32: typeCodes[type] }],
          [3, { i32: repeated ? 2 : 1 }],
          [4, { text: name }],
          ...(type === 'text' ? [[6, { i32: 0 }] as [number, Thrift]] : []),
        ],
      }),
    ),
  ];
  const group: Thrift = {
    struct: [
      [1, { list: chunks }],
      [2, { i64: offset }],
      [3, { i64: rows }],
    ],
  };
  const footer = encode({
    struct: [
      [1, { i32: 1 }],
      [2, { list: schema }],
      [3, { i64: rows }],
      [4, { list: [group] }],
    ],
  });
  const end = Buffer.alloc(8);
  end.writeUInt32LE(footer.length);
  end.write('PAR1', 4);
  return Buffer.concat([...parts, footer, end]);

  function addPage(type: number, data: Buffer, header: Thrift) {
    const packed = options.gzip ? gzipSync(data) : data;
    add(
      encode({
        struct: [
          [1, { i32: type }],
          [2, { i32: data.length }],
          [3, { i32: packed.length }],
          [type === 0 ? 5 : 7, header],
        ],
      }),
    );
    add(packed);
  }
}

const typeCodes = { boolean: 0, int64: 2, double: 5, text: 6 };

function plain(type: WrittenColumn['type'], values: (number | string | boolean | null)[]): Buffer {
  if (type === 'boolean') {
    const bits = Buffer.alloc(Math.ceil(values.length / 8));
    for (const [i, value] of values.entries()) if (value) bits[i >> 3] |= 1 << (i & 7);
    return bits;
  }
  return Buffer.concat(
    values.map((value) => {
      if (type === 'text') {
        const text = Buffer.from(String(value));
        const length = Buffer.alloc(4);
        length.writeUInt32LE(text.length);
        return Buffer.concat([length, text]);
      }
      const bytes = Buffer.alloc(8);
      if (type === 'double') bytes.writeDoubleLE(Number(value));
      else bytes.writeBigInt64LE(BigInt(Number(value)));
      return bytes;
    }),
  );
}

/** Runs of equal values: the length times two as a varint, then the value in whole bytes. */
function rle(values: number[], width: number): Buffer {
  const parts: Buffer[] = [];
  for (let i = 0; i < values.length; ) {
    let end = i;
    while (end < values.length && values[end] === values[i]) end++;
    const value = Buffer.alloc(4);
    value.writeUInt32LE(values[i]);
    parts.push(varint(BigInt((end - i) * 2)), value.subarray(0, (width + 7) >> 3));
    i = end;
  }
  return Buffer.concat(parts);
}

function encode(value: Thrift): Buffer {
  if ('i32' in value) return varint(zigzag(value.i32));
  if ('i64' in value) return varint(zigzag(value.i64));
  if ('text' in value) return Buffer.concat([varint(BigInt(Buffer.byteLength(value.text))), Buffer.from(value.text)]);
  if ('list' in value) {
    const size = value.list.length;
    const type = size === 0 ? 5 : code(value.list[0]);
    const head =
      size < 15 ? Buffer.of((size << 4) | type) : Buffer.concat([Buffer.of(0xf0 | type), varint(BigInt(size))]);
    return Buffer.concat([head, ...value.list.map(encode)]);
  }
  let last = 0;
  const fields = value.struct.map(([id, field]) => {
    const head = Buffer.of(((id - last) << 4) | code(field));
    last = id;
    return Buffer.concat([head, encode(field)]);
  });
  return Buffer.concat([...fields, Buffer.of(0)]);
}

function code(value: Thrift): number {
  return 'i32' in value ? 5 : 'i64' in value ? 6 : 'text' in value ? 8 : 'list' in value ? 9 : 12;
}

const zigzag = (n: number) => (n < 0 ? BigInt(-n) * 2n - 1n : BigInt(n) * 2n);

function varint(n: bigint): Buffer {
  const bytes: number[] = [];
  for (let rest = n; ; rest >>= 7n) {
    if (rest < 128n) return Buffer.from([...bytes, Number(rest)]);
    bytes.push(Number(rest & 127n) | 128);
  }
}
