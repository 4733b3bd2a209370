import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createRun, listRuns, openRun, readCheckpoint } from '../runs/index.ts';
import { type Carrier, trialOf } from '../sweep/index.ts';
import { settleRequest, type TrainRequest, trainRun } from '../training/index.ts';
import { studies } from './registry.ts';
import { htmlReport, markdownReport } from './report.ts';
import { runStudy } from './run-study.ts';
import type { Study } from './study.ts';

let root: string;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'untangle-study-'));
});
afterAll(() => rm(root, { recursive: true }));

const budget = { seeds: [1, 2], set: ['steps=12', 'batchSize=16', 'network=mlp'], departures: ['Tiny.'] };
const tiny: Study = {
  name: 'tiny',
  title: 'A <tiny> study',
  paper: { cite: 'nobody', where: 'nowhere' },
  question: 'Does a weight of 100 cost reconstruction?',
  data: 'shapes',
  set: ['latents=4'],
  columns: [
    { name: 'error', metric: 'reconstruction', digits: 4, better: 'lower' },
    { name: 'KL', metric: 'kl', part: 'total', digits: 2, better: 'higher' },
  ],
  arms: [
    { name: 'β = 0', method: 'beta-vae', set: ['beta=0'], theirs: { error: 0.5, KL: { mean: 3, deviation: 0.1 } } },
    { name: 'β = 100', method: 'beta-vae', set: ['beta=100'] },
  ],
  claims: [{ text: 'No weight carries more.', column: 'KL', order: ['β = 0', 'β = 100'] }],
  budgets: { quick: budget, standard: budget, paper: budget },
};

/** Trains in this process, and counts. */
function counting(onTrained: (count: number) => void = () => {}) {
  const trained: string[] = [];
  const workers: number[] = [];
  const carrier: Carrier = async ({ folder, until }, _tell, signal) => {
    const run = await openRun(folder);
    trained.push(folder);
    workers.push(run.file.training.workers);
    const { state, step } = await trainRun(run, { signal, until });
    onTrained(trained.length);
    return state === 'stopped' && step < until
      ? { state: 'stopped', step }
      : { state: 'done', step, seconds: 1, values: {} };
  };
  return { trained, workers, carrier };
}

