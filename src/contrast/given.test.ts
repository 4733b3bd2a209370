import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { stream } from '../random/index.ts';
import { prepareRun, trainRun } from '../training/index.ts';
import { contrastReport } from './report.ts';

let root: string;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'untangle-given-'));
  await writeFile(join(root, 'plates.csv'), plates());
});
afterAll(() => rm(root, { recursive: true }));

/** Both piles are alike in all but where they were measured: half of the target on plate B, of the background a tenth. */
function plates(): string {
  const noise = stream(5, 'plates');
  const rows = Array.from({ length: 800 }, (_, i) => {
    const pile = i < 400 ? 'new' : 'old';
    const plate = noise.uniform() < (pile === 'new' ? 0.5 : 0.1) ? 'B' : 'A';
    const [a, b] = [noise.normal(), noise.normal()];
    const shift = plate === 'B' ? 2 : 0;
    const values = [a + shift, a + b - shift, b + shift, a - b, b, a].map((value) => value + 0.3 * noise.normal());
    return [...values.map((value) => value.toFixed(4)), plate, pile].join(',');
  });
  return `a,b,c,d,e,f,plate,pile\n${rows.join('\n')}\n`;
}

async function reported(given: string[], set: string[] = []) {
  const { run } = await prepareRun({
    method: 'contrastive-w2',
    data: join(root, 'plates.csv'),
    choice: {
      where: 'pile = new',
      backgroundWhere: 'pile = old',
      ...(given.length > 0 ? { given } : { exclude: ['plate'] }),
    },
    set: ['steps=250', 'scale=0.3', 'beta=1', 'learningRate=0.002', 'validateEvery=0', 'sLatents=2', ...set],
    workers: 1,
    root,
  });
  await trainRun(run);
  return (await contrastReport(run)).report;
}

test('what a covariate explains is no salient factor where the decoder is given it', async () => {
  const blind = await reported([]);
  expect(blind.verdict.found).toBe('difference');
  expect(blind.leakage.probes.find(({ target }) => target === 'plate')?.salient).toBeGreaterThan(0.9);
  expect(blind.leakage.covariates).toBeUndefined();
  const told = await reported(['plate'], ['apartFromGiven=30', 'givenTo=both']);
  const [plate] = told.leakage.covariates ?? [];
  expect(plate.target).toBe('plate');
  expect(plate.salient).toBeLessThan(0.2);
  expect(told.verdict.found).toBe('nothing');
}, 60_000);
