/** Writes small IDX files for tests. */

/** The bytes of an IDX file: `type` is its third byte, `data` the numbers, big-endian. */
export function idxBytes(type: number, shape: readonly number[], data: Uint8Array): Buffer {
  const header = Buffer.alloc(4 + 4 * shape.length);
  header[2] = type;
  header[3] = shape.length;
  for (const [k, side] of shape.entries()) header.writeUInt32BE(side, 4 + 4 * k);
  return Buffer.concat([header, data]);
}
