/** `evaluation.json`: what was measured on a run, with everything that decides each number. */
import { join } from 'node:path';
import { z } from 'zod';
import type { Scores } from '../metrics/index.ts';
import { checkJson, jsonSchema, parseJson, toJson, writeJson } from './json.ts';
import { readListed, writeListed } from './manifest.ts';

const format = 1;
/** The largest file that is read. */
const largest = 16_000_000;

/** Any number, NaN and the infinities included. */
const anyNumber = z.custom<number>((value) => typeof value === 'number', 'Invalid input: expected a number');

const resultSchema = z.looseObject({
  name: z.string(),
  title: z.string(),
  version: z.string(),
  better: z.enum(['higher', 'lower', 'neither']),
  options: z.record(z.string(), jsonSchema),
  seed: z.number(),
  score: anyNumber,
  parts: z.record(z.string(), jsonSchema),
  notes: z.array(z.string()),
});

const evaluationSchema = z.looseObject({
  format: z.int().min(1).max(format),
  created: z.iso.datetime(),
  /** The training step of the weights that were measured. */
  step: z.int().min(0),
  /** Which part of the data was measured, and how many items of it. */
  part: z.string(),
  items: z.int().min(0),
  protocol: z.string().optional(),
  results: z.array(resultSchema),
  /** Metrics that could not be measured, and why. */
  leftOut: z.array(z.object({ name: z.string(), why: z.string() })),
});
export type Evaluation = z.infer<typeof evaluationSchema>;

/** Writes a run's evaluation, in the place of an earlier one, to `path` or to where it is looked for in the run. */
export async function writeEvaluation(
  runFolder: string,
  measured: { step: number; part: string; items: number; scores: Scores },
  path?: string,
) {
  const { scores, ...facts } = measured;
  const evaluation = { format, created: new Date().toISOString(), ...facts, ...scores };
  const checked = checkJson(evaluation, path ?? join(runFolder, 'evaluation.json'), evaluationSchema);
  if (path === undefined) await writeListed(runFolder, 'evaluation.json', `${toJson(checked, 2)}\n`);
  else await writeJson(path, checked);
}

/** A run's evaluation; undefined if it was not evaluated yet, and an error if it is not what was measured. */
export async function readEvaluation(runFolder: string): Promise<Evaluation | undefined> {
  const { 'evaluation.json': bytes } = await readListed(runFolder, ['evaluation.json'], largest);
  return bytes && parseJson(bytes, join(runFolder, 'evaluation.json'), evaluationSchema);
}
