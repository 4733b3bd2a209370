/**
 * One stream of events for all pages of a browser. A browser opens six connections to a host at most, so that a stream for each
 * tab would leave none for anything else; the hub holds one, and passes on what each page asked to hear.
 */
import type { Changes, FollowedLine, SentRow, StudioEvents } from '../../src/studio/wire.ts';

/** What a page says to the hub. */
export type ToHub =
  | { kind: 'follow'; run: string; after: number }
  | { kind: 'leave'; run: string }
  /** The page is closed. */
  | { kind: 'bye' };

/** What the hub says to a page. */
export type FromHub =
  | { kind: 'link'; open: boolean }
  | { kind: 'runs'; rows: SentRow[] }
  | ({ kind: 'changes' } & Changes)
  | ({ kind: 'line' } & FollowedLine);

export type HubPage = (message: FromHub) => void;

/** The part of an `EventSource` that the hub uses. */
export interface EventStream {
  addEventListener(event: string, listener: (message: { data?: string }) => void): void;
  close(): void;
}

interface Followed {
  /** The last step that came. */
  last: number;
  /** Whether lines come again that came before the stream was opened anew. */
  isReplay: boolean;
}

/** Milliseconds until a stream that broke is opened again. */
const patience = 1000;

export class EventsHub {
  private readonly open: (address: string) => EventStream;
  /** Of each page the logs that it follows, with the last step that it has. */
  private readonly pages = new Map<HubPage, Map<string, number>>();
  private readonly followed = new Map<string, Followed>();
  private source: EventStream | undefined;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private isOpen: boolean | undefined;
  private rows: SentRow[] | undefined;

  constructor(open: (address: string) => EventStream) {
    this.open = open;
  }

  /** A page joins; what it says goes to the function that it gets. */
  join(page: HubPage): (message: ToHub) => void {
    this.pages.set(page, new Map());
    if (this.isOpen !== undefined) page({ kind: 'link', open: this.isOpen });
    if (this.rows) page({ kind: 'runs', rows: this.rows });
    if (!this.source && this.timer === undefined) this.connect();
    return (message) => this.hear(page, message);
  }

  private hear(page: HubPage, message: ToHub): void {
    const steps = this.pages.get(page);
    if (!steps) return;
    if (message.kind === 'follow') steps.set(message.run, message.after);
    if (message.kind === 'leave') steps.delete(message.run);
    if (message.kind === 'bye') this.pages.delete(page);
    const wanted = new Set([...this.pages.values()].flatMap((all) => [...all.keys()]));
    const same = wanted.size === this.followed.size && [...wanted].every((run) => this.followed.has(run));
    // A page that begins at an earlier step than others is told what it lacks by a new stream, too.
    const lacks = message.kind === 'follow' && message.after < (this.followed.get(message.run)?.last ?? 0);
    if (same && !lacks) return;
    for (const run of this.followed.keys()) if (!wanted.has(run)) this.followed.delete(run);
    for (const run of wanted) if (!this.followed.has(run)) this.followed.set(run, { last: 0, isReplay: true });
    if (this.timer === undefined) this.connect();
  }

  private connect(): void {
    this.timer = undefined;
    this.source?.close();
    const query = [...this.followed].map(([run, followed]) => {
      followed.isReplay = true;
      const steps = [...this.pages.values()].flatMap((all) => all.get(run) ?? []);
      return `follow=${encodeURIComponent(`${run}:${Math.min(...steps)}`)}`;
    });
    const source = this.open(['/api/events', ...(query.length > 0 ? [query.join('&')] : [])].join('?'));
    this.source = source;
    source.addEventListener('open', () => this.link(true));
    source.addEventListener('error', () => {
      if (this.source !== source) return;
      source.close();
      this.source = undefined;
      this.link(false);
      if (this.pages.size > 0) this.timer = setTimeout(() => this.connect(), patience);
    });
    const on = <E extends keyof StudioEvents & string>(event: E, take: (told: StudioEvents[E]) => void) =>
      source.addEventListener(event, ({ data = '' }) => this.source === source && take(JSON.parse(data)));
    on('runs', (rows) => {
      this.rows = rows;
      this.tell({ kind: 'runs', rows });
    });
    on('changes', (changes) => {
      this.rows = withChanges(this.rows ?? [], changes);
      this.tell({ kind: 'changes', ...changes });
    });
    on('line', (line) => this.pass(line));
  }

  private link(open: boolean): void {
    if (open !== this.isOpen) this.tell({ kind: 'link', open });
    this.isOpen = open;
  }

  private tell(message: FromHub): void {
    for (const page of this.pages.keys()) page(message);
  }

  private pass({ run, line }: FollowedLine): void {
    const followed = this.followed.get(run);
    if (!followed) return;
    if (line.step > followed.last) followed.isReplay = false;
    if (!followed.isReplay) followed.last = line.step;
    for (const [page, steps] of this.pages) {
      const known = steps.get(run);
      if (known === undefined || (followed.isReplay && line.step <= known)) continue;
      steps.set(run, line.step);
      page({ kind: 'line', run, line });
    }
  }
}

/** The list with what changed, the newest first as the server sorts it. */
export function withChanges<Row extends { name: string; created?: string }>(
  rows: readonly Row[],
  { changed, gone }: { changed: readonly Row[]; gone: readonly string[] },
): Row[] {
  const left = new Map(rows.map((row) => [row.name, row]));
  for (const name of gone) left.delete(name);
  const isNew = changed.some(({ name }) => !left.has(name));
  for (const row of changed) left.set(row.name, row);
  const list = [...left.values()];
  return isNew ? list.sort((a, b) => order(b.created ?? '', a.created ?? '') || order(a.name, b.name)) : list;
}

const order = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
