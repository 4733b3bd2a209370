/** `untangle score`: every metric that the input allows, over anybody's codes. */

import { availableParallelism } from 'node:os';
import { betterArrow } from '../drawing/index.ts';
import {
  checkMetric,
  type Inputs,
  parseMetricSettings,
  protocolOf,
  type ScoreRequest,
  type Scores,
} from '../metrics/index.ts';
import { readInputs, score as scored } from '../use/index.ts';
import type { ScoreFlags } from './measuring-verbs.ts';
import { print, printJson, progress, styled, table, wrapped } from './terminal.ts';

export async function score(options: ScoreFlags): Promise<void> {
  const request = scoreRequestOf(options);
  const { seed, jobs = availableParallelism() } = options;
  const inputs = await readInputs(options);
  const line = progress();
  const scores = await scored(inputs, request, { seed, jobs, onProgress: line.at });
  line.end();
  if (options.json) printJson({ items: inputs.codes!.n, dimensions: inputs.codes!.d, seed, ...scores });
  else print(report(scores, inputs));
}

/** What to measure, checked before any file is read. */
export function scoreRequestOf(options: Pick<ScoreFlags, 'metrics' | 'protocol' | 'set'>): ScoreRequest {
  if (options.protocol !== undefined) protocolOf(options.protocol);
  for (const name of options.metrics ?? []) checkMetric(name);
  return { names: options.metrics, protocol: options.protocol, options: parseMetricSettings(options.set ?? []) };
}

function report(scores: Scores, inputs: Inputs): string {
  const { protocol } = scores;
  const { n, d } = inputs.codes!;
  const known = inputs.factors?.factors.length ?? 0;
  const head = `${n} codes of ${d} dimensions${known > 0 ? `, ${known} factors` : ''}${protocol === undefined ? '' : `, protocol ${protocol}`}`;
  return `${head}\n\n${resultsText(scores)}`;
}

/** A table for people: each number with what it means and which way is better. */
export function resultsText({ results, leftOut }: Scores): string {
  const rows = results.map((one) => [
    styled('bold', one.title),
    Number.isFinite(one.score) ? one.score.toFixed(4) : String(one.score),
    betterArrow(one.better),
    one.describe,
  ]);
  const notes = [...titlesOfNotes(results)].map(([note, titles]) =>
    wrapped(`${titles.join(', ')}: ${note}`, 110, '  '),
  );
  return [
    rows.length === 0
      ? 'Nothing could be measured.'
      : table([['metric', 'score', '', 'what it says (↑ higher is better)'], ...rows]),
    ...(notes.length === 0 ? [] : ['', 'Notes:', ...notes]),
    ...(leftOut.length === 0
      ? []
      : [
          '',
          'Left out:',
          ...[...namesByReason(leftOut)].map(([why, names]) => wrapped(`${names.join(', ')}: ${why}`, 110, '  ')),
        ]),
  ].join('\n');
}

/** Each reason once, with the metrics that it keeps out. */
function namesByReason(leftOut: Scores['leftOut']): Map<string, string[]> {
  const names = new Map<string, string[]>();
  for (const { name, why } of leftOut) names.set(why, [...(names.get(why) ?? []), name]);
  return names;
}

/** Each note once, with the metrics that make it. */
function titlesOfNotes(results: Scores['results']): Map<string, string[]> {
  const titles = new Map<string, string[]>();
  for (const { title, notes } of results) {
    for (const note of notes) titles.set(note, [...(titles.get(note) ?? []), title]);
  }
  return titles;
}
