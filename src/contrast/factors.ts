/**
 * How many factors the target adds: what each dimension of the salient blocks carries, which of them count, and how far target
 * and background lie from the neutral code.
 */
import { columnVariances } from '../analysis/index.ts';
import { htmlParagraph, htmlTable, percent } from '../drawing/index.ts';
import { klPerDimension } from '../metrics/index.ts';
import { leastShare, type SalientDirections } from './directions.ts';
import { type Described, type EncodedSet, rowsOf } from './encoded.ts';

/**
 * A dimension counts if it carries more than this, in nats, and its mean varies more than that over items (Burda et al. 2016):
 * an encoder that is certain that nothing is salient has a large KL as well.
 */
const activeKl = 0.1;
const activeVariance = 0.01;

/** One dimension of a salient block. */
export interface SalientFactor {
  block: string;
  index: number;
  /** KL to the prior over held-out target items, in nats. */
  kl: number;
  /** The variance of its mean over held-out target items. */
  variance: number;
  active: boolean;
  /** Root mean squares of the distance from the neutral code. */
  targetSpread: number;
  backgroundSpread: number;
}

/** What every dimension of the salient blocks carries, the most first. */
export function salientFactors(model: Described, target: EncodedSet, background: EncodedSet): SalientFactor[] {
  const rows = rowsOf(target, target.heldOut);
  const kl = klPerDimension({ ...rows, logVariance: rows.logVariance ?? new Float32Array(rows.values.length) });
  const variances = columnVariances(rows.values, rows.n, rows.d);
  return target.codes.blocks
    .filter(({ role }) => role === 'salient')
    .flatMap(({ name, start, size }) => {
      const neutral = model.file.blocks.find((block) => block.name === name)?.neutral;
      return Array.from({ length: size }, (_, index) => ({
        block: name,
        index,
        kl: kl[start + index],
        variance: variances[start + index],
        active: kl[start + index] > activeKl && variances[start + index] > activeVariance,
        targetSpread: spread(target, start + index, neutral?.[index] ?? 0),
        backgroundSpread: spread(background, start + index, neutral?.[index] ?? 0),
      }));
    })
    .sort((a, b) => Number(b.active) - Number(a.active) || b.kl - a.kl);
}

export function factorsChapter(
  factors: readonly SalientFactor[],
  { moments, directions }: SalientDirections,
): string[] {
  const active = factors.filter((factor) => factor.active).length;
  const total = moments.reduce((sum, value) => sum + value, 0);
  const shares = moments.map((value) => percent(value / total)).join(', ');
  return [
    ...(active > 0
      ? [
          htmlParagraph(
            active === 1
              ? 'One factor: a single salient dimension counts.'
              : `${counted(directions.length, 'factor')}, held by ${active} salient dimensions${directions.length < active ? ' that partly say the same' : ''}. Directions of the salient codes hold ${shares} of them; those below ${percent(leastShare)} of the largest are how codes of one factor bend.`,
          ),
        ]
      : []),
    htmlParagraph(
      `${active === 0 ? 'None' : active} of ${counted(factors.length, 'salient dimension')} ${active === 1 ? 'counts' : 'count'}: a KL above ${activeKl} nats, and a mean whose variance over the target’s items is above ${activeVariance}.`,
    ),
    htmlTable(
      ['dimension', 'KL in nats', 'variance', 'spread in the target', 'in the background', ''],
      factors.map(({ block, index, kl, variance, active: counts, targetSpread, backgroundSpread }) => [
        `${block} ${index}`,
        kl.toFixed(2),
        variance.toFixed(2),
        targetSpread.toFixed(2),
        backgroundSpread.toFixed(2),
        counts ? 'counts' : '',
      ]),
    ),
    htmlParagraph(
      'The spread is the root mean square distance from the neutral code. In the background it should be near zero.',
      'muted',
    ),
  ];
}

function spread({ codes, heldOut }: EncodedSet, dimension: number, neutral: number): number {
  let sum = 0;
  for (const item of heldOut) sum += (codes.values[item * codes.d + dimension] - neutral) ** 2;
  return Math.sqrt(sum / heldOut.length);
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`;
}
