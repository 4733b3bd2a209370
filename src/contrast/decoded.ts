/**
 * What the decoder makes of codes: each factor moved alone, items without what is salient and with nothing else, their salience
 * given to background items, and new codes on those.
 */
import { drawSwap, drawSynthesis, drawTransfer, drawTraversal, testItems } from '../pictures/index.ts';
import type { RunData } from '../training/index.ts';
import type { TrainedModel } from '../use/index.ts';
import { codesIn, type EncodedSet } from './encoded.ts';
import type { SalientFactor } from './factors.ts';
import type { Figure } from './report.ts';

export const swapAbout =
  'Each target item x is decoded whole, without its salient code, and from its salient code alone. What only the target has should vanish from the second and stand alone in the third.';
export const transferAbout =
  'Background items at the left keep their common code and take the salient code of the target items above.';
export const synthesisAbout =
  'Salient codes drawn from the prior, on real background items. Each column has one salient code; dimensions that do not count stay neutral.';

/** The factors move on a background item whose common code is near the middle. */
export async function drawDecoded(
  model: TrainedModel,
  data: RunData,
  background: EncodedSet,
  factors: readonly SalientFactor[],
  seed: number,
): Promise<Figure[]> {
  const blocks = factors.map(({ block, index }) => `${block}[${index}]`);
  const from = `background:${typicalPlace(background)}`;
  return [
    { part: 'traversal', drawing: await drawTraversal(model, () => Promise.resolve(data), { seed, from, blocks }) },
    { part: 'swap', drawing: await drawSwap(model, data, { seed, items: 8 }) },
    { part: 'transfer', drawing: await drawTransfer(model, data, { seed, items: 6 }) },
    // Dimensions other than the factors stay neutral: the decoder has hardly seen them vary.
    { part: 'synthesis', drawing: await drawSynthesis(model, data, { seed, items: 6, blocks }) },
  ];
}

/** The place, among the test items, of the background item whose common code is nearest to their mean. */
function typicalPlace(background: EncodedSet): number {
  const items = testItems(background);
  const { x, n, d } = codesIn(background, 'shared', items);
  const mean = Array.from({ length: d }, (_, j) => {
    let sum = 0;
    for (let i = 0; i < n; i++) sum += x[i * d + j] / n;
    return sum;
  });
  const distances = Array.from({ length: n }, (_, i) =>
    mean.reduce((sum, value, j) => sum + (x[i * d + j] - value) ** 2, 0),
  );
  return distances.indexOf(Math.min(...distances));
}
