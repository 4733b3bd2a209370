import { afterEach, expect, test, vi } from 'vitest';
import type { SentLine, SentRow } from '../../src/studio/wire.ts';
import { type EventStream, EventsHub, type FromHub, withChanges } from './events-hub.ts';

/** Streams that a test speaks through. */
function streams() {
  const opened: { address: string; closed: boolean; say(event: string, data?: unknown): void }[] = [];
  const open = (address: string): EventStream => {
    const listeners = new Map<string, (message: { data?: string }) => void>();
    const stream = {
      address,
      closed: false,
      say: (event: string, data?: unknown) => listeners.get(event)?.({ data: JSON.stringify(data) }),
    };
    opened.push(stream);
    return {
      addEventListener: (event, listener) => listeners.set(event, listener),
      close: () => {
        stream.closed = true;
      },
    };
  };
  return { opened, open };
}

const row = (name: string, created = '2026-01-01'): SentRow => ({
  name,
  created,
  state: 'running',
  metrics: {},
  better: {},
  settings: {},
  tags: [],
  loss: [],
  files: { model: false },
  version: '',
});
const line = (step: number): SentLine => ({ step, epoch: 0, seconds: 0, terms: { loss: 1 } });
const stepsOf = (heard: readonly FromHub[]) =>
  heard.flatMap((message) => (message.kind === 'line' ? [message.line.step] : []));

afterEach(() => {
  vi.useRealTimers();
});

test('any number of pages share one stream, and one that joins later is told what is known at once', () => {
  const { opened, open } = streams();
  const hub = new EventsHub(open);
  const heard: FromHub[][] = Array.from({ length: 8 }, () => []);
  hub.join((message) => heard[0].push(message));
  opened[0].say('open');
  opened[0].say('runs', [row('a')]);
  for (const one of heard.slice(1)) hub.join((message) => one.push(message));
  expect(opened.length).toBe(1);
  for (const one of heard)
    expect(one).toEqual([
      { kind: 'link', open: true },
      { kind: 'runs', rows: [row('a')] },
    ]);
});

test('lines of a log reach the pages that follow it, each once, also after the stream is opened again', () => {
  vi.useFakeTimers();
  const { opened, open } = streams();
  const hub = new EventsHub(open);
  const [first, second]: FromHub[][] = [[], []];
  const toFirst = hub.join((message) => first.push(message));
  const toSecond = hub.join((message) => second.push(message));
  toFirst({ kind: 'follow', run: 'a:b', after: 2 });
  expect(opened.map(({ address, closed }) => [decodeURIComponent(address), closed])).toEqual([
    ['/api/events', true],
    ['/api/events?follow=a:b:2', false],
  ]);
  for (const step of [3, 4, 5]) opened[1].say('line', { run: 'a:b', line: line(step) });
  toSecond({ kind: 'follow', run: 'a:b', after: 3 });
  expect(decodeURIComponent(opened[2].address)).toBe('/api/events?follow=a:b:3');
  for (const step of [4, 5, 6]) opened[2].say('line', { run: 'a:b', line: line(step) });
  expect([stepsOf(first), stepsOf(second)]).toEqual([
    [3, 4, 5, 6],
    [4, 5, 6],
  ]);
  // A resume begins at an earlier step, and is passed on.
  opened[2].say('line', { run: 'a:b', line: line(4) });
  expect(stepsOf(first).at(-1)).toBe(4);
  opened[2].say('error');
  expect(first.at(-1)).toEqual({ kind: 'link', open: false });
  vi.advanceTimersByTime(1000);
  expect(decodeURIComponent(opened[3].address)).toBe('/api/events?follow=a:b:4');
  toFirst({ kind: 'leave', run: 'a:b' });
  toSecond({ kind: 'bye' });
  expect([opened.length, opened[4].address]).toEqual([5, '/api/events']);
});

test('a list takes changes, new runs by their age and gone ones out', () => {
  const rows = [row('b', '2026-02'), row('a', '2026-01')];
  const changed = withChanges(rows, { changed: [{ ...row('a', '2026-01'), state: 'done' }], gone: ['b'] });
  expect(changed.map(({ name, state }) => [name, state])).toEqual([['a', 'done']]);
  expect(withChanges(rows, { changed: [row('c', '2026-03')], gone: [] }).map(({ name }) => name)).toEqual([
    'c',
    'b',
    'a',
  ]);
});
