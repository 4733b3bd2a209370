/** What every page has to be: readable by machines, no wider than its window, with targets that a finger meets. */
import axe from 'axe-core';
import { expect, test } from 'vitest';
import type { Shared } from './start.ts';

declare global {
  interface Window {
    axe: typeof axe;
  }
}

/** A name that nobody would type, as sweeps and scripts make them. */
export const longName = `beta-vae-on-shapes-${'with-a-setting-of-its-own-'.repeat(6)}seed-1`;

const pages = [
  '',
  'new',
  'live',
  `compare?run=moves&run=swaps&run=${longName}`,
  `runs/${longName}`,
  'runs/moves',
  'runs/moves/mixer',
  'runs/swaps/transfer',
  'runs/swaps/map',
];

/** Waits until a page stands still: its heading is there, and nothing more is added for a moment. */
async function settled({ page, open }: Shared, one: string): Promise<void> {
  await open(one);
  await page.locator('h1').waitFor();
  let before = -1;
  for (let now = 0; now !== before; now = await page.evaluate(() => document.body.querySelectorAll('*').length)) {
    before = now;
    await page.waitForTimeout(500);
  }
}

/** What is smaller than a finger meets, with its size. */
function smallTargets(): string[] {
  const targets = document.querySelectorAll('main a, main button, main input, main select, main summary, header a');
  return [...targets].flatMap((element) => {
    // A label is pressed as its field is; words in a sentence are as tall as its line.
    const target = element.closest('label') ?? element;
    if (target.closest('p, dd, .hidden-visually')) return [];
    const { width, height } = target.getBoundingClientRect();
    return width > 0 && (width < 24 || height < 24) ? [`${target.outerHTML.slice(0, 120)} ${width} × ${height}`] : [];
  });
}

export function lookTests(shared: () => Shared): void {
  test('axe finds nothing on any page, light or dark, and none is wider than its window or too small for a finger', async () => {
    const { page } = shared();
    const found: string[] = [];
    const note = (one: string, what: string) => found.push(`${one}: ${what}`);
    for (const one of pages) {
      await page.setViewportSize({ width: 1280, height: 844 });
      await settled(shared(), one);
      await page.evaluate(axe.source);
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        const { violations } = await page.evaluate(
          // Colours are all that changes with the theme.
          (dark) => window.axe.run(document, dark ? { runOnly: ['color-contrast'] } : {}),
          colorScheme === 'dark',
        );
        for (const { id, nodes } of violations)
          note(one, `${id} (${colorScheme}), ${nodes.length} times: ${nodes[0].html} ${nodes[0].failureSummary ?? ''}`);
      }
      for (const width of [1280, 390, 320]) {
        await page.setViewportSize({ width, height: 844 });
        await page.waitForTimeout(150);
        const wide = await page.evaluate(() => document.documentElement.scrollWidth);
        if (wide !== width) note(one, `${wide} pixels wide in a window of ${width}`);
        if (width === 390) for (const target of await page.evaluate(smallTargets)) note(one, target);
      }
    }
    expect(found).toEqual([]);
  }, 120_000);
}
