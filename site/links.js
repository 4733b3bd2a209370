/** Looks at every link and anchor of the pages that were built: each must lead to a file, and to a place in it. */
import { readdir, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';

/** How many pages and links there are; throws with the list of those that lead nowhere. */
export async function checkLinks(folder, base) {
  const files = new Set((await readdir(folder, { recursive: true })).map((name) => name.replaceAll('\\', '/')));
  const pages = [...files].filter((name) => name.endsWith('.html') && !name.startsWith('examples/'));
  const texts = new Map();
  for (const name of pages) texts.set(name, await readFile(join(folder, name), 'utf8'));
  const anchors = new Map([...texts].map(([name, text]) => [name, new Set(matches(text, / (?:id|name)="([^"]+)"/g))]));
  const wrong = [];
  let links = 0;
  for (const [name, text] of texts)
    for (const link of matches(text, / (?:href|src)="([^"]*)"/g)) {
      if (/^(https?:|data:|mailto:)/.test(link) || link === '') continue;
      links++;
      const url = new URL(decoded(link), `http://site${base}${name}`);
      const path = decodeURIComponent(url.pathname);
      const inside = path.startsWith(base) ? path.slice(base.length) : undefined;
      const file =
        inside === undefined
          ? undefined
          : [inside, `${inside}.html`, `${inside}index.html`].find(
              (one) => files.has(one) && one !== '' && /\.\w+$/.test(one),
            );
      const anchor = decodeURIComponent(url.hash.slice(1));
      if (file === undefined || (anchor !== '' && anchors.has(file) && !anchors.get(file).has(anchor)))
        wrong.push(`${relative('', name)}: ${link}`);
    }
  if (wrong.length > 0)
    throw new Error(`${wrong.length} links lead nowhere:\n${[...new Set(wrong)].slice(0, 40).join('\n')}`);
  return { pages: pages.length, links };
}

const matches = (text, pattern) => [...text.matchAll(pattern)].map((found) => found[1]);
const decoded = (text) => text.replaceAll('&amp;', '&').replaceAll('&#39;', "'");
