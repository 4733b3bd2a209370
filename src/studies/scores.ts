/** The numbers of a study's runs: its metrics on each, and of them what its columns show. */
import { join } from 'node:path';
import { z } from 'zod';
import { metrics, type Scores } from '../metrics/index.ts';
import { type Json, lastLine, type Run, readJson, readModelFile, sha256, toJson, writeJson } from '../runs/index.ts';
import { evaluate } from '../use/index.ts';
import { augmentationOf } from './augmentation.ts';
import type { SeedResult } from './results.ts';
import { type Arm, type Budget, type MetricOptions, resultOf, type Study } from './study.ts';

const savedSchema = z.object({ step: z.number(), request: z.string(), scores: z.custom<Json>() });

/** A row of a study with a seed, measured on its run: once, for what is found is kept beside the run. */
export async function measureRow(
  study: Study,
  budget: Budget,
  { arm, seed }: { arm: Arm; seed: number },
  run: Run,
  onProgress: (share: number, what: string) => void = () => {},
): Promise<SeedResult> {
  const { steps } = run.file.training;
  const values = valuesOf(study, await scoresOf(study, budget, { arm, seed }, run, onProgress));
  return { seed, folder: run.folder, steps, seconds: secondsOf(run), values };
}

async function scoresOf(
  study: Study,
  budget: Budget,
  { arm, seed }: { arm: Arm; seed: number },
  run: Run,
  onProgress: (share: number, what: string) => void,
): Promise<Measured> {
  const { items = budget === 'quick' ? 1000 : 20_000, metricOptions } = study.budgets[budget];
  const names = [...new Set(study.columns.map(resultOf))];
  const options = merged(metricOptions, study.metricOptions, arm.metricOptions);
  const request = toJson({ names, options, items, part: study.part ?? 'test', version: 2 });
  const path = join(run.folder, `scores-${(await sha256(new TextEncoder().encode(request))).slice(0, 8)}.json`);
  const step = (await readModelFile(run.folder))?.step ?? 0;
  const saved = await readJson(path, savedSchema).catch(() => undefined);
  // Written below by this function, whose own results they are.
  if (saved?.request === request && saved.step === step) return saved.scores as unknown as Measured;
  const part = study.part ?? 'test';
  const asked = [...new Set(study.columns.map(({ metric }) => metric))];
  const isOfImages = (name: string) => metrics[name].needs.includes('augmentation');
  const ofCodes = asked.filter((name) => !isOfImages(name));
  const { scores } = await evaluate(run, { names: ofCodes, options, items, part, onProgress });
  const results: Measured['results'] = [...scores.results];
  for (const name of asked.filter(isOfImages)) {
    const parts = await augmentationOf(run.folder, seed, { ...options[name], onProgress });
    results.push({ name, score: parts.baseline, parts });
  }
  await writeJson(path, { step, request, scores: { ...scores, results } });
  return { results };
}

/** What a study reads of an evaluation. */
interface Measured {
  results: Pick<Scores['results'][number], 'name' | 'score' | 'parts'>[];
}

/** Options of each metric, the later over the earlier. */
function merged(...layers: (MetricOptions | undefined)[]): Record<string, Record<string, unknown>> {
  const all: Record<string, Record<string, unknown>> = {};
  for (const layer of layers)
    for (const [metric, options] of Object.entries(layer ?? {})) all[metric] = { ...all[metric], ...options };
  return all;
}

function valuesOf({ columns }: Study, { results }: Measured): Record<string, number> {
  const values: Record<string, number> = {};
  for (const column of columns) {
    const { name, part, entry, factor = 1 } = column;
    const result = results.find((one) => one.name === resultOf(column));
    const found = part === undefined ? result?.score : result?.parts[part];
    const value = entry === undefined ? found : entryOf(result?.parts[entry.of], found, entry.name);
    if (typeof value === 'number') values[name] = value * factor;
  }
  return values;
}

/** The entry of a list that stands where its name does in the list of names. */
function entryOf(names: unknown, list: unknown, name: string): unknown {
  return Array.isArray(names) && Array.isArray(list) ? list[names.indexOf(name)] : undefined;
}

const secondsOf = (run: Run) => lastLine(join(run.folder, 'log.jsonl'))?.seconds ?? 0;
