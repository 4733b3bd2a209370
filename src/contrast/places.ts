/** Where the items of both sets lie: held-out codes in their two leading directions, the target by its labels. */
import { type Points, pca, project } from '../analysis/index.ts';
import { type Drawing, htmlParagraph, pointMap } from '../drawing/index.ts';
import { stream } from '../random/index.ts';
import { codesIn, type EncodedSet } from './encoded.ts';
import { chance, type Verdict } from './verdict.ts';

/** More points of a set hide each other. */
const mostPoints = 700;

export function placesChapter(verdict: Verdict, pictures: string[]): string[] {
  return [
    htmlParagraph(
      `Held-out codes in their two leading directions. Salient codes should set the target apart (${chance(verdict.salient.pValue)})${verdict.shared ? `, and common codes should not (${chance(verdict.shared.pValue)})` : ''}.`,
    ),
    `<div class="pair">${pictures.join('')}</div>`,
  ];
}

/** Held-out codes of both sets in their two leading directions, the target by its labels where they are known. */
export function drawPlaces(
  target: EncodedSet,
  background: EncodedSet,
  which: 'salient' | 'shared',
  seed: number,
): Drawing {
  const [ours, theirs] = [target, background].map((set) =>
    stream(seed, `points of the ${set.name}`)
      .permutation(set.heldOut.length)
      .subarray(0, mostPoints)
      .map((place) => set.heldOut[place]),
  );
  const [x, y] = [codesIn(target, which, ours), codesIn(background, which, theirs)];
  const both = { x: Float64Array.from([...Array.from(x.x), ...Array.from(y.x)]), n: x.n + y.n, d: x.d };
  const { labels } = target.data;
  const names = labels ? labels.names.map((name) => `target: ${name}`) : ['target'];
  const used = [...new Set(Array.from(ours, (item) => labels?.values[item] ?? 0))].sort((a, b) => a - b);
  const values = [
    ...Array.from(ours, (item) => used.indexOf(labels?.values[item] ?? 0)),
    ...Array.from(theirs, () => used.length),
  ];
  return pointMap({
    points: inPlane(both, seed),
    colour: { kind: 'label', names: [...used.map((label) => names[label]), 'background'], values },
    size: 300,
    title: which === 'salient' ? 'Salient codes' : 'Common codes',
  });
}

/** Two leading directions; of a single one, with a height that means nothing. */
function inPlane(points: Points, seed: number): Float64Array {
  if (points.d > 1 && points.n > 2) return project(pca({ ...points, components: 2 }), points.x, points.n);
  const width = Math.max(...Array.from(points.x)) - Math.min(...Array.from(points.x));
  const heights = stream(seed, 'heights of points').uniforms(points.n);
  return Float64Array.from({ length: 2 * points.n }, (_, e) =>
    e % 2 === 0 ? points.x[(e >> 1) * points.d] : (heights[e >> 1] - 0.5) * width * 0.2,
  );
}
