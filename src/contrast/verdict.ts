/**
 * The first question: does the target hold anything that the background lacks? A two-sample test on held-out salient codes, where
 * a difference is wanted, and on the common ones, where none is; and whether it is rather the background that is richer.
 */
import { type Richness, richness, type TwoSampleTest, twoSampleTest } from '../analysis/index.ts';
import { itemSize } from '../model/index.ts';
import { codesIn, type Described, designOf, type EncodedSet, neutralOf } from './encoded.ts';
import type { SalientFactor } from './factors.ts';

const significant = 0.01;
/** Fewer held-out items of a set show strong differences alone. */
const fewItems = 20;
/** With fewer labellings none is rarer than the level. */
const fewLabellings = 1 / significant;
/** So many items of each set are compared in the data themselves, of large items fewer. */
const mostCompared = 400;
const mostNumbers = 4e6;
/** How much the background must outdo the target's own variance ratio, and how far, to be called the richer one. */
const richer = { ratio: 4, over: 2 };

export interface Verdict {
  found: 'difference' | 'nothing' | 'swapped';
  salient: TwoSampleTest;
  shared: TwoSampleTest | undefined;
  richness: Richness;
  items: { target: number; background: number };
  /** How many groups the held-out items of either set belong to, where groups were said. */
  groups?: { column: string; target: number; background: number };
  /** The answer in sentences, the first of them the shortest. */
  sentences: string[];
}

export function verdictOn(
  model: Described,
  target: EncodedSet,
  background: EncodedSet,
  factors: readonly SalientFactor[],
  seed: number,
): Verdict {
  const design = designOf([target, background].map((set) => ({ set, items: set.heldOut })));
  const test = (which: 'salient' | 'shared', centre?: readonly number[]) => {
    const [x, y] = [codesIn(target, which), codesIn(background, which)];
    return x.d === 0 || x.n < 2 || y.n < 2
      ? undefined
      : twoSampleTest({ x: x.x, n: x.n, y: y.x, m: y.n, d: x.d, seed, design, centre });
  };
  const salient = test('salient', neutralOf(model)) ?? { statistic: 0, pValue: 1, labellings: 1 };
  const shared = test('shared');
  const rich = richness(rawItems(target), rawItems(background));
  const items = { target: target.heldOut.length, background: background.heldOut.length };
  const found =
    salient.pValue < significant && holdsMore(factors, isRicher(rich))
      ? 'difference'
      : isRicher(rich)
        ? 'swapped'
        : 'nothing';
  const groups = groupsOf(target, background);
  const verdict = { found, salient, shared, richness: rich, items, groups } as const;
  return { ...verdict, sentences: spoken(verdict, factors) };
}

/** @example chance(0.001) // 'p ≤ 0.001' */
export function chance(pValue: number): string {
  return pValue <= 0.001 ? 'p ≤ 0.001' : `p = ${Number(pValue.toPrecision(2))}`;
}

function spoken(
  { found, salient, shared, richness: rich, items, groups }: Omit<Verdict, 'sentences'>,
  factors: readonly SalientFactor[],
): string[] {
  const active = factors.some((factor) => factor.active);
  const differs = salient.pValue < significant;
  const least = Math.min(items.target, items.background);
  const test = `${chance(salient.pValue)}, two-sample test by energy distance and by how far codes lie from the neutral one`;
  return [
    headlines[found],
    `The salient codes of ${items.target} target and ${items.background} background items that were not trained on ${differs ? `differ more than chance would have it (${test}).` : `can’t be told apart (${test}; below ${significant} would count).`}`,
    ...(differs && !active
      ? [
          'Yet the salient codes are faint: no dimension carries enough to count, and what is decoded from them will hardly show it. More steps help, and a smaller scale of the likelihood.',
        ]
      : []),
    ...(!differs && active ? ['What the salient block carries, it carries for both sets alike.'] : []),
    ...(isRicher(rich)
      ? [
          `The background varies in ways that the target does not: in some direction of the data it varies ${times(rich.background)} as much, and the target never more than ${times(rich.target)} as much as the background. ${found === 'swapped' ? 'These methods find what the target adds, so train again with the roles exchanged.' : 'If that is not expected, look whether the roles are swapped.'}`,
        ]
      : []),
    ...(shared === undefined
      ? []
      : shared.pValue < significant
        ? [
            `The common codes of both sets differ as well (${chance(shared.pValue)}), which they should not: some of the difference is in the common block, or the sets differ in what they share.`,
          ]
        : [`The common codes of both sets can’t be told apart (${chance(shared.pValue)}), as it should be.`]),
    ...(groups
      ? [
          `They belong to ${groups.target} and ${groups.background} groups by ${groups.column}, which were relabelled whole.${salient.labellings < fewLabellings ? ` There are ${Math.round(salient.labellings)} ways to do so, so that no difference could reach p < ${significant}: more groups are needed.` : ''}`,
        ]
      : []),
    ...(least < fewItems
      ? [`With ${least} held-out items in the smaller set, only a strong difference would be noticed.`]
      : []),
  ];
}

const headlines: Record<Verdict['found'], string> = {
  difference: 'Yes: the target holds something that the background lacks.',
  nothing: 'Nothing was found that the target holds and the background lacks.',
  swapped: 'Nothing was found that the target adds; it is the background that holds more. The roles may be swapped.',
};

/** Whether it is the target whose salient codes lie further out; faint ones of a poorer set are what the background pushes there. */
function holdsMore(factors: readonly SalientFactor[], backgroundIsRicher: boolean): boolean {
  const square = (of: 'targetSpread' | 'backgroundSpread') => factors.reduce((sum, factor) => sum + factor[of] ** 2, 0);
  const isFaint = !factors.some(({ active }) => active);
  return square('targetSpread') > square('backgroundSpread') && !(isFaint && backgroundIsRicher);
}

function isRicher({ target, background }: Richness): boolean {
  return background > richer.ratio && background > richer.over * target;
}

function times(ratio: number): string {
  return ratio >= 100 ? 'over 100 times' : `${Number(ratio.toPrecision(2))} times`;
}

function groupsOf(target: EncodedSet, background: EncodedSet): Verdict['groups'] {
  const count = ({ units, heldOut }: EncodedSet) => new Set(Array.from(heldOut, (item) => units?.[item])).size;
  const { groups } = target.data;
  return groups && { column: groups.column, target: count(target), background: count(background) };
}

/** Some items as they are, evenly over the set. */
function rawItems({ data }: EncodedSet) {
  const size = itemSize(data.shape);
  const n = Math.max(2, Math.min(mostCompared, data.length, Math.floor(mostNumbers / size)));
  const x = data.gather(Uint32Array.from({ length: n }, (_, i) => Math.floor((i * data.length) / n)));
  return { x, n, d: size };
}
