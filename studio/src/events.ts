/** What the server tells this page: by the worker that all pages share, or by a stream of its own where a browser has none. */
import type { LogLine } from '../../src/runs/index.ts';
import type { RunRow } from '../../src/studio/runs.ts';
import { lineOf, rowOf } from './api.ts';
import { EventsHub, type FromHub, type ToHub, withChanges } from './events-hub.ts';

type Send = (message: ToHub) => void;

let send: Send | undefined;
const followers = new Map<string, { after: number; onLine: (line: LogLine) => void }>();

/** Follows the list of runs, for as long as the page is open. */
export function followRuns(onRuns: (runs: RunRow[]) => void, onLink: (open: boolean) => void): void {
  let rows: RunRow[] = [];
  const hear = (message: FromHub) => {
    if (message.kind === 'link') onLink(message.open);
    if (message.kind === 'line') followers.get(message.run)?.onLine(lineOf(message.line));
    if (message.kind === 'runs') rows = message.rows.map(rowOf);
    if (message.kind === 'changes') rows = withChanges(rows, { ...message, changed: message.changed.map(rowOf) });
    if (message.kind === 'runs' || message.kind === 'changes') onRuns(rows);
  };
  const join = () => {
    send = shared(hear, () => {
      send = alone(hear);
      refollow();
    });
    refollow();
  };
  join();
  addEventListener('pagehide', () => send?.({ kind: 'bye' }));
  // A page that the browser kept for the way back.
  addEventListener('pageshow', (event) => event.persisted && join());
}

/** Follows the log of a run from a step on; gives back how to stop. */
export function followRun(run: string, after: number, onLine: (line: LogLine) => void): () => void {
  const follower = {
    after,
    onLine: (line: LogLine) => {
      follower.after = line.step;
      onLine(line);
    },
  };
  followers.set(run, follower);
  send?.({ kind: 'follow', run, after });
  return () => {
    if (followers.get(run) !== follower) return;
    followers.delete(run);
    send?.({ kind: 'leave', run });
  };
}

function refollow(): void {
  for (const [run, { after }] of followers) send?.({ kind: 'follow', run, after });
}

function shared(hear: (message: FromHub) => void, onFailure: () => void): Send {
  if (typeof SharedWorker === 'undefined') return alone(hear);
  const worker = new SharedWorker(new URL('./events-worker.ts', import.meta.url), { type: 'module' });
  worker.addEventListener('error', onFailure);
  worker.port.addEventListener('message', ({ data }: MessageEvent<FromHub>) => hear(data));
  worker.port.start();
  return (message) => worker.port.postMessage(message);
}

function alone(hear: (message: FromHub) => void): Send {
  return new EventsHub((address) => new EventSource(address)).join(hear);
}
