/** What every study has to pass: its data opens, its rows assemble, and those of sets that are not free run on small files. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chooseData } from '../data/index.ts';
import { type Context, type Method, methodNamed } from '../methods/index.ts';
import { build } from '../nn/index.ts';
import { kinds } from '../pictures/index.ts';
import { openRun } from '../runs/index.ts';
import type { Carrier } from '../sweep/index.ts';
import { input } from '../tensor/index.ts';
import { partData, readSettings, resolveSettings, type TrainRequest, trainRun } from '../training/index.ts';
import { schedulesOf } from '../training/session/settings.ts';
import { studyFiles } from './files.ts';
import { studies } from './registry.ts';
import { armRequest, armsOf, runStudy } from './run-study.ts';
import type { Budget } from './study.ts';
import { smallSets } from './testing/small-sets.ts';
import { writeStudyReport } from './write-report.ts';

let root: string;
let dataDir: string;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'untangle-studies-'));
  dataDir = smallSets();
});
afterAll(() => rm(root, { recursive: true }));

const opened = new Map<string, ReturnType<typeof chooseData>>();
function openOnce(spec: string): ReturnType<typeof chooseData> {
  const found = opened.get(spec) ?? chooseData(spec, { dataDir });
  opened.set(spec, found);
  return found;
}

const contexts = new Map<string, Promise<Context>>();

/** What a method is told of a row's data; small files have few labels to give. */
function contextOf({ data, choice, labels }: TrainRequest, one: Method, validation: number): Promise<Context> {
  const few = labels?.labels === undefined ? labels : { ...labels, labels: Math.min(labels.labels, 16) };
  const key = JSON.stringify([data, choice, few, one.needs, validation]);
  const part = async () => {
    const { opened } = choice?.where ? await chooseData(data, choice) : await openOnce(data);
    return partData(opened, one, { seed: 1, validation, ...few }).context;
  };
  const known = contexts.get(key) ?? part();
  contexts.set(key, known);
  return known;
}

/** Settings, data and model of every row at a budget; the graph of a step is drawn for four items. */
async function assembleAll(name: string, budget: Budget): Promise<number> {
  const study = studies[name];
  const arms = armsOf(study, study.budgets[budget].arms);
  for (const arm of arms) {
    const request = armRequest(study, { budget, jobs: 1 }, arm, 1);
    const method = methodNamed(arm.method);
    const set = [...(request.set ?? []), 'batchSize=4'];
    const stored = resolveSettings(method, { set, ...(request.preset && { preset: request.preset }) });
    const { options, training } = readSettings(method, stored.options, stored.training);
    const context = await contextOf(request, method, training.validation);
    const schedules = schedulesOf(method.options, options);
    const values = { ...options, ...Object.fromEntries([...schedules.keys()].map((key) => [key, input(key, [])])) };
    const b = build({ size: 4, workers: 1 });
    const steps = method.build(context, values).steps(b);
    expect(steps.length, arm.name).toBeGreaterThan(0);
  }
  return arms.length;
}

test.each(Object.keys(studies))(
  '%s assembles at its quick and its paper budget',
  async (name) => {
    for (const budget of ['quick', 'paper'] as const) expect(await assembleAll(name, budget)).toBeGreaterThan(0);
  },
  60_000,
);

test('every figure names a kind of picture', () => {
  for (const { figures = [] } of Object.values(studies))
    for (const { kind } of figures) expect(Object.keys(kinds)).toContain(kind);
});

test('a list says of each study whether it runs here', async () => {
  const nowhere = join(root, 'no data');
  const needs = (name: string, where = nowhere) => studyFiles(studies[name], { dataDir: where });
  expect(needs('dip-vae-table-2')).toEqual({ lacking: ['celeba'], none: true });
  expect(needs('dip-vae-table-1')).toEqual({ lacking: [], none: false });
  expect(needs('contrastive-figure-7')).toEqual({ lacking: ['celeba', 'affectnet'], none: false });
  for (const name of Object.keys(studies)) expect(needs(name, dataDir).lacking, name).toEqual([]);
});

/** Trains in this process. */
const carrier: Carrier = async ({ folder, until }, _tell, signal) => {
  const { step } = await trainRun(await openRun(folder), { signal, until });
  return { state: 'done', step, seconds: 1, values: {} };
};

const sized = (spec: string) => `${spec}${spec.includes(':') ? ',' : ':'}size=8`;

/** Two steps of every row, and the report with its pictures. */
async function runBriefly(name: string, set: string[] = []) {
  const study = studies[name];
  const { quick } = study.budgets;
  const notes: string[] = [];
  const results = await runStudy(
    // Eight pixels a side say as much of the way as 64.
    {
      ...study,
      data: sized(study.data),
      budgets: { ...study.budgets, quick: { ...quick, data: sized(quick.data ?? study.data) } },
    },
    {
      budget: 'quick',
      root,
      dataDir,
      // So many share the cores that each has one worker.
      jobs: 64,
      carrier,
      set: ['steps=2', 'batchSize=4', ...set],
      onNote: (note) => notes.push(note),
    },
  );
  const report = await writeStudyReport(join(root, name), study, results, (note) => notes.push(note));
  return { results, report, notes };
}

describe('studies of sets that are not free, on small files of the same layout', () => {
  test('attributes of CelebA are told by vectors from training faces', async () => {
    const { results, notes } = await runBriefly('dip-vae-table-2', ['network=mlp']);
    expect(notes).toEqual([]);
    expect(results.complete).toBe(true);
    for (const { cells } of results.arms) expect(Object.keys(cells).length).toBe(12);
    expect(results.arms[0].cells.Bangs.theirs).toBe(89.8);
  }, 60_000);

  test('expressions of AffectNet have a column each, and the best of some rows is a row', async () => {
    const { results, report, notes } = await runBriefly('rb-vae-table-1-affectnet', ['network=mlp']);
    expect(notes).toEqual([]);
    const best = results.arms.find(({ name }) => name === 'DIP-VAE-I');
    const only = results.arms.find(({ name }) => name === 'DIP-VAE-I 10');
    expect(best?.cells.accuracy.mean).toBe(only?.cells.accuracy.mean);
    expect(best?.cells.accuracy.theirs).toBe(0.388);
    const own = results.arms.find(({ name }) => name === 'sRb-VAE');
    for (const column of ['happiness', 'contempt', 'accuracy', 'accuracy of z'])
      expect(own?.cells[column]?.theirs, column).toBeDefined();
    expect(report.results.complete).toBe(true);
  }, 60_000);

  test.each([
    ['n-vae-figure-8', 5],
    ['parted-vae-figure-10', 10],
    ['dip-vae-figure-6', 3],
    ['n-vae-figure-6', 1],
  ])(
    'the pictures of %s are drawn',
    async (name, count) => {
      const { report, notes } = await runBriefly(name, ['network=mlp']);
      expect(notes).toEqual([]);
      expect(report.figures.length).toBe(count);
    },
    60_000,
  );
});
