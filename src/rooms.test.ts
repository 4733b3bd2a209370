import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { expect, test } from 'vitest';

const source = resolve(import.meta.dirname);
const page = readFileSync(join(source, '..', 'docs', 'architecture.md'), 'utf8');

/** The page's rooms in their order: each may import from itself and from those above it. Pure ones run in a browser as they are. */
const rows = [...page.matchAll(/^\| `([a-z/]+)` \| (○?) ?\| \S.* \|$/gm)].map(([, name, mark]) => ({
  name,
  isPure: mark !== '',
}));
const rooms = rows.map(({ name }) => name).filter((name) => !name.includes('/'));
/** Rooms within rooms that have a door of their own. */
const innerRooms = rows.map(({ name }) => name).filter((name) => name.includes('/'));

const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));
const isTest = (file: string) => file.endsWith('.test.ts') || file.includes('/testing/');
const code = files.filter((file) => !isTest(file));

const isIn = (file: string, place: string) => file.startsWith(`${place}/`);
const roomOf = (file: string) => (file.includes('/') ? file.split('/')[0] : undefined);
const innerRoomOf = (file: string) => innerRooms.find((place) => isIn(file, place)) ?? roomOf(file);
const isPure = (file: string) => rows.some(({ name, isPure }) => isPure && name === innerRoomOf(file));

interface Import {
  /** The file under `src/` that is imported, or the name of a package. */
  from: string;
  isLocal: boolean;
  isType: boolean;
}

function importsOf(file: string): Import[] {
  const text = readFileSync(join(source, file), 'utf8');
  const found = text.matchAll(/^(import|export)(\s+type)?\b[^;'"]*?(?:\bfrom\s*|\(\s*)?'([^']+)'/gm);
  return [...found].map(([, , type, specifier]) => {
    const isLocal = specifier.startsWith('.');
    return {
      from: isLocal ? relative(source, resolve(source, dirname(file), specifier)) : specifier,
      isLocal,
      isType: type !== undefined,
    };
  });
}

const edges = code.flatMap((file) => importsOf(file).map((one) => ({ file, ...one })));
const shown = ({ file, from }: { file: string; from: string }) => `${file} → ${from}`;

test('every folder under src is a room of the architecture page', () => {
  const folders = readdirSync(source, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  expect(folders.map((entry) => entry.name).filter((name) => !rooms.includes(name))).toEqual([]);
});

test('a room imports only from itself and from the rooms above it', () => {
  const wrong = edges.filter(({ file, from, isLocal }) => {
    const [here, there] = [roomOf(file), roomOf(from)];
    return isLocal && here !== undefined && there !== undefined && rooms.indexOf(there) > rooms.indexOf(here);
  });
  expect(wrong.map(shown)).toEqual([]);
});

test('a room is entered by its index alone', () => {
  const wrong = edges.filter(({ file, from, isLocal }) => {
    if (!isLocal || roomOf(from) === undefined || innerRoomOf(from) === innerRoomOf(file)) return false;
    // An inner room may use the files of the room around it.
    if (innerRoomOf(from) === roomOf(file)) return false;
    return from !== `${innerRoomOf(from)}/index.ts`;
  });
  expect(wrong.map(shown)).toEqual([]);
});

test('pure rooms stay free of Node’s API', () => {
  const wrong = code.filter(isPure).flatMap((file) => {
    const text = readFileSync(join(source, file), 'utf8');
    const imports = importsOf(file).filter(({ from, isLocal, isType }) => {
      if (isType) return false;
      return isLocal ? roomOf(from) !== undefined && !isPure(from) : from.startsWith('node:');
    });
    const globals = /\b(process|Buffer|__dirname|require)\s*[.(]/.test(text) ? [`${file} → a Node global`] : [];
    return [...imports.map(({ from }) => `${file} → ${from}`), ...globals];
  });
  expect(wrong).toEqual([]);
});

test('the walk of a batch names functions where they are, in at most 45 hops', () => {
  const hops = [...page.matchAll(/^\| (\d+) \| `(?:(\w+)\.)?(\w+)` \| `(\S+)` \|/gm)];
  const wrong = hops.filter(([, , owner, name, path]) => {
    const file = join(source, '..', path);
    const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
    const declared = owner
      ? new RegExp(`class ${owner} `).test(text) &&
        new RegExp(`^  (private |static |async )*${name}[<(]`, 'm').test(text)
      : new RegExp(`^(export )?(async )?(function|const) ${name}\\b`, 'm').test(text);
    return !declared;
  });
  expect(wrong.map(([row]) => row)).toEqual([]);
  expect(hops.map(([, number]) => Number(number))).toEqual(hops.map((_, i) => i + 1));
  expect(hops.length).toBeGreaterThan(30);
  expect(hops.length).toBeLessThanOrEqual(45);
});

test('one word means one thing: what is exported has a name of its own', () => {
  const places = new Map<string, string[]>();
  const pages = readdirSync(join(source, '../studio/src'), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name) && !isTest(name))
    .map((name) => join('../studio/src', name));
  expect(pages.length).toBeGreaterThan(30);
  for (const file of [...code, ...pages]) {
    const text = readFileSync(join(source, file), 'utf8');
    const names = text.matchAll(/^export (?:async )?(?:function\*?|const|class|interface|type) (\w+)/gm);
    // Components are called like what they show.
    const own = [...names].map(([, name]) => name).filter((name) => !(file.endsWith('.tsx') && /^[A-Z]/.test(name)));
    for (const name of new Set(own)) places.set(name, [...(places.get(name) ?? []), file]);
  }
  /** A verb is called like the function that it calls; the same mathematics is there for arrays and for tensors. */
  const isSame = ([first, second, ...others]: string[]) =>
    others.length === 0 &&
    ((isIn(first, 'cli') && isIn(second, 'use')) ||
      [first, second].filter((file) => isIn(file, 'tensor') || isIn(file, 'objectives')).length === 1);
  const twice = [...places].filter(([, found]) => found.length > 1 && !isSame(found));
  expect(twice.map(([name, found]) => `${name}: ${found.join(', ')}`)).toEqual([]);
});
