/** What one stream tells a browser: the list of runs as it changes, and new lines of the logs that its pages follow. */
import { join } from 'node:path';
import type { Teller } from './events.ts';
import { checkedRunFolder } from './folders.ts';
import { linesAt, offsetAfter } from './log-lines.ts';
import type { Follow } from './requests.ts';
import type { RunIndex } from './runs.ts';
import type { StudioEvents } from './wire.ts';

/** Milliseconds between two looks at the list; logs are looked at each time. */
const listPause = 1000;

/** One look after the other at the runs under `root`, each telling what is new. */
export function studioTeller(root: string, runs: RunIndex, follow: readonly Follow[]) {
  const logs = follow.map(({ run, after }) => followedLog(root, run, after));
  const tellRows = rowTeller(runs);
  let looked = Number.NEGATIVE_INFINITY;
  return async (teller: Teller<StudioEvents>): Promise<void> => {
    for (const tellLines of logs) await tellLines(teller);
    if (performance.now() - looked < listPause) return;
    looked = performance.now();
    await tellRows(teller);
  };
}

function rowTeller(runs: RunIndex) {
  let told = 0;
  let known = new Map<string, string>();
  return async ({ tell, tellText }: Teller<StudioEvents>): Promise<void> => {
    const { version, rows, text } = await runs.list();
    if (version === told) return;
    const now = new Map(rows.map((row) => [row.name, JSON.stringify(row)]));
    if (told === 0) await tellText('runs', text);
    else {
      const changed = rows.filter(({ name }) => known.get(name) !== now.get(name));
      await tell('changes', { changed, gone: [...known.keys()].filter((name) => !now.has(name)) });
    }
    [told, known] = [version, now];
  };
}

function followedLog(root: string, run: string, after: number) {
  let path: string | undefined;
  let offset: number | undefined;
  let isCaughtUp = false;
  return async ({ tell }: Teller<StudioEvents>): Promise<void> => {
    // A run that is gone, or not there yet, has no lines.
    path ??= await checkedRunFolder(root, run).then(
      (folder) => join(folder, 'log.jsonl'),
      () => undefined,
    );
    if (path === undefined) return;
    offset ??= await offsetAfter(path, after);
    for (;;) {
      const { lines, end, size } = await linesAt(path, offset);
      // Lines that the page has already are passed over once; later on, a smaller step tells of a resume.
      for (const line of lines) if (isCaughtUp || line.step > after) await tell('line', { run, line });
      const isMore = end > offset && end < size;
      offset = end;
      if (!isMore) break;
    }
    isCaughtUp = true;
  };
}
