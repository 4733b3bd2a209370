/** Lines of a table with aligned columns, and whether each attack ended as it should. */
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';

/** @param {{ what: string, tried: number, fine: number, troubles?: string[] }[]} rows */
export function tell(title, rows) {
  const cells = [
    ['', 'tried', 'as it should be'],
    ...rows.map(({ what, tried, fine }) => [what, `${tried}`, `${fine}`]),
  ];
  const widths = cells[0].map((_, column) => Math.max(...cells.map((row) => row[column].length)));
  console.log(`\n${title}`);
  for (const row of cells)
    console.log(row.map((cell, k) => (k === 0 ? cell.padEnd(widths[k]) : cell.padStart(widths[k]))).join('  '));
  const troubles = rows.flatMap(({ what, troubles = [] }) => troubles.map((trouble) => `${what}: ${trouble}`));
  for (const trouble of troubles.slice(0, 20)) console.log(`  ${trouble}`);
  return rows.every(({ tried, fine }) => tried === fine && tried > 0);
}

/** Numbers that follow from a seed alone (mulberry32), so that an attack can be repeated. */
export function randomFrom(seed) {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
  return { next, below: (n) => Math.floor(next() * n) };
}

/** Where attacks write: in memory where there is such a place, since thousands of waits for a disk tell nothing more. */
export const room = () => (existsSync('/dev/shm') ? '/dev/shm' : tmpdir());
