import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readModelFile } from '../runs/index.ts';
import { handMadeRun } from '../runs/testing/hand-made.ts';
import { drawCurves } from './charts.ts';

test('terms of other sizes than the loss have panels of their own, the loss first', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'untangle-charts-'));
  const run = await handMadeRun(folder);
  const path = join(folder, 'log.jsonl');
  const line = (step: number) => ({
    step,
    epoch: step / 10,
    seconds: step,
    terms: { loss: 8000 - step, reconstruction: 7900 - step, kl: 12 + step / 100, tiny: 1e-7 * step },
    weights: {},
  });
  await writeFile(path, Array.from({ length: 20 }, (_, i) => `${JSON.stringify(line(i + 2))}\n`).join(''));
  const file = await readModelFile(run.folder);
  if (file === undefined) throw new Error('The run has a model.');
  const [{ drawing }] = await drawCurves({ file }, path, { seed: 1 });
  await rm(folder, { recursive: true });

  const place = (name: string) => {
    const found = drawing.shapes.find((shape) => shape.kind === 'text' && shape.text === name);
    return found?.kind === 'text' ? Math.floor(found.y / (drawing.height / 3)) : undefined;
  };
  expect([place('loss'), place('reconstruction'), place('kl'), place('tiny')]).toEqual([0, 0, 1, 2]);
});
