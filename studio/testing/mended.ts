/** What was broken once in the studio's pages, each as a person met it. */
import { cp, mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Shared, startStudio } from './start.ts';

export function mendedTests(shared: () => Shared): void {
  test('eight tabs on runs are all there: they share one stream of events', async () => {
    const { browser, address } = shared();
    const context = await browser.newContext();
    try {
      for (let i = 0; i < 8; i++) {
        const tab = await context.newPage();
        await tab.goto(`${address}#/runs/${i % 2 ? 'swaps' : 'moves'}`, { timeout: 10_000 });
        await tab.getByRole('heading', { name: 'Curves' }).waitFor({ timeout: 10_000 });
      }
      const [first] = context.pages();
      await first.goto(`${address}#/`);
      await first.getByRole('link', { name: 'moves', exact: true }).waitFor({ timeout: 10_000 });
    } finally {
      await context.close();
    }
  }, 120_000);

  test('a name that is typed for a dimension is that name alone, Escape leaves it, and the focus stays', async () => {
    const { page, open } = shared();
    await open('runs/moves/mixer');
    const button = page.getByRole('button', { name: /give it a name/ }).last();
    const before = (await button.getAttribute('aria-label')) ?? '';
    await button.click();
    await page.keyboard.type('left alone');
    await page.keyboard.press('Escape');
    expect(await page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe(before);
    expect(await button.getAttribute('aria-label')).toBe(before);
    await page.keyboard.press('Enter');
    await page.keyboard.type('slant');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: /^slant z \d+: give it a name$/ }).waitFor();
    expect(await page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toMatch(/^slant z \d+: give/);
  }, 60_000);

  test('a page that was asked for while the server was away comes by itself when it is back', async () => {
    const { browser, folder } = shared();
    const here = join(folder, 'away');
    await mkdir(join(here, 'runs'), { recursive: true });
    let server = await startStudio(here);
    const context = await browser.newContext();
    try {
      const page = await context.newPage();
      await page.goto(`${server.address}#/`);
      await page.getByText('No runs yet').waitFor();
      await server.stop('SIGKILL');
      await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Compare' }).click();
      await page.getByText('This page could not be loaded').waitFor();
      server = await startStudio(here, new URL(server.address).port);
      await page.getByRole('heading', { name: 'Compare' }).waitFor({ timeout: 20_000 });
      // What changes something works with the session of the new server.
      await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'New run' }).click();
      await page.getByRole('heading', { name: 'Start a run' }).waitFor();
    } finally {
      await context.close();
      await server.stop();
    }
  }, 60_000);

  test('Compare shows the runs that are there, says which is not, and takes any name', async () => {
    const { page, folder, open } = shared();
    const name = 'a, b & c';
    await cp(join(folder, 'runs/moves'), join(folder, 'runs', name), { recursive: true });
    await open('');
    await page.getByRole('checkbox', { name: 'Choose moves' }).check();
    await page.getByRole('checkbox', { name: `Choose ${name}` }).check();
    await page.getByRole('link', { name: 'Compare', exact: true }).last().click();
    await expect.poll(() => page.locator('.chart path.line').count()).toBe(2);
    await open(`compare?run=moves&run=${encodeURIComponent(name)}&run=was-never`);
    await page.getByText('There is no run “was-never”.').waitFor();
    await expect.poll(() => page.locator('.chart path.line').count()).toBe(2);
    await page.getByRole('link', { name: 'Leave it out' }).click();
    await page.getByText('There is no run “was-never”.').waitFor({ state: 'detached' });
    await rm(join(folder, 'runs', name), { recursive: true });
  }, 60_000);

  test('a delete that is refused and a clipboard that is closed say so', async () => {
    const { page, open } = shared();
    await open('runs/moves');
    await page.route('**/api/runs/moves', (route) =>
      route.request().method() === 'DELETE'
        ? route.fulfill({ status: 409, json: { error: '“moves” is being drawn.', hint: 'Wait until that is done.' } })
        : route.continue(),
    );
    await page.getByRole('button', { name: 'Delete …' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('“moves” is being drawn. Wait until that is done.').waitFor();
    await page.evaluate(() => {
      navigator.clipboard.writeText = () => Promise.reject(new Error('not allowed'));
    });
    await page.getByRole('button', { name: 'Copy', exact: true }).click();
    await page.getByText('The browser does not let this page copy').waitFor();
  }, 60_000);
}
