import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

test('each tick of the page of features leads to a test of that name', () => {
  const page = readFileSync(new URL('../docs/features.md', import.meta.url), 'utf8');
  const ticks = [...page.matchAll(/\[✓\]\((\S+) "([^"]+)"\)/g)];
  expect(ticks.length).toBeGreaterThan(15);
  expect(page.match(/✓/g)?.length).toBe(ticks.length);
  for (const [, path, name] of ticks) {
    const text = readFileSync(new URL(path, new URL('../docs/features.md', import.meta.url)), 'utf8');
    expect(text, `${path} has no test “${name}”`).toContain(`'${name}'`);
  }
});