test('a study runs every row with every seed, and sets our numbers beside theirs', async () => {
  const { trained, carrier } = counting();
  const results = await runStudy(tiny, { budget: 'quick', root, carrier });
  expect(trained.length).toBe(4);
  expect(results.complete).toBe(true);
  const [free, held] = results.arms;
  expect(free.cells.KL.seeds).toBe(2);
  expect(free.cells.KL.deviation).toBeGreaterThan(0);
  expect(free.cells.KL.mean).toBeGreaterThan(held.cells.KL.mean);
  expect(results.claims[0]).toMatchObject({
    text: 'No weight carries more.',
    verdict: 'not settled',
    reason: '2 seeds, where a verdict takes 5',
    evidence: `β = 0 ${free.cells.KL.mean.toFixed(2)} > β = 100 ${held.cells.KL.mean.toFixed(2)}`,
  });

  const again = counting();
  const repeated = await runStudy(tiny, { budget: 'quick', root, jobs: 64, carrier: again.carrier });
  expect(again.trained).toEqual([]);
  expect(repeated.arms).toEqual(results.arms);

  const markdown = markdownReport({ study: tiny, results, figures: [] });
  const difference = free.cells.error.mean - 0.5;
  expect(markdown).toContain(`0.5000 (−${Math.abs(difference).toFixed(4)})`);
  expect(markdown).toContain('- not settled: No weight carries more.');
  expect(markdown).not.toContain('where the budget “paper” has');
  const html = htmlReport({ study: tiny, results, figures: [] });
  expect(html).toContain('A &lt;tiny&gt; study');
  expect(html).not.toMatch(/https?:\/\//);
}, 60_000);

test('a column for which no paper has a number shows ours alone, and a study without claims names none', async () => {
  const arms = tiny.arms.map(({ theirs: _, ...arm }, i) => (i === 0 ? { ...arm, theirs: { error: 0.5 } } : arm));
  const own: Study = { ...tiny, arms, claims: [] };
  const results = await runStudy(own, { budget: 'quick', root, carrier: counting().carrier });
  const markdown = markdownReport({ study: own, results, figures: [] });
  expect(markdown).toContain('| method | error ↓ | theirs | KL ↑ |\n| --- | ---: | ---: | ---: |\n');
  expect(markdown).not.toContain('What the paper claims');
  const html = htmlReport({ study: own, results, figures: [] });
  expect(html).toContain('<th scope="col" colspan="2">error ↓</th><th scope="col">KL ↑</th>');
  expect(html).not.toContain('What the paper claims');
});

test('what was set over the study is told with the call that does the same', async () => {
  const { carrier } = counting();
  const results = await runStudy(tiny, {
    budget: 'quick',
    root,
    carrier,
    arms: ['β = 0'],
    seeds: [3],
    set: ['steps=6'],
  });
  expect(results.command).toBe("untangle reproduce tiny --budget quick --arms 'β = 0' --seeds 3 --set steps=6");
  expect(results.arms.map(({ runs }) => runs.map(({ seed, steps }) => [seed, steps]))).toEqual([[[3, 6]]]);
  const markdown = markdownReport({ study: tiny, results, figures: [] });
  expect(markdown).toContain('- One seed, where the budget “paper” has 2.\n- Settings over all of these: steps=6.');
  expect(markdown).toContain(`Made by \`${results.command}\`.`);
});

test('runs at once share the cores', async () => {
  const { workers, carrier } = counting();
  await runStudy(tiny, { budget: 'quick', root: join(root, 'jobs'), jobs: 64, carrier });
  expect(workers).toEqual([1, 1, 1, 1]);
}, 60_000);

test('a study that is stopped goes on from what is there, and its whole runs lie side by side', async () => {
  const place = join(root, 'stopped');
  const stop = new AbortController();
  const first = counting((count) => count === 2 && stop.abort());
  const part = await runStudy(tiny, {
    budget: 'quick',
    root: place,
    jobs: 1,
    signal: stop.signal,
    carrier: first.carrier,
  });
  expect(part.complete).toBe(false);
  const second = counting();
  const whole = await runStudy(tiny, { budget: 'quick', root: place, carrier: second.carrier });
  expect(whole.complete).toBe(true);
  expect(first.trained.length + second.trained.length).toBe(4);
  expect((await listRuns(place)).map(({ state }) => state)).toEqual(['done', 'done', 'done', 'done']);
}, 60_000);

test('a run of an earlier version that was stopped goes on from its checkpoint; one that was removed is trained again', async () => {
  const place = join(root, 'earlier');
  const one = { budget: 'quick', root: place, arms: ['β = 0'], seeds: [1] } as const;
  const [{ runs }] = (await runStudy(tiny, { ...one, carrier: counting().carrier })).arms;
  const { settings } = await settleRequest({
    method: 'beta-vae',
    data: 'shapes',
    set: ['latents=4', 'beta=0', ...budget.set],
    seed: 2,
  });
  const old = await createRun(place, settings, (await trialOf(settings)).name);
  await trainRun(old, { until: 6 });
  await rm(runs[0].folder, { recursive: true });
  const seen: number[] = [];
  const { carrier } = counting();
  const again = await runStudy(tiny, {
    ...one,
    seeds: [1, 2],
    jobs: 1,
    carrier: async (order, tell, signal) => {
      seen.push((await readCheckpoint(order.folder))?.state.step ?? 0);
      return await carrier(order, tell, signal);
    },
  });
  expect(seen).toEqual([0, 6]);
  expect(again.arms[0].runs[0].values).toEqual(runs[0].values);
  expect(again.arms[0].runs[1].folder).toBe(old.folder);
}, 60_000);

test('a row that is not there is refused, with the rows that are', async () => {
  const asked = runStudy(tiny, { budget: 'quick', root, arms: ['β = 0', 'β = 10'] });
  await expect(asked).rejects.toMatchObject({
    message: 'There is no row “β = 10”.',
    hint: 'Did you mean “β = 0”? Known: β = 0, β = 100.',
  });
});

test('a row that fails is told, and the others are run', async () => {
  const broken: Study = { ...tiny, arms: [tiny.arms[0], { name: 'broken', method: 'no-such-method' }] };
  const notes: string[] = [];
  const results = await runStudy(broken, {
    budget: 'quick',
    root,
    carrier: counting().carrier,
    onNote: (sentence) => notes.push(sentence),
  });
  expect(results.arms[1].failure).toBe('There is no method “no-such-method”.');
  expect(notes[0]).toContain('broken, seed 1: There is no method');
  expect(results.arms[0].runs.length).toBe(2);
}, 60_000);

test('every study names rows, columns and claims that fit together', () => {
  for (const study of Object.values(studies)) {
    const rows = [...study.arms, ...(study.bests ?? [])].map(({ name }) => name);
    for (const { arms, column } of study.bests ?? []) {
      expect(study.columns.map(({ name }) => name)).toContain(column);
      for (const arm of arms) expect(rows).toContain(arm);
    }
    const columns = study.columns.map(({ name }) => name);
    expect(new Set(rows).size).toBe(rows.length);
    // --arms parts names by commas.
    expect(rows.filter((row) => row.includes(','))).toEqual([]);
    for (const { column, order } of study.claims) {
      expect(columns).toContain(column);
      for (const row of order.flat()) expect(rows).toContain(row);
    }
    for (const { arm } of study.figures ?? []) expect(rows).toContain(arm);
    for (const { theirs = {} } of study.arms) for (const name of Object.keys(theirs)) expect(columns).toContain(name);
  }
});

test.each<[TrainRequest, string]>([
  [{ method: 'beta-vae', data: 'shapes', set: ['beta=linear(0, 4, 10000)', 'steps=50'] }, 'beta-vae-7d4da7a77c375134'],
  [
    { method: 'dip-vae-ii', data: 'shapes', preset: 'dsprites', choice: { size: 32 }, seed: 3, set: ['epochs=2'] },
    'dip-vae-ii-929068bc2307f70b',
  ],
  [{ method: 'srb-vae', data: 'shapes-contrast', set: ['encoders=one'], seed: 2 }, 'srb-vae-fdf0daabf2b0ce69'],
  [
    {
      method: 'parted-vae',
      data: 'shapes',
      labels: { labels: 20, labelFactors: ['shape'] },
      choice: { where: 'shape < 2' },
    },
    'parted-vae-3cc9a8e8a8258b48',
  ],
])(
  'the run of %j keeps its name as long as its method and options do, so that studies find it again',
  async (request, name) => {
    const { settings } = await settleRequest(request);
    expect((await trialOf(settings)).name).toBe(name);
  },
);
