/** The studio as a person uses it: a real browser on the real server, with runs that are trained here. */
import { execFileSync } from 'node:child_process';
import { cp, mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, chromium as launcher, type Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { chromium } from '../src/cli/testing/browser.ts';
import { nodeBackend } from '../src/runtime/node/index.ts';
import { drawShapes } from './src/live-shapes.ts';
import { openTraining } from './src/live-training.ts';
import { longName, lookTests } from './testing/look.ts';
import { mendedTests } from './testing/mended.ts';
import { commandLine, type StartedStudio, startStudio } from './testing/start.ts';
import { workbenchTests } from './testing/workbench.ts';

const executable = chromium();

declare global {
  interface Window {
    /** What workers have said to the page. */
    heard: { lines?: { step: number; terms: Record<string, number> }[] }[];
  }
}

/** Keeps what workers say to the page. */
function recordWorkers(): void {
  window.heard = [];
  window.Worker = class extends Worker {
    constructor(url: string | URL, options?: WorkerOptions) {
      super(url, options);
      this.addEventListener('message', ({ data }) => window.heard.push(data));
    }
  };
}

describe.skipIf(executable === undefined && process.env.CI === undefined)('the studio in a browser', () => {
  let folder: string;
  let server: StartedStudio;
  let address: string;
  let browser: Browser;
  let page: Page;
  let troubles: string[];

  beforeAll(async () => {
    folder = await realpath(await mkdtemp(join(tmpdir(), 'untangle-studio-')));
    const train = (...words: string[]) =>
      execFileSync(process.execPath, [commandLine, 'train', ...words, '--workers', '1'], {
        cwd: folder,
        stdio: 'ignore',
      });
    const short = ['--steps', '30', '--set', 'batchSize=16', '--set', 'validateEvery=10'];
    train('contrastive-correct', '--data', 'shapes-contrast', ...short, '--out', 'runs/swaps');
    train('beta-vae', '--data', 'shapes', ...short, '--out', 'runs/moves', '--set', 'beta=0.5');
    await cp(join(folder, 'runs/moves'), join(folder, 'runs/spare'), { recursive: true });
    await cp(join(folder, 'runs/moves'), join(folder, 'runs', longName), { recursive: true });
    execFileSync(
      process.execPath,
      [commandLine, 'evaluate', `runs/${longName}`, '--metrics', 'sap,mig,dci,modularity'],
      {
        cwd: folder,
        stdio: 'ignore',
      },
    );
    server = await startStudio(folder);
    address = server.address;
    browser = await launcher.launch({
      ...(executable !== undefined && { executablePath: executable }),
      args: ['--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking'],
    });
  }, 180_000);
  afterAll(async () => {
    await browser?.close();
    await server?.stop();
    await rm(folder, { recursive: true });
  });

  beforeEach(async () => {
    page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
    troubles = [];
    page.on('pageerror', (error) => troubles.push(error.message));
    page.on('request', (request) => {
      const url = request.url();
      if (!url.startsWith(new URL(address).origin) && !url.startsWith('data:') && !url.startsWith('blob:'))
        troubles.push(`asked for ${url}`);
    });
  });
  afterEach(async () => {
    await page.close();
    // No page throws, and none asks for anything but its own server.
    expect(troubles).toEqual([]);
  });

  const open = async (hash: string) => {
    await page.goto(`${address}#/${hash}`);
  };

  /** The red of every pixel of the picture in the mixer. */
  const picture = () =>
    page.locator('canvas.decoded').evaluate((canvas) => {
      if (!(canvas instanceof HTMLCanvasElement)) return [];
      const data = canvas.getContext('2d')?.getImageData(0, 0, canvas.width, canvas.height).data ?? [];
      return Array.from({ length: data.length / 4 }, (_, i) => data[4 * i]);
    });
  const difference = (one: number[], other: number[]) =>
    one.reduce((sum, value, i) => sum + Math.abs(value - other[i]), 0);

  test('a run that is started from the form appears, and its curve moves while it trains', async () => {
    await open('new');
    await page.getByLabel('Method', { exact: true }).selectOption('beta-vae');
    await page.getByLabel('beta', { exact: true }).fill('1');
    await page.getByLabel('steps', { exact: true }).fill('400');
    await page.getByLabel('batchSize', { exact: true }).fill('16');
    await page.getByLabel('name of the run').fill('from-the-form');
    expect(await page.locator('pre').textContent()).toBe(
      `untangle train beta-vae --data shapes --set batchSize=16 --set steps=400 --set beta=1 --out ${folder}/runs/from-the-form`,
    );
    await page.getByRole('button', { name: 'Start', exact: true }).click();
    await page.waitForURL(/#\/runs\/from-the-form$/);
    const line = page.locator('.chart path.line').first();
    await line.waitFor({ timeout: 60_000 });
    const first = (await line.getAttribute('d')) ?? '';
    await expect
      .poll(async () => ((await line.getAttribute('d')) ?? '').length, { timeout: 60_000 })
      .toBeGreaterThan(first.length);

    await page.getByRole('button', { name: 'Stop' }).click();
    await page.getByRole('button', { name: 'Resume' }).waitFor({ timeout: 60_000 });
    await page.goto(`${address}#/`);
    await expect
      .poll(() => page.getByRole('row', { name: /from-the-form/ }).textContent(), { timeout: 20_000 })
      .toMatch(/stopped|done/);
  }, 180_000);

  test('a value that an option can’t take is told beside its field, and nothing can be started with it', async () => {
    await open('new');
    await page.getByLabel('beta', { exact: true }).fill('-1');
    expect(await page.locator('#field-beta-about').textContent()).toBe('At least 0.');
    expect(await page.getByRole('button', { name: 'Start', exact: true }).isDisabled()).toBe(true);
    await page.getByLabel('beta', { exact: true }).fill('linear(0,4,100)');
    expect(await page.getByRole('button', { name: 'Start', exact: true }).isDisabled()).toBe(false);
  });

  test('a slider changes the picture, reset brings it back, and a link to the code opens the same picture', async () => {
    await open('runs/moves/mixer');
    await page.locator('canvas.decoded').waitFor();
    const start = await picture();
    const slider = page.locator('.dimension input[type=range]').first();
    await slider.focus();
    for (let i = 0; i < 4; i++) await page.keyboard.press('PageUp');
    await expect.poll(async () => difference(await picture(), start)).toBeGreaterThan(50);
    await page.getByText('2.00', { exact: true }).waitFor();
    // The address follows when the slider has come to rest.
    await page.waitForURL(/mixer\?z=[^&]*\b2(,|$)/);
    const moved = await picture();
    await page.getByRole('img', { name: /^Traversal of z/ }).waitFor();

    const link = page.url();
    await page.getByRole('button', { name: 'Reset' }).click();
    await expect.poll(async () => difference(await picture(), start)).toBe(0);
    await page.goto('about:blank');
    await page.goto(link);
    await page.locator('canvas.decoded').waitFor();
    // A link holds three digits after the point.
    await expect.poll(async () => difference(await picture(), moved)).toBeLessThan(moved.length);
  }, 60_000);

  test('an image that is dropped on the page becomes the code', async () => {
    await open('runs/moves/mixer');
    await page.locator('canvas.decoded').waitFor();
    const start = await picture();
    await page.locator('.mixer').evaluate(async (mixer) => {
      const canvas = new OffscreenCanvas(64, 64);
      const context = canvas.getContext('2d');
      if (!context) return;
      context.fillRect(0, 0, 64, 64);
      context.fillStyle = 'white';
      context.fillRect(8, 8, 24, 24);
      const data = new DataTransfer();
      data.items.add(new File([await canvas.convertToBlob()], 'square.png', { type: 'image/png' }));
      mixer.dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }));
    });
    await page.getByText('The item that you started from.').waitFor();
    await expect.poll(async () => difference(await picture(), start)).toBeGreaterThan(50);
  }, 60_000);

  test('a name that is given to a dimension is there when the page is opened again', async () => {
    await open('runs/moves/mixer');
    await page
      .getByRole('button', { name: /give it a name/ })
      .first()
      .click();
    await page.getByLabel(/^A name for z/).fill('brightness');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: /^brightness z \d+: give it a name$/ }).waitFor();
    await page.waitForTimeout(300);
    await page.reload();
    await page.getByRole('slider', { name: 'brightness' }).waitFor();
  }, 60_000);

  test('taking another block from the columns changes the matrix of swaps', async () => {
    await open('runs/swaps/transfer');
    const cell = (row: number, column: number) =>
      page
        .getByRole('img', { name: `Row ${row} with the part of column ${column}`, exact: true })
        .evaluate((canvas) => (canvas instanceof HTMLCanvasElement ? canvas.toDataURL() : ''));
    await page.getByRole('img', { name: 'Row 1 with the part of column 2', exact: true }).waitFor();
    expect(await page.getByRole('checkbox', { name: /^s / }).isChecked()).toBe(true);
    const [salient, other] = [await cell(1, 2), await cell(2, 2)];
    expect(salient).not.toBe(other);
    await page.getByRole('checkbox', { name: /^z / }).check();
    // With every block from above, rows make no difference.
    await expect.poll(async () => (await cell(1, 2)) === (await cell(2, 2))).toBe(true);
    expect(await cell(1, 2)).not.toBe(salient);
    expect(await cell(1, 3)).not.toBe(await cell(1, 2));
  }, 60_000);

  test('two runs side by side show what they were told differently, and both curves', async () => {
    await open('');
    await page.getByRole('checkbox', { name: 'Choose moves' }).check();
    await page.getByRole('checkbox', { name: 'Choose swaps' }).check();
    await page.getByRole('link', { name: 'Compare', exact: true }).last().click();
    const row = page.getByRole('row', { name: /^method/ });
    await row.waitFor();
    expect((await row.locator('td').allTextContents()).sort()).toEqual(['beta-vae', 'contrastive-correct']);
    await expect.poll(() => page.locator('.chart path.line').count()).toBe(2);
    await page
      .getByRole('img', { name: /^Traversal of .* in moves/ })
      .first()
      .waitFor();
  }, 60_000);

  test('the map places the items of both sets by their codes, and says what is under the pointer', async () => {
    await open('runs/swaps/map');
    await page.getByLabel('Placed by').selectOption('two dimensions');
    const canvas = page.locator('.scatter canvas');
    await canvas.waitFor();
    const colours = await canvas.evaluate(async (drawn) => {
      await new Promise((resolve) => setTimeout(resolve, 500));
      if (!(drawn instanceof HTMLCanvasElement)) return 0;
      const { data } = drawn.getContext('2d')?.getImageData(0, 0, drawn.width, drawn.height) ?? { data: [] };
      let painted = 0;
      for (let i = 3; i < data.length; i += 4) if (data[i] > 0) painted++;
      return painted;
    });
    expect(colours).toBeGreaterThan(1000);
    const box = await canvas.boundingBox();
    if (!box) throw new Error('the map has no place');
    for (let i = 0; i < 400 && (await page.locator('.pointed').count()) === 0; i++)
      await page.mouse.move(
        box.x + box.width / 2 - 100 + (i % 20) * 10,
        box.y + box.height / 2 - 100 + Math.floor(i / 20) * 10,
      );
    expect(await page.locator('.pointed').textContent()).toMatch(/set (target|background)/);
  }, 60_000);

  test('a small VAE learns in the tab: its loss falls', async () => {
    await open('live');
    await page.getByRole('button', { name: 'Train' }).click();
    const status = page.getByText(/^Step \d+/);
    await status.waitFor({ timeout: 60_000 });
    const loss = async () => Number(/loss ([\d.]+)/.exec((await status.textContent()) ?? '')?.[1]);
    const first = await loss();
    await expect.poll(loss, { timeout: 60_000 }).toBeLessThan(first / 2);
    expect(await page.getByRole('img', { name: /^Traversal of z/ }).count()).toBe(6);
    await page.getByRole('button', { name: 'Stop' }).click();
  }, 150_000);

  test.each([
    ['dip-vae-ii', 'batchSize=16 learningRate=0.002'],
    ['factor-vae', 'batchSize=16 learningRate=0.002 discriminatorWidth=50'],
    ['parted-vae', 'batchSize=16 learningRate=0.002 capacityZ=7 capacityU=7'],
  ])(
    '%s trains in the tab as it does anywhere else',
    async (method, settings) => {
      await page.addInitScript(recordWorkers);
      await open('live');
      await page.getByLabel('Method').selectOption(method);
      await page.getByLabel('Settings').fill(settings);
      await page.getByRole('button', { name: 'Train' }).click();
      const lines = () => page.evaluate(() => window.heard.flatMap((message) => message.lines ?? []));
      await expect.poll(async () => (await lines()).length, { timeout: 90_000 }).toBeGreaterThan(120);
      await page.getByRole('button', { name: 'Stop' }).click();

      const inTab = await lines();
      expect(inTab.every(({ terms }) => Object.values(terms).every(Number.isFinite))).toBe(true);
      const mean = (part: typeof inTab) => part.reduce((sum, { terms }) => sum + terms.loss, 0) / part.length;
      expect(mean(inTab.slice(-20))).toBeLessThan(0.8 * mean(inTab.slice(0, 20)));

      const start = { method, data: drawShapes(3000, 1), set: settings.split(' '), seed: 1 };
      const { session } = await openTraining(start, await nodeBackend());
      for (const { step, terms } of inTab.slice(0, 5)) {
        const here = await session.step();
        expect(Object.keys(terms)).toEqual(Object.keys(here));
        for (const [name, value] of Object.entries(here))
          expect(Math.abs(terms[name] - value), `${name} of step ${step}`).toBeLessThan(1e-4 * (1 + Math.abs(value)));
      }
      await session.close();
    },
    150_000,
  );

  test('a deleted run is asked about first, and gone then', async () => {
    await open('');
    await page.getByRole('checkbox', { name: 'Choose spare' }).check();
    await page.getByRole('button', { name: 'Delete …' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await expect.poll(() => page.getByRole('link', { name: 'spare' }).count(), { timeout: 20_000 }).toBe(0);
    expect(await page.getByRole('link', { name: 'moves', exact: true }).count()).toBe(1);
  }, 60_000);

  const shared = () => ({ browser, page, address, folder, troubles, open });
  mendedTests(shared);

  workbenchTests(shared);
  lookTests(shared);
});
