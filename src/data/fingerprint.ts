/** A short hash of what data is, equal for equal data on every machine: the first half of a SHA-256. */
import { createHash } from 'node:crypto';

/**
 * Hashes the parts in their order. Each part is framed by its kind and length, so that moving a boundary changes the hash.
 *
 * @example fingerprint('mnist', images, labels, 32)
 */
export function fingerprint(...parts: (string | number | ArrayBufferView)[]): string {
  const hash = createHash('sha256');
  for (const part of parts) {
    if (typeof part === 'object') {
      hash.update(`bytes ${part.byteLength}\n`);
      hash.update(new Uint8Array(part.buffer, part.byteOffset, part.byteLength));
    } else {
      const text = String(part);
      hash.update(`${typeof part} ${Buffer.byteLength(text)}\n${text}`);
    }
  }
  return hash.digest('hex').slice(0, 32);
}
