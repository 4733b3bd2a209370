/** Server-sent events: a stream that tells a page what changed, ends with the page or with the server, and never piles up. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Context } from 'hono';
import { streamSSE } from 'hono/streaming';
import { type JsonText, jsonText } from './answers.ts';

/** Tells the events that `Events` names, each with what it holds. */
export interface Teller<Events> {
  /** Waits until the page has taken it. */
  tell<E extends keyof Events & string>(event: E, data: Events[E], id?: string): Promise<void>;
  /** The same for what is JSON already. */
  tellText<E extends keyof Events & string>(event: E, text: JsonText<Events[E]>, id?: string): Promise<void>;
}

/**
 * Streams events: calls `look` again and again, `pause` milliseconds apart, until the page goes or the server closes.
 *
 * @example eventStream<Times>(c, closing, 1000, async ({ tell }) => tell('time', Date.now()))
 */
export function eventStream<Events>(
  c: Context,
  closing: AbortSignal,
  pause: number,
  look: (teller: Teller<Events>) => Promise<void>,
): Response {
  // Nobody would read the stream, so nothing would end it.
  if (c.req.method === 'HEAD') return c.body(null, 200, { 'content-type': 'text/event-stream' });
  return streamSSE(c, async (stream) => {
    const gone = new AbortController();
    stream.onAbort(() => gone.abort());
    const ended = AbortSignal.any([closing, gone.signal]);
    let told = Date.now();
    const write = async (event: string, data: string, id?: string) => {
      told = Date.now();
      await stream.writeSSE({ event, data, ...(id !== undefined && { id }) });
    };
    const teller: Teller<Events> = { tellText: write, tell: (event, data, id) => write(event, jsonText(data), id) };
    while (!ended.aborted) {
      try {
        await look(teller);
      } catch (error) {
        await write('trouble', jsonText({ error: error instanceof Error ? error.message : String(error) }));
        return;
      }
      // A page that has gone is noticed when something is written.
      if (Date.now() - told > 15_000) {
        told = Date.now();
        await stream.write(': still here\n\n');
      }
      await sleep(pause, undefined, { signal: ended }).catch(() => {});
    }
  });
}
