/**
 * Whether each block keeps to its own: what labels and factors a probe finds in the salient and in the common block, how much of
 * one block a linear map makes of the other, and how far apart the common codes of both sets are.
 */
import { varianceExplained } from '../analysis/index.ts';
import { type Dataset, takenFactors, takenLabels } from '../data/index.ts';
import { htmlParagraph, htmlTable, percent, readable } from '../drawing/index.ts';
import { type Inputs, type Result, scoreAll } from '../metrics/index.ts';
import { covariatesSize, type Factor, type Factors, type Labels, largest } from '../model/index.ts';
import { codesIn, type EncodedSet, everyItem, rowsOf, sampledIn } from './encoded.ts';

export interface Leakage {
  /** Labels and factors as a linear probe finds them in each block of target items: 0 is chance, 1 is all of it. */
  probes: { target: string; salient: number; shared: number }[];
  /** The same of what the model was told beside the items: what each covariate still tells. */
  covariates?: { target: string; salient: number; shared: number }[];
  /** The share of a block's variance that a linear map finds in samples of the other, over target items. */
  sharedFromSalient: number;
  salientFromShared: number;
  /** W2² of the common codes, and what two samples of one distribution would show. */
  w2: { score: number; normalFloor: number; withinTarget: number | undefined; n: number; m: number } | undefined;
  /** Whether all target items were probed since too few are held out. */
  allItems: boolean;
  notes: string[];
}

/** With fewer held-out items, probes are trained and tested on all items of the target. */
const enough = 200;
const mostProbed = 4000;

export function leakageBetween(target: EncodedSet, background: EncodedSet, seed: number): Leakage {
  const allItems = target.heldOut.length < enough;
  const all = allItems ? everyItem(target) : target.heldOut;
  const items = all.subarray(0, mostProbed);
  const { labels } = target.data;
  const told = target.data.given?.covariates.map(({ name }) => name) ?? [];
  const factors = withCovariates(target.data);
  const inputs: Inputs = {
    codes: rowsOf(target, items),
    labels: labels && hasSeveral(labels, items) ? takenLabels(labels, items) : undefined,
    factors: factors && { ...takenFactors(factors, items), n: items.length },
  };
  // Where only factors are known the metric asks for a block that each belongs to; the matrix is the same whichever it is.
  const home = target.codes.blocks.find(({ role }) => role === 'salient')?.name ?? '';
  const belongs = Object.fromEntries(
    (factors?.factors ?? []).filter((_, k) => factors && varies(factors, k, items)).map(({ name }) => [name, home]),
  );
  const probed = scoreAll(inputs, { names: ['leakage'], options: { leakage: { belongs } } }, { seed });
  // Two such batches of the target alone show what two samples of one distribution are apart. Means are compared: the noise
  // of the posteriors would hide a small difference.
  const batch = Math.max(2, Math.min(128, target.heldOut.length >> 1, background.heldOut.length));
  const distances = scoreAll(
    { codes: rowsOf(target, target.heldOut), background: rowsOf(background, background.heldOut) },
    { names: ['wasserstein'], options: { wasserstein: { batch, of: 'means' } } },
    { seed },
  );
  const found = (from: 'salient' | 'shared', to: 'salient' | 'shared') =>
    varianceExplained(sampledIn(target, from, items, seed), codesIn(target, to, items), seed);
  const probes = probesOf(target, probed.results[0]);
  const isTold = ({ target: name }: { target: string }) => told.includes(name);
  return {
    probes: probes.filter((one) => !isTold(one)),
    ...(told.length > 0 && {
      covariates: told.map(
        (name) => probes.find((one) => one.target === name) ?? { target: name, salient: 0, shared: 0 },
      ),
    }),
    sharedFromSalient: found('salient', 'shared'),
    salientFromShared: found('shared', 'salient'),
    w2: w2Of(distances.results[0]),
    allItems,
    notes: [...(probed.results[0]?.notes ?? [])],
  };
}

