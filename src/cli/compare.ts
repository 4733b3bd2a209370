/** `untangle compare`: runs side by side. */
import { type ComparedValue, compareRuns, findRun } from '../runs/index.ts';
import { print, printJson, say, spreadText, styled, table } from './terminal.ts';

export async function compare(runs: string[], { json }: { json?: boolean }): Promise<void> {
  const folders = (await Promise.all(runs.map((run) => findRun(run)))).map(({ folder }) => folder);
  const comparison = await compareRuns(folders);
  if (json) {
    printJson(comparison);
    return;
  }
  const { columns, sections, groups, notes } = comparison;
  for (const { kind, title, rows } of sections) {
    if (rows.length === 0) continue;
    print(
      table([
        [
          styled('bold', title),
          ...columns.map(({ name }) => name),
          ...(kind === 'settings' ? [] : groups.map((places) => `${places.length} seeds`)),
        ],
        ...rows.map(({ name, cells, best, spreads = [] }) => [
          name,
          ...cells.map((cell, i) =>
            best.includes(i) && columns.length > 1 ? styled('bold', shown(cell)) : shown(cell),
          ),
          ...spreads.map((spread) => (spread === null ? '–' : spreadText(spread))),
        ]),
      ]),
    );
    print('');
  }
  for (const places of groups)
    print(`${places.map((at) => columns[at].name).join(', ')} differ in the seed alone: mean ± deviation.`);
  for (const note of notes) say(note);
}

function shown(cell: ComparedValue): string {
  if (cell === null) return '–';
  return typeof cell === 'number' && !Number.isInteger(cell) ? String(Number(cell.toPrecision(4))) : String(cell);
}
