import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { watchLeases } from './lease.ts';
import { folderStore } from './store/folder.ts';
import type { Store } from './store/store.ts';

let root: string;
let store: Store;
let clock: number;
const watch = () => watchLeases(store, 30, () => clock);

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'untangle-lease-'));
  store = folderStore(root);
  clock = 0;
});
afterEach(() => rm(root, { recursive: true }));

const fromElsewhere = (beat: number) =>
  store.write('trials/a/lease-1.json', Buffer.from(`{"host":"another machine","pid":1,"beat":${beat},"isOver":false}`));

describe('a lease', () => {
  test('is held by one of many that take it at once', async () => {
    const taken = await Promise.all(Array.from({ length: 20 }, () => watch().take('trials/a')));
    expect(taken.filter((lease) => lease !== undefined).map((lease) => lease?.epoch)).toEqual([1]);
  });

  test('that was given back is taken with the next epoch', async () => {
    const first = await watch().take('trials/a');
    expect(await watch().take('trials/a')).toBeUndefined();
    await first?.end();
    expect((await watch().take('trials/a'))?.epoch).toBe(2);
    expect(await first?.beat()).toBe(false);
  });

  test('of another machine is dead after thirty seconds of silence by the watcher’s clock, whatever time it is there', async () => {
    await fromElsewhere(1);
    const watcher = watch();
    expect(await watcher.take('trials/a')).toBeUndefined();
    clock = 29_000;
    expect(await watcher.take('trials/a')).toBeUndefined();
    await fromElsewhere(2);
    clock = 31_000;
    expect(await watcher.take('trials/a')).toBeUndefined();
    clock = 62_000;
    expect((await watcher.take('trials/a'))?.epoch).toBe(2);
  });

  test('of a process of this machine that has ended is dead at once', async () => {
    const { hostname } = await import('node:os');
    await store.write(
      'trials/a/lease-4.json',
      Buffer.from(JSON.stringify({ host: hostname(), pid: 2 ** 30, beat: 1, isOver: false })),
    );
    expect((await watch().take('trials/a'))?.epoch).toBe(5);
  });

  test('whose file is damaged is watched like any other', async () => {
    await store.write('trials/a/lease-1.json', Buffer.from('{"host":'));
    const watcher = watch();
    expect(await watcher.take('trials/a')).toBeUndefined();
    clock = 31_000;
    expect((await watcher.take('trials/a'))?.epoch).toBe(2);
  });
});

describe('a store in a folder', () => {
  test('makes a file once, and lists and removes what is there', async () => {
    const made = await Promise.all(
      Array.from({ length: 20 }, (_, i) => store.create('results/one', Buffer.from(`${i}`))),
    );
    expect(made.filter(Boolean)).toHaveLength(1);
    expect(await store.list('results')).toEqual(['one']);
    expect(await store.list('nothing')).toEqual([]);
    expect(Buffer.from((await store.read('results/one')) ?? []).toString()).toBe(`${made.indexOf(true)}`);
    await store.remove('results');
    expect(await store.read('results/one')).toBeUndefined();
  });
});
