import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { encodePng } from '../drawing/index.ts';
import { build } from '../nn/index.ts';
import { createRun, writeModel } from '../runs/index.ts';
import { handMadeRun } from '../runs/testing/hand-made.ts';
import { concat, type Tensor, toOnnx } from '../tensor/index.ts';
import { exportRun } from '../use/export.ts';
import { chromium, openBrowser, type Page, serve } from './testing/browser.ts';

const executable = chromium();

describe.skipIf(executable === undefined && process.env.CI === undefined)('the exported page in a browser', () => {
  let folder: string;
  let page: Page;
  let site: Awaited<ReturnType<typeof serve>>;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'untangle-page-'));
    await exportRun(await handMadeRun(join(folder, 'runs')), join(folder, 'image'));
    await exportRun(await tableRun(join(folder, 'runs')), join(folder, 'table'));
    site = await serve(folder);
    page = await openBrowser(executable ?? 'chromium');
  }, 60_000);
  afterAll(async () => {
    await page?.close();
    await site?.close();
    await rm(folder, { recursive: true });
  });

  async function open(name: string) {
    await page.goto(`${site.url}${name}/`);
    await page.until(`document.getElementById('status').hidden && document.querySelector('.view').children.length > 0`);
  }

  const pixels = () =>
    page.evaluate<number[]>(`(() => {
      const canvas = document.querySelector('.view .picture canvas');
      const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
      return Array.from({ length: data.length / 4 }, (_, i) => data[4 * i]);
    })()`);

  /** The hand-made model shows a code's number as the sigmoid of it. */
  const shade = (value: number) => Math.round(255 / (1 + Math.exp(-value)));
  async function expectPixels(...codes: number[]) {
    const expected = Array.from({ length: 16 }, (_, i) => shade(codes[i] ?? 0));
    const isClose = (found: number[]) => found.every((value, i) => Math.abs(value - expected[i]) <= 1);
    await page.until(`(${isClose.toString().replaceAll('expected', JSON.stringify(expected))})((() => {
      const canvas = document.querySelector('.view .picture canvas');
      const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
      return Array.from({ length: data.length / 4 }, (_, i) => data[4 * i]);
    })())`);
    expect(isClose(await pixels())).toBe(true);
  }

  const slide = (id: string, value: number) =>
    page.evaluate(`(() => {
      const slider = document.getElementById('${id}');
      slider.value = '${value}';
      slider.dispatchEvent(new Event('input', { bubbles: true }));
    })()`);

  const press = (button: string) =>
    page.evaluate(
      `[...document.querySelectorAll('button')].find((one) => one.textContent === ${JSON.stringify(button)}).click()`,
    );

  test('it starts at the first class, neutral codes and prior means, with sliders in the order of their KL', async () => {
    await open('image');
    await expectPixels(1, 0, 0, 0, 0, 0.5);
    expect(await page.evaluate(`[...document.querySelectorAll('input[type=range]')].map(({ id }) => id)`)).toEqual([
      ...['code-u-0', 'code-u-1', 'code-s-0', 'code-z-1', 'code-z-3', 'code-z-2', 'code-z-0'],
    ]);
    expect(await page.evaluate(`document.querySelector('details label').textContent`)).toBe('z 0');
    expect(await page.evaluate(`document.querySelector('legend').textContent`)).toBe('y the class');
    expect(await page.evaluate(`document.title`)).toBe('A model by hand on patches');
  });

  test('the picture follows a slider, and reset brings it back', async () => {
    await open('image');
    await slide('code-z-1', 2);
    await expectPixels(1, 0, 0, 0, 0, 0.5, 0, 2);
    expect(await page.evaluate(`document.querySelector('output[for=code-z-1]').textContent`)).toBe('2.00');
    await press('Reset');
    await expectPixels(1, 0, 0, 0, 0, 0.5);
  });

  test('a class is chosen by its name, and takes the codes along to its own prior', async () => {
    await open('image');
    await page.evaluate(`[...document.querySelectorAll('label')].find((one) => one.textContent === 'cat').click()`);
    await expectPixels(0, 0, 1, 3, -3, 0.5);
    const deviation = Math.exp(-0.5);
    const range = await page.evaluate<string[]>(
      `['min', 'max'].map((end) => document.getElementById('code-u-0')[end])`,
    );
    expect(Number(range[0])).toBeCloseTo(3 - 2.3263 * deviation, 2);
    expect(Number(range[1])).toBeCloseTo(3 + 2.3263 * deviation, 2);
  });

  test('a draw from the prior changes every number of the code', async () => {
    await open('image');
    const before = await page.evaluate<string[]>(
      `[...document.querySelectorAll('output')].map((one) => one.textContent)`,
    );
    await press('Random');
    await page.until(`document.querySelector('output').textContent !== '${before[0]}'`);
    const after = await page.evaluate<string[]>(
      `[...document.querySelectorAll('output')].map((one) => one.textContent)`,
    );
    expect(after.filter((text, i) => text === before[i]).length).toBeLessThan(3);
  });

  test('the strip shows the dimension that a person looks at, from one end of its slider to the other', async () => {
    await open('image');
    await page.until(`document.querySelector('.traversal figcaption').textContent === 'z 1 from −2.33 to 2.33'`);
    await page.evaluate(`document.getElementById('code-z-3').focus()`);
    await page.until(`document.querySelector('.traversal figcaption').textContent === 'z 3 from −2.33 to 2.33'`);
    const ends = await page.evaluate<number[]>(`(() => {
      const canvas = document.querySelector('.traversal canvas');
      const context = canvas.getContext('2d');
      // Pixel 9, the one of z 3, is in the third row and the second column of each of the nine pictures.
      return [0, 8].map((i) => context.getImageData(i * 5 + 1, 2, 1, 1).data[0]);
    })()`);
    expect(Math.abs(ends[0] - shade(-2.3263))).toBeLessThanOrEqual(1);
    expect(Math.abs(ends[1] - shade(2.3263))).toBeLessThanOrEqual(1);
  });

  test('the keyboard reaches and moves a slider', async () => {
    await open('image');
    await page.evaluate(`document.querySelector('input[type=radio]:checked').focus()`);
    await page.press('Tab');
    expect(await page.evaluate(`document.activeElement.id`)).toBe('code-u-0');
    for (let i = 0; i < 5; i++) await page.press('ArrowRight');
    await page.until(`document.querySelector('output[for=code-u-0]').textContent === '0.50'`);
    const unnamed = await page.evaluate(`[...document.querySelectorAll('input, select, button')].filter((one) =>
      !one.labels?.length && !one.textContent.trim() && !one.ariaLabel).length`);
    expect(unnamed).toBe(0);
  });

  test('an image that is dropped becomes the code to start from', async () => {
    const values = [0, 255, 0, 128, 128, 0, 0, 255, 128, 191, 0, 0, 0, 0, 0, 0];
    const data = Uint8Array.from({ length: 64 }, (_, i) => (i % 4 === 3 ? 255 : values[i >> 2]));
    await writeFile(join(folder, 'image', 'given.png'), encodePng({ width: 4, height: 4, data }));
    await open('image');
    await page.evaluate(`(async () => {
      const file = new File([await (await fetch('given.png')).blob()], 'given.png', { type: 'image/png' });
      const transfer = new DataTransfer();
      transfer.items.add(file);
      document.dispatchEvent(new DragEvent('drop', { dataTransfer: transfer, bubbles: true, cancelable: true }));
    })()`);
    await page.until(`document.querySelector('.given') !== null`);
    const read = (byte: number) => 2 * (byte / 255) - 1;
    const code = [0, 1, 0, ...values.slice(3, 10).map(read)];
    await expectPixels(...code);
    expect(await page.evaluate(`document.querySelector('input[type=radio]:checked').parentElement.textContent`)).toBe(
      'bee',
    );
    await slide('code-z-1', -2);
    await press('Reset');
    await expectPixels(...code);
    await press('Leave it');
    await expectPixels(1, 0, 0, 0, 0, 0.5);
  });

  test('a file that is no picture gets a sentence', async () => {
    await writeFile(join(folder, 'notes.png'), 'no picture');
    await open('image');
    await page.choose('input[type=file]', join(folder, 'notes.png'));
    await page.until(`document.querySelector('.toast').textContent !== ''`);
    expect(await page.evaluate(`document.querySelector('.toast').textContent`)).toBe(
      '“notes.png” is no picture that this browser can read.',
    );
    await expectPixels(1, 0, 0, 0, 0, 0.5);
  });

  test('a table’s columns are shown in their own units', async () => {
    await open('table');
    const cells = () =>
      page.evaluate<string[]>(`[...document.querySelectorAll('td.number')].map((one) => one.textContent)`);
    expect(await cells()).toEqual(['170.0', 'Bonn']);
    await slide('code-z-0', 2);
    await slide('code-z-1', 1);
    await page.until(`document.querySelector('td.number').textContent !== '170.0'`);
    await page.until(`document.querySelectorAll('td.number')[1].textContent !== 'Bonn'`);
    expect(await cells()).toEqual(['186.0', 'Köln']);
    expect(await page.evaluate(`document.querySelector('.actions').textContent`)).toBe('ResetRandom');
  });

  test.each([
    [1280, 'light'],
    [1280, 'dark'],
    [390, 'light'],
    [390, 'dark'],
  ] as const)(
    'at %i pixels in %s nothing sticks out to the side, and the picture is in sight beside a slider',
    async (width, colours) => {
      await page.look(width, 800, colours);
      for (const name of ['image', 'table']) {
        await open(name);
        expect(await page.evaluate(`document.documentElement.scrollWidth`)).toBe(width);
        await page.evaluate(
          `[...document.querySelectorAll('input[type=range]')].at(-2).scrollIntoView({ block: 'end' })`,
        );
        const { top, bottom } = await page.evaluate<{ top: number; bottom: number }>(
          `document.querySelector('.view').getBoundingClientRect().toJSON()`,
        );
        expect(top).toBeGreaterThanOrEqual(0);
        expect(bottom).toBeLessThanOrEqual(800);
      }
      const ground = await page.evaluate<string>(`getComputedStyle(document.body).backgroundColor`);
      expect(ground).toBe(colours === 'dark' ? 'rgb(20, 23, 26)' : 'rgb(253, 253, 252)');
    },
  );

  test('nothing was asked of any other place than the folder’s own server, and nothing went wrong', () => {
    const away = page.requests.filter((url) => !url.startsWith(site.url) && !/^(data|blob|about):/.test(url));
    expect(page.requests.length).toBeGreaterThan(50);
    expect(away).toEqual([]);
    expect(page.errors).toEqual([]);
  });
});

