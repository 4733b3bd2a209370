/** Codes on a page: how far sliders go, which dimensions are worth one, and the form of a code in a link. */
import {
  type Codes,
  deviationsOf,
  type Gaussian,
  largest,
  type ModelBlock,
  oneHot,
  startingCodes,
} from '../../src/model/index.ts';

/** Sliders go from the 1 % to the 99 % quantile of the prior. */
const reach = 2.3263;

/** A dimension whose KL is below so many nats carries next to nothing. */
export const quiet = 0.01;

/** How far the slider of a dimension goes: the reach of its prior, and the code itself where that lies outside. */
export function sliderRange(prior: Gaussian, index: number, now: number) {
  const [mean, deviation] = [prior.mean[index], deviationsOf(prior)[index]];
  return { deviation, low: Math.min(mean - reach * deviation, now), high: Math.max(mean + reach * deviation, now) };
}

/** The values of a traversal, evenly over the prior's reach. */
export function traversalValues(prior: Gaussian, index: number, count: number): number[] {
  const { low, high } = sliderRange(prior, index, prior.mean[index]);
  return between(low, high, count);
}

/** Values at even distances, from one to the other. */
export function between(low: number, high: number, count: number): number[] {
  return Array.from({ length: count }, (_, i) => low + ((high - low) * i) / (count - 1));
}

/** The dimensions of a block, those first that carry most. */
export function dimensionsByKl({ size, kl }: ModelBlock): number[] {
  return Array.from({ length: size }, (_, i) => i).sort((a, b) => Number(kl?.[b] ?? 0) - Number(kl?.[a] ?? 0));
}

/** Codes as a link holds them: `z=0.5,1.25&c=3`. */
export function codesQuery(codes: Codes, blocks: readonly ModelBlock[]): string {
  const query = new URLSearchParams();
  for (const { name, kind } of blocks)
    query.set(
      name,
      kind === 'categorical' ? `${largest(codes[name])}` : [...codes[name]].map((v) => Number(v.toFixed(3))).join(','),
    );
  return query.toString().replaceAll('%2C', ',');
}

/** The codes of a link; what it doesn't tell, or tells wrongly, is as at the start. */
export function codesOfQuery(query: URLSearchParams, blocks: readonly ModelBlock[]): Codes {
  const codes = startingCodes(blocks);
  for (const { name, kind, size } of blocks) {
    const given = query.get(name)?.split(',').map(Number);
    if (!given?.every(Number.isFinite)) continue;
    if (kind === 'categorical') {
      if (Number.isInteger(given[0]) && given[0] >= 0 && given[0] < size) codes[name] = oneHot(size, given[0]);
    } else if (given.length === size) codes[name] = Float32Array.from(given);
  }
  return codes;
}
