/**
 * How much memory readers may take: what `--max-memory` or UNTANGLE_MAX_MEMORY says, otherwise half of what the machine or the
 * container has. What a file would take is reckoned from its header and refused before any of it is read.
 */
import { totalmem } from 'node:os';
import { UntangleError } from './errors.ts';

const variable = 'UNTANGLE_MAX_MEMORY';
const units: Record<string, number> = { '': 1, k: 2 ** 10, m: 2 ** 20, g: 2 ** 30, t: 2 ** 40 };

/** Bytes of a size as people write it. @example bytesOfSize('1.5G') // 1610612736 */
export function bytesOfSize(text: string): number {
  const [, number, unit] = /^(\d+(?:\.\d+)?)\s*([kmgt]?)(?:i?b)?$/i.exec(text.trim()) ?? [];
  const bytes = Number(number) * (units[unit?.toLowerCase()] ?? Number.NaN);
  if (bytes >= 2 ** 20) return Math.floor(bytes);
  throw new UntangleError(`“${text}” is not an amount of memory of at least 1M.`, {
    kind: 'call',
    hint: 'As in 800M, 4G or 1.5GB.',
  });
}

/** Sets the most that readers may take, in this process and in those that it starts. */
export function setMostMemory(text: string): void {
  process.env[variable] = `${bytesOfSize(text)}`;
}

/** The most bytes that one reader may take. */
export function mostMemory(): number {
  const said = process.env[variable];
  if (said !== undefined && said !== '') return bytesOfSize(said);
  const constrained = process.constrainedMemory?.() ?? 0;
  const total = totalmem();
  return Math.floor((constrained > 0 && constrained < total ? constrained : total) / 2);
}

/** Refuses what would take more memory than there may be. */
export function checkMemory(what: string, bytes: number): void {
  const most = mostMemory();
  if (bytes <= most) return;
  throw new UntangleError(`${what} would take ${spoken(bytes)} of memory, and ${spoken(most)} are allowed.`, {
    hint: 'Allow more with --max-memory, as in --max-memory 8G, or take fewer or smaller items.',
  });
}

function spoken(bytes: number): string {
  const [size, unit] = bytes >= 2 ** 30 ? [2 ** 30, 'GB'] : [2 ** 20, 'MB'];
  return `${(bytes / size).toFixed(bytes >= 10 * size ? 0 : 1)} ${unit}`;
}