/** A table of a number and a category: the code's first number is the standardised column, its second leans to Köln. */
async function tableRun(root: string) {
  const run = await createRun(root, {
    command: '',
    method: 'by-hand',
    options: {},
    data: { target: { source: 'people', fingerprint: 'f00d' } },
    training: { seed: 1, steps: 10, batchSize: 8, optimiser: 'adam', learningRate: 0.001, workers: 1, threads: 1 },
  });
  const b = build();
  const z = b.rows('z', [3]);
  await writeModel(
    run.folder,
    {
      method: 'by-hand',
      title: 'A table by hand',
      step: 10,
      data: {
        name: 'people',
        shape: { kind: 'table', columns: ['height', 'site=Bonn', 'site=Köln'] },
        range: 'real',
        transformation: {
          columns: [
            { kind: 'number', name: 'height', mean: 170, deviation: 8, fill: 170 },
            { kind: 'category', name: 'site', categories: ['Bonn', 'Köln'], fill: 'Bonn' },
          ],
          left: [],
          filled: {},
        },
      },
      blocks: [{ name: 'z', size: 3, kind: 'gaussian', role: 'shared', kl: [3, 2, 1] }],
      encodes: false,
    },
    // The row is z with its last two numbers exchanged, so that a positive second number speaks for Köln.
    { decoder: toOnnx({ name: 'decoder', outputs: { x: exchanged(z) }, parameters: () => new Float32Array() }) },
  );
  return run;
}

function exchanged(z: Tensor) {
  return concat([z.slice(1, 0, 1), z.slice(1, 2, 3), z.slice(1, 1, 2)], 1);
}
