import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const readme = readFileSync(join(import.meta.dirname, 'README.md'), 'utf8');
const rows = [...readme.matchAll(/^\| `(\S+\.(?:py|js))` \| (.*?) \|(?: (.*) \|)?$/gm)];

test('every script is named in the README, and nothing else', () => {
  const scripts = readdirSync(import.meta.dirname).filter((name) => /\.(py|js)$/.test(name));
  expect(rows.map(([, name]) => name).sort()).toEqual(scripts.sort());
});

test('fixtures are from the versions that the README names', () => {
  const wrong: string[] = [];
  for (const [, script, makes, versions] of rows) {
    if (versions === undefined) continue;
    for (const path of fixturesOf(makes)) {
      const { source } = JSON.parse(readFileSync(join(import.meta.dirname, '..', path), 'utf8'));
      for (const version of versions.split(', '))
        if (!source.includes(version)) wrong.push(`${script}: ${path} is from ${source}`);
    }
  }
  expect(wrong).toEqual([]);
});

/** The files of a cell such as “`src/a/b.json`; `src/c/`: d, e; `f.json` of `src/g/` and `src/h/`”. */
function fixturesOf(cell: string): string[] {
  return cell.split('; ').flatMap((part) => {
    const [folder, names] = part.split(': ');
    if (names !== undefined) return names.split(', ').map((name) => `${folder.replaceAll('`', '')}${name}.json`);
    const quoted = [...part.matchAll(/`([^`]+)`/g)].map(([, word]) => word);
    return part.includes(' of ') ? quoted.slice(1).map((place) => place + quoted[0]) : quoted;
  });
}
