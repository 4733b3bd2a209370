/** A run as it trains: its new log lines, its state and its pictures, told to a page as they come. */
import { join } from 'node:path';
import { jsonText } from './answers.ts';
import type { Teller } from './events.ts';
import { linesAt, offsetAfter } from './log-lines.ts';
import { picturesMark, picturesOf } from './run-files.ts';
import type { RunEvents, RunNow } from './wire.ts';

/**
 * One look after the other at a run's folder, each telling what is new: `line` for each log line after the step, `state` and
 * `pictures` when they change. A line whose step is not after the one before it replaces what stands from its step on.
 */
export function logTeller(folder: string, after: number, stateNow: () => Promise<RunNow | undefined>) {
  let offset: number | undefined;
  let isCaughtUp = false;
  let [state, marks] = ['', ''];

  async function lines({ tell }: Teller<RunEvents>) {
    const path = join(folder, 'log.jsonl');
    offset ??= await offsetAfter(path, after);
    for (;;) {
      const { lines: found, end, size } = await linesAt(path, offset);
      // Lines that the page has already are passed over once; later on, a smaller step tells of a resume.
      for (const line of found) if (isCaughtUp || line.step > after) await tell('line', line, `${line.step}`);
      const isMore = end > offset && end < size;
      offset = end;
      if (!isMore) break;
    }
    isCaughtUp = true;
  }

  return async (teller: Teller<RunEvents>): Promise<void> => {
    await lines(teller);
    const row = await stateNow();
    const text = jsonText(row ?? { state: 'gone' as const });
    if (text !== state) await teller.tellText('state', text);
    state = text;
    const pictures = await picturesOf(folder);
    const mark = await picturesMark(folder, pictures);
    if (mark !== marks) await teller.tell('pictures', pictures);
    marks = mark;
  };
}
