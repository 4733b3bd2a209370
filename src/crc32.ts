/** CRC-32 as zip and PNG use it (polynomial 0xEDB88320), four bytes at a time: Node has its own only from 20.15 on. */

/** Continues a checksum over `bytes`; begin with 0. */
export function crc32(bytes: Uint8Array, before = 0): number {
  let crc = ~before;
  let i = 0;
  for (const end = bytes.length - 3; i < end; i += 4) {
    crc ^= bytes[i] | (bytes[i + 1] << 8) | (bytes[i + 2] << 16) | (bytes[i + 3] << 24);
    crc =
      tables[768 + (crc & 255)] ^
      tables[512 + ((crc >>> 8) & 255)] ^
      tables[256 + ((crc >>> 16) & 255)] ^
      tables[crc >>> 24];
  }
  for (; i < bytes.length; i++) crc = tables[(crc ^ bytes[i]) & 255] ^ (crc >>> 8);
  return ~crc >>> 0;
}

/** Table k at 256·k: the checksum of a byte followed by k zero bytes. */
const tables = new Int32Array(4 * 256);
for (let byte = 0; byte < 256; byte++) {
  let crc = byte;
  for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  tables[byte] = crc;
}
for (let k = 1; k < 4; k++) {
  for (let byte = 0; byte < 256; byte++) {
    const before = tables[256 * (k - 1) + byte];
    tables[256 * k + byte] = tables[before & 255] ^ (before >>> 8);
  }
}
