/** The list of runs as a place to work: filter, columns, seeds as one, a thousand runs, and starting again. */
import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Shared, startStudio } from './start.ts';

export function workbenchTests(shared: () => Shared): void {
  test('runs are filtered by an expression, show chosen columns, and the address brings it all back', async () => {
    const { page, address, open } = shared();
    await open('');
    const names = () => page.locator('table.runs td.name').allTextContents();
    await page.getByLabel('Filter runs').fill('beta = 0.5 and steps < 100 not spare not with-a');
    await expect.poll(names).toEqual(['moves']);
    await page.getByText('Columns', { exact: true }).click();
    await page.getByRole('checkbox', { name: 'beta', exact: true }).check();
    await page.getByRole('columnheader', { name: 'beta' }).waitFor();
    const link = page.url();
    await page.goto('about:blank');
    await page.goto(link);
    await page.getByRole('columnheader', { name: 'beta' }).waitFor();
    expect([await names(), new URL(link).origin]).toEqual([['moves'], new URL(address).origin]);
    // What is passed on lets nobody in.
    expect(link).not.toContain('token');
    await page.getByLabel('Filter runs').fill('beta >');
    await page.getByText('What should beta >?').waitFor();
  }, 60_000);

  test('a thousand runs: few rows are in the page, scrolling reaches the last, seeds are one line', async () => {
    const { browser, folder } = shared();
    const here = join(folder, 'many');
    const made = JSON.parse(await readFile(join(folder, 'runs/moves/run.json'), 'utf8'));
    for (let i = 0; i < 1000; i++) {
      const run = join(here, 'runs', `run-${String(i).padStart(4, '0')}`);
      await mkdir(run, { recursive: true });
      const options = { ...made.options, beta: 1 + Math.floor(i / 5) };
      const created = new Date(Date.parse(made.created) - 1000 * i).toISOString();
      await writeFile(
        join(run, 'run.json'),
        JSON.stringify({ ...made, created, options, training: { ...made.training, seed: 1 + (i % 5) } }),
      );
      await copyFile(join(folder, 'runs/moves/log.jsonl'), join(run, 'log.jsonl'));
    }
    const server = await startStudio(here);
    const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
    try {
      await page.goto(`${server.address}#/`);
      await page.getByRole('link', { name: 'run-0000', exact: true }).waitFor();
      expect(await page.locator('table.runs tbody tr').count()).toBeLessThan(70);
      // As the whole list passes by, no more rows than a window's are ever there.
      const most = await page.locator('.runs-box').evaluate(async (box) => {
        let rows = 0;
        for (let i = 0; i <= 60; i++) {
          box.scrollTop = (box.scrollHeight * i) / 60;
          await new Promise((next) => requestAnimationFrame(next));
          await new Promise((next) => setTimeout(next));
          rows = Math.max(rows, box.querySelectorAll('tbody tr').length);
        }
        return rows;
      });
      expect(most).toBeLessThan(70);
      await page.getByRole('link', { name: 'run-0999', exact: true }).waitFor();
      await page.getByLabel('Group by').selectOption('seeds as one');
      await page.locator('.runs-box').evaluate((box) => box.scrollTo(0, 0));
      const group = page.getByRole('button', { name: 'beta-vae on shapes, beta 1 5 seeds', exact: false });
      await group.click();
      await page.getByRole('link', { name: 'run-0003', exact: true }).waitFor();
      await page.getByLabel('Filter runs').fill('beta > 200');
      await page.getByText('No run fits').waitFor();
    } finally {
      await page.close();
      await server.stop();
    }
  }, 120_000);

  test('what the form can’t start is said beside its field; a run is started again with changes', async () => {
    const { page, open } = shared();
    const start = page.getByRole('button', { name: /^Start/ });
    await open('new');
    await page.getByLabel(/^seed/).fill('x');
    await page.getByText('A whole number, please, not “x”.').waitFor();
    expect([await start.isDisabled(), await page.locator('pre').textContent()]).toEqual([
      true,
      'untangle train beta-vae --data shapes',
    ]);
    await page.getByLabel(/^seed/).fill('3');
    await page.getByLabel('how many seeds').fill('5');
    expect(await start.textContent()).toBe('Start 5 runs');
    await page.getByLabel('Method', { exact: true }).selectOption('contrastive-correct');
    await page.getByText('needs a second set, without what is sought').waitFor();
    expect(await start.isDisabled()).toBe(true);

    await open('runs/moves');
    await page.getByRole('link', { name: 'Run again with changes' }).click();
    await page.getByRole('heading', { name: 'Start a run' }).waitFor();
    expect(await page.locator('pre').textContent()).toMatch(/^untangle train beta-vae --data shapes .*--set beta=0.5/);
  }, 60_000);

  test('a run that is trained elsewhere says so in place of a Stop that could not stop it', async () => {
    const { page, folder, open } = shared();
    const status = join(folder, 'runs/spare/status.json');
    const before = await readFile(status, 'utf8').catch(() => undefined);
    const now = new Date().toISOString();
    const elsewhere = { state: 'running', pid: 1, host: 'elsewhere', started: now, heartbeat: now, step: 1 };
    await mkdir(join(folder, 'runs/spare'), { recursive: true });
    await copyFile(join(folder, 'runs/moves/run.json'), join(folder, 'runs/spare/run.json'));
    await writeFile(status, JSON.stringify(elsewhere));
    await open('runs/spare');
    await page.getByText('It is trained outside the studio, by process 1 on elsewhere').waitFor();
    expect(await page.getByRole('button', { name: 'Stop' }).count()).toBe(0);
    if (before !== undefined) await writeFile(status, before);
  }, 60_000);
}
