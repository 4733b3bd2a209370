import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { expect, test } from 'vitest';

/** The rooms in their order: each may import from itself and from those above it. */
const rooms = [
  'random',
  'analysis',
  'tensor',
  'runtime',
  'nn',
  'objectives',
  'methods',
  'data',
  'metrics',
  'runs',
  'train',
  'pictures',
  'studies',
  'sweep',
  'studio',
  'cli',
];

/** Rooms that run in a browser as they are, so they may not touch Node's API. */
const pure = new Set(['tensor', 'nn', 'random', 'objectives', 'methods', 'metrics', 'analysis']);

const source = resolve(import.meta.dirname);
const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));

function importsOf(file: string): string[] {
  const text = readFileSync(join(source, file), 'utf8');
  return [...text.matchAll(/(?:from|import)\s*\(?\s*'([^']+)'/g)].map((match) => match[1]);
}

const roomOf = (file: string) => (file.includes('/') ? file.split('/')[0] : undefined);

test('every folder under src is a room of the design', () => {
  const folders = readdirSync(source, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  expect(folders.map((entry) => entry.name).filter((name) => !rooms.includes(name))).toEqual([]);
});

test('a room imports only from itself and from the rooms above it', () => {
  const wrong: string[] = [];
  for (const file of files) {
    const room = roomOf(file);
    if (room === undefined || file.endsWith('.test.ts') || file.includes('/testing/')) continue;
    for (const specifier of importsOf(file)) {
      if (!specifier.startsWith('.')) continue;
      const imported = roomOf(relative(source, resolve(source, file, '..', specifier)));
      if (imported !== undefined && rooms.indexOf(imported) > rooms.indexOf(room)) wrong.push(`${file} → ${specifier}`);
    }
  }
  expect(wrong).toEqual([]);
});

test('pure rooms stay free of Node’s API', () => {
  const wrong: string[] = [];
  for (const file of files) {
    if (!pure.has(roomOf(file) ?? '') || file.endsWith('.test.ts') || file.includes('/testing/')) continue;
    const text = readFileSync(join(source, file), 'utf8');
    if (importsOf(file).some((specifier) => specifier.startsWith('node:'))) wrong.push(`${file}: node: import`);
    if (/\b(process|Buffer|__dirname|require)\s*[.(]/.test(text)) wrong.push(`${file}: Node global`);
  }
  expect(wrong).toEqual([]);
});