/** The factors that are known, and the covariates beside them: numbers as they are, categories by their place. */
function withCovariates({ given, factors, length }: Dataset): Factors | undefined {
  if (given === undefined) return factors;
  const told = new Set(given.covariates.map(({ name }) => name));
  const kept = (factors?.factors ?? []).flatMap((factor, k) => (told.has(factor.name) ? [] : [{ factor, k }]));
  const width = covariatesSize(given.covariates);
  const values = new Float32Array(length * (kept.length + told.size));
  const all: Factor[] = kept.map(({ factor }) => factor);
  let at = 0;
  for (const one of given.covariates) {
    const size = one.kind === 'number' ? 1 : one.categories.length;
    const column = all.length;
    all.push({ name: one.name, kind: size === 1 ? 'continuous' : 'discrete', size: size === 1 ? 0 : size });
    for (let i = 0; i < length; i++) {
      const row = given.values.subarray(i * width + at, i * width + at + size);
      values[i * (kept.length + told.size) + column] = size === 1 ? row[0] : largest(row);
    }
    at += size;
  }
  for (let i = 0; i < length; i++)
    for (const [column, { k }] of kept.entries())
      values[i * all.length + column] = factors?.values[i * factors.factors.length + k] ?? Number.NaN;
  return { factors: all, values };
}

function varies({ factors, values }: Factors, k: number, items: Uint32Array): boolean {
  const known = Array.from(items, (item) => values[item * factors.length + k]).filter((value) => !Number.isNaN(value));
  return known.some((value) => value !== known[0]);
}

/** Of several blocks of a kind, the one that gives most away. */
function probesOf({ codes }: EncodedSet, result: Result | undefined): Leakage['probes'] {
  if (result === undefined) return [];
  const { targets, matrix } = result.parts;
  if (!Array.isArray(targets) || !Array.isArray(matrix)) return [];
  const most = (isSalient: boolean, k: number) =>
    Math.max(0, ...codes.blocks.flatMap(({ role }, b) => ((role === 'salient') === isSalient ? [matrix[b][k]] : [])));
  return targets
    .map((target, k) => ({ target: String(target), salient: most(true, k), shared: most(false, k) }))
    .filter(({ salient, shared }) => Math.max(salient, shared) > 0);
}

function w2Of(result: Result | undefined): Leakage['w2'] {
  if (result === undefined) return undefined;
  const { floor, withinTarget, n, m } = result.parts;
  return {
    score: result.score,
    normalFloor: Number(floor),
    withinTarget: withinTarget === undefined ? undefined : Number(withinTarget),
    n: Number(n),
    m: Number(m),
  };
}

function hasSeveral({ values }: Labels, items: Uint32Array): boolean {
  return items.some((item) => values[item] !== values[items[0]]);
}

export function leakageChapter({
  probes,
  covariates = [],
  sharedFromSalient,
  salientFromShared,
  w2,
  allItems,
  notes,
}: Leakage): string[] {
  return [
    htmlParagraph(
      `A linear map finds ${percent(salientFromShared)} of the salient codes’ variance in the common codes, and ${percent(sharedFromSalient)} of the common codes’ in the salient ones. Less is better.`,
    ),
    ...(probes.length > 0
      ? [
          htmlParagraph(
            `What a linear probe finds of labels and factors in each block, from 0 (chance) to 1 (all of it). What only the target varies in belongs to the salient block, the rest to the common one.${allItems ? ' So few items are held out that probes learn and are tested on all of the target’s, each on its own half.' : ''}`,
          ),
          htmlTable(
            ['', 'salient block', 'common block'],
            probes.map(({ target, salient, shared }) => [target, salient.toFixed(2), shared.toFixed(2)]),
          ),
        ]
      : [htmlParagraph('Nothing is known of the items, such as labels, that could be looked for in the blocks.')]),
    ...(covariates.length > 0
      ? [
          htmlParagraph(
            'What the codes still tell of the covariates that were given, in the same way. A covariate that goes with what the target adds is told by the salient block for that reason; where it should not be, a weight of apartFromGiven keeps codes independent of it.',
          ),
          htmlTable(
            ['given', 'salient block', 'common block'],
            covariates.map(({ target, salient, shared }) => [target, salient.toFixed(2), shared.toFixed(2)]),
          ),
        ]
      : []),
    ...notes.map((note) => htmlParagraph(note, 'muted')),
    ...(w2
      ? [
          htmlParagraph(
            `W2² between the means of the common codes of both sets is ${readable(w2.score)}, over batches of ${w2.n} and ${w2.m}. ${w2.withinTarget === undefined ? '' : `Two halves of the target itself are ${readable(w2.withinTarget)} apart, which is the floor here. `}Normal codes that vary as much would be ${readable(w2.normalFloor)} apart.`,
          ),
        ]
      : []),
  ];
}
