/** The site as a reader has it: built, served under a path by a static server without a network behind it, walked page by page. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chromium, openBrowser, type Page, serve } from '../src/cli/testing/browser.ts';

const executable = chromium();
const root = join(import.meta.dirname, '..');

describe.skipIf(executable === undefined && process.env.CI === undefined)('the site', () => {
  let folder: string;
  let server: Awaited<ReturnType<typeof serve>>;
  let page: Page;
  let home: string;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'untangle-site-'));
    // The build itself looks at every link and anchor, and fails where one leads nowhere.
    execFileSync(
      process.execPath,
      ['site/build.js', '--base', '/docs/untangle/', '--out', join(folder, 'docs', 'untangle')],
      {
        cwd: root,
        stdio: ['ignore', 'ignore', 'inherit'],
      },
    );
    server = await serve(folder);
    home = `${server.url}docs/untangle/`;
    page = await openBrowser(executable ?? 'chromium');
    await page.look(1280, 900);
  }, 240_000);
  afterAll(async () => {
    await page?.close();
    await server?.close();
    rmSync(folder, { recursive: true });
  });

  const open = async (path: string) => {
    await page.goto(`${home}${path}`);
    await page.until(`document.querySelector('#app')?.__vue_app__ !== undefined`);
  };
  const shown = `[...document.querySelectorAll('figure.live')].every((one) => one.dataset.state === 'shown')`;

  test('every page opens without an error, on a phone and in the dark without a sideways scroll, and asks nobody else', async () => {
    const paths = readdirSync(join(folder, 'docs', 'untangle'), { recursive: true })
      .map((path) => `${path}`.replaceAll('\\', '/'))
      .filter((path) => path.endsWith('.html') && !path.startsWith('examples/'));
    expect(paths.length).toBeGreaterThan(80);
    await page.look(390, 844, 'dark');
    const wide: string[] = [];
    for (const path of paths) {
      await open(path);
      if (await page.evaluate(`document.documentElement.scrollWidth > 391`)) wide.push(path);
      expect(await page.evaluate(`document.documentElement.classList.contains('dark')`)).toBe(true);
    }
    await page.look(1280, 900);
    expect(wide).toEqual([]);
    expect(page.errors).toEqual([]);
    expect(page.requests.filter((url) => !url.startsWith(home) && !/^(data|blob|about):/.test(url))).toEqual([]);
  }, 240_000);

  test('the first page takes less than 100 kB of script, as a server sends it', async () => {
    const before = page.requests.length;
    await open('index.html');
    const scripts = new Set(page.requests.slice(before).filter((url) => /\.m?js$/.test(url)));
    const size = [...scripts].reduce(
      (sum, url) => sum + gzipSync(readFileSync(join(folder, new URL(url).pathname))).length,
      0,
    );
    expect(scripts.size).toBeGreaterThan(0);
    expect(size).toBeLessThan(100_000);
  }, 60_000);

  const models: { name: string; train: string[] }[] = JSON.parse(readFileSync(join(root, 'zoo', 'zoo.json'), 'utf8'));
  const methods = new Map([...models].reverse().map((model) => [model.train[0], model]));

  test.each([...methods.keys()])(
    'the sliders of %s’s page answer a hand',
    async (method) => {
      await open(`methods/${method}.html`);
      await page.evaluate(`document.querySelector('figure.live').scrollIntoView()`);
      await page.until(`document.querySelector('figure.live').dataset.state === 'shown'`);
      const isTable = methods.get(method)?.name.endsWith('mice') ?? false;
      const shadow = `document.querySelector('figure.live > div').shadowRoot`;
      await page.until(
        `${shadow}.querySelector('${isTable ? '.stage' : 'canvas.decoded'}') !== null && ${shadow}.querySelector('input[type=range]') !== null`,
      );
      // How long from the slider's move to another picture, the best of five: other work on the machine makes it longer, never shorter.
      const took = await page.evaluate<number>(`(async () => {
      const root = ${shadow};
      const slider = root.querySelector('input[type=range]');
      const picture = () => {
        const canvas = root.querySelector('canvas.decoded');
        return canvas ? canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data.join() : root.querySelector('.stage').innerHTML;
      };
      const times = [];
      for (let i = 0; i < 5; i++) {
        const before = picture();
        slider.value = String(i % 2 === 0 ? Number(slider.max) : Number(slider.min));
        const start = performance.now();
        slider.dispatchEvent(new Event('input', { bubbles: true }));
        while (picture() === before && performance.now() - start < 5000) await new Promise((done) => setTimeout(done, 1));
        times.push(performance.now() - start);
      }
      return Math.min(...times);
    })()`);
      expect(took).toBeLessThan(50);
      expect(page.errors).toEqual([]);
    },
    60_000,
  );

  test('salient codes are swapped on a contrastive page, and a training runs in the tab', async () => {
    await open('methods/contrastive-correct.html');
    await page.evaluate(`document.querySelectorAll('figure.live')[1].scrollIntoView()`);
    await page.until(shown);
    const cells = `document.querySelectorAll('figure.live > div')[1].shadowRoot.querySelectorAll('td canvas')`;
    await page.until(`${cells}.length === 25`);
    const picture = `[...${cells}].map((one) => one.getContext('2d').getImageData(0, 0, one.width, one.height).data.join()).join()`;
    const before = await page.evaluate<string>(picture);
    await page.evaluate(
      `document.querySelectorAll('figure.live > div')[1].shadowRoot.querySelector('input[type=radio]:not(:checked)').click()`,
    );
    await page.until(`${cells}.length === 25 && ${picture} !== ${JSON.stringify(before)}`);

    await open('live.html');
    await page.until(shown);
    await page.evaluate(
      `[...document.querySelector('figure.live > div').shadowRoot.querySelectorAll('button')].find((one) => one.textContent.trim() === 'Train').click()`,
    );
    await page.until(`/Step \\d/.test(document.querySelector('figure.live > div').shadowRoot.textContent)`);
    expect(page.errors).toEqual([]);
  }, 90_000);

  test('machines find an index of the pages, each as Markdown', () => {
    const text = readFileSync(join(folder, 'docs', 'untangle', 'llms.txt'), 'utf8');
    const links = [...text.matchAll(/\]\(\/docs\/untangle\/([^)]+)\)/g)].map(([, path]) => path);
    expect(links).toContain('methods/beta-vae.md');
    for (const path of links) expect(readFileSync(join(folder, 'docs', 'untangle', path), 'utf8')).toMatch(/^#|^---/);
  });
});
