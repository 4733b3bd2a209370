import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { chromium, openBrowser, serve } from '../src/cli/testing/browser.ts';
import { decodePng } from '../src/data/formats/png.ts';
import { encodePng } from '../src/drawing/index.ts';
import { stream } from '../src/random/index.ts';
import { handMadeRun } from '../src/runs/testing/hand-made.ts';
import { exportRun } from '../src/use/export.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'untangle-examples-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Runs an example as a reader would, in a folder of its own. */
function example(name: string, ...words: string[]): Promise<{ code: number; out: string; err: string }> {
  const path = join(import.meta.dirname, name);
  const env = { ...process.env, UNTANGLE_DATA: join(folder, 'data') };
  return new Promise((done) => {
    execFile(process.execPath, [path, ...words], { cwd: folder, env }, (error, out, err) => {
      done({ code: error === null ? 0 : Number(error.code), out, err });
    });
  });
}

test('train-your-own-images turns a folder of pictures into a run and pictures of it', async () => {
  const photos = join(folder, 'photos');
  mkdirSync(photos);
  for (let i = 0; i < 80; i++) {
    const noise = stream(1, 'photo', i);
    const [width, height] = [40 + (i % 3), 36];
    const data = Uint8Array.from({ length: width * height * 4 }, (_, k) =>
      k % 4 === 3 ? 255 : 128 + 20 * noise.normal(),
    );
    writeFileSync(join(photos, `${i}.png`), encodePng({ width, height, data }));
  }
  const { code, out, err } = await example('train-your-own-images.js', photos, '6');
  expect(err).toBe('');
  expect(code).toBe(0);
  expect(out).toContain('6/6');
  const pictures = join(folder, 'runs', 'beta-vae-photos-1', 'pictures');
  expect(readdirSync(pictures).sort()).toEqual(['reconstruction.png', 'traversal.png']);
  const { width, height } = decodePng(readFileSync(join(pictures, 'traversal.png')), 'traversal.png');
  expect(height).toBeGreaterThan(12 * 32);
  expect(width).toBeGreaterThan(7 * 32);
}, 120_000);

test('own-method trains an objective of one’s own, whose loss falls and whose own term pays at least what is not free', async () => {
  const { code, out, err } = await example('own-method.js', '200');
  expect(err).toBe('');
  expect(code).toBe(0);
  const lines = out.trim().split('\n');
  const value = (line: string, term: string) => Number(new RegExp(`${term} ([\\d.]+)`).exec(line)?.[1]);
  expect(value(lines[3], 'reconstruction')).toBeLessThan(value(lines[0], 'reconstruction'));
  // Six dimensions, each at least at the 0.6 nats that are free at step 200.
  expect(value(lines[3], 'paid')).toBeGreaterThanOrEqual(6 * 0.6);
  expect(lines.at(-1)).toMatch(/^held out: reconstruction [\d.]+, KL [\d.]+$/);
}, 120_000);

test('own-method’s objective is a method in under 40 lines', () => {
  const text = readFileSync(join(import.meta.dirname, 'own-method.js'), 'utf8');
  const method = text.slice(text.indexOf('const freeBits'), text.indexOf('const seed'));
  expect(method.split('\n').length).toBeLessThan(40);
});

test('traverse-in-the-browser moves a slider on an exported decoder', async (context) => {
  const executable = chromium();
  if (executable === undefined && process.env.CI === undefined) context.skip('there is no Chromium here');
  const site = join(folder, 'site');
  cpSync(join(import.meta.dirname, 'traverse-in-the-browser'), site, { recursive: true });
  await exportRun(await handMadeRun(join(folder, 'runs')), join(site, 'export'));
  const server = await serve(site);
  const page = await openBrowser(executable ?? 'chromium');
  try {
    await page.goto(server.url);
    // The first Gaussian block of the hand-made model has no KL, so one that has is asked for.
    await page.until(`document.getElementById('name').textContent === 's 0'`);
    const shade = `document.getElementById('picture').getContext('2d').getImageData(1, 1, 1, 1).data[0]`;
    await page.until(`${shade} > 120 && ${shade} < 136`);
    await page.evaluate(`(() => {
      const slider = document.getElementById('slider');
      slider.value = '2';
      slider.dispatchEvent(new Event('input'));
    })()`);
    await page.until(`Math.abs(${shade} - ${255 / (1 + Math.exp(-2))}) <= 1`);
    expect(page.errors).toEqual([]);
  } finally {
    await page.close();
    await server.close();
  }
}, 60_000);
