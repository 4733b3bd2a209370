/** What a dimension does to images: the changes along its traversals from several places, summed, and as many as explain them. */
import type { ImageShape } from '../model/index.ts';
import type { Explanation, ToldChange } from './explanation.ts';
import { type ChangeKind, changeKinds, type Fit, fitMotion, type Motion, still } from './motion.ts';
import { figureOf, type MeasuredImage, measuredImageOf } from './picture.ts';

/** Traversals, each its pictures one after the other from the lowest value to the highest. */
type Traversals = readonly Float32Array[];

/** What a shape can do beside moving and growing: the fewest that explain the pictures are taken. */
const shapings: readonly (readonly ChangeKind[])[] = [
  [],
  ['turn'],
  ['slant'],
  ['widen'],
  ['turn', 'widen'],
  ['slant', 'widen'],
];

/** A kind more has to explain this much more of the change. */
const worthMore = 0.02;
/** The part of the change below which a kind is not told. */
const least = 0.12;
/** The part of the change that has to be explained for words to be true. */
const enough = 0.35;

/** Explains traversals of images, in pixels, degrees and factors from one end to the other. */
export function explainImages(traversals: Traversals, shape: ImageShape): Explanation {
  const size = shape.channels * shape.height * shape.width;
  const rows = traversals.map((items) =>
    Array.from({ length: items.length / size }, (_, i) =>
      measuredImageOf(items.subarray(i * size, (i + 1) * size), shape),
    ),
  );
  const figures = rows.flatMap((row) => row.map(figureOf));
  const contrast = figures.reduce((sum, { mass }) => sum + dotSelf(mass), 0) / figures.length;
  const strokes = figures.filter(({ isStrokes }) => isStrokes).length > figures.length / 2;
  const always: ChangeKind[] = ['x', 'y', 'grow', 'brighten', 'background'];
  if (strokes) always.push('thicken');
  if (shape.channels === 3 && rows.some((row) => row.some(isColourful))) always.push('hue');
  const tries = shapings.map((more) => ({ more, ...summed(rows, [...always, ...more]) }));
  const [{ total }] = tries;
  const steps = rows.reduce((sum, row) => sum + row.length - 1, 0);
  if (total / steps < 1e-4 * contrast)
    return { changes: [], explained: 0, isSeveral: false, name: 'does next to nothing' };
  const best = tries.reduce((one, other) =>
    other.left / total + worthMore * other.more.length < one.left / total + worthMore * one.more.length ? other : one,
  );
  return told(best, rows[0][0].scale);
}

interface Summed {
  fits: Fit[][];
  energy: Motion;
  total: number;
  left: number;
}

function summed(rows: readonly (readonly MeasuredImage[])[], allowed: readonly ChangeKind[]): Summed {
  const fits = rows.map((row) => row.slice(1).map((picture, i) => fitMotion(row[i], picture, allowed)));
  const all = fits.flat();
  const energy = still();
  for (const kind of changeKinds) energy[kind] = all.reduce((sum, fit) => sum + fit.energy[kind], 0);
  return {
    fits,
    energy,
    total: all.reduce((sum, fit) => sum + fit.total, 0),
    left: all.reduce((sum, fit) => sum + fit.left, 0),
  };
}

function told({ fits, energy, total, left }: Summed, scale: number): Explanation {
  const explained = 1 - left / total;
  const moves = energy.x + energy.y;
  const sum = changeKinds.reduce((all, kind) => all + energy[kind], 0) || 1;
  const parts = [
    { kind: 'move' as const, share: moves / sum },
    ...changeKinds
      .filter((kind) => !['x', 'y', 'grow', 'widen'].includes(kind))
      .map((kind) => ({ kind, share: energy[kind] / sum })),
  ];
  const net = (kind: ChangeKind) =>
    fits.reduce((all, row) => all + row.reduce((one, { motion }) => one + motion[kind], 0), 0) / fits.length;
  const way = (kind: ChangeKind) =>
    fits.reduce((all, row) => all + row.reduce((one, { motion }) => one + Math.abs(motion[kind]), 0), 0) / fits.length;
  const sized = (energy.grow + energy.widen) / sum;
  const [wide, high] = [net('grow') + net('widen'), net('grow') - net('widen')];
  // Width and height that go together are growth; what one of them does alone is told as that.
  const isGrowth = Math.abs(net('widen')) < 0.25 * Math.abs(net('grow')) || energy.widen < 0.1 * energy.grow;
  const sides: ToldChange[] = (
    [
      ['wide', wide],
      ['high', high],
    ] as const
  ).map(([kind, amount]) => ({
    kind,
    share: (sized * amount ** 2) / (wide ** 2 + high ** 2 || 1),
    words: `${sideVerbs[kind][amount > 0 ? 0 : 1]}, ×${Math.exp(amount).toFixed(2)}`,
    amount: Math.exp(amount),
    unit: '×',
  }));
  const isSteady = (kind: ChangeKind) => Math.abs(net(kind)) > 0.5 * way(kind);
  const growth: ToldChange = { kind: 'grow', share: sized, ...wordsOf('grow', net('grow'), isSteady('grow'), scale) };
  const others = parts.map(({ kind, share }): ToldChange => {
    if (kind !== 'move') return { kind, share, ...wordsOf(kind, net(kind), isSteady(kind), scale) };
    const steady = energy.x > energy.y ? isSteady('x') : isSteady('y');
    return { kind, share, ...moveWords(net('x') * scale, net('y') * scale, steady) };
  });
  const changes = [...others, ...(isGrowth ? [growth] : sides)]
    .filter(({ share }) => share >= least)
    .sort((a, b) => b.share - a.share);
  if (explained < enough)
    return {
      changes: [{ kind: 'form', share: 1 - explained, words: 'changes its form' }, ...changes],
      explained,
      isSeveral: true,
      name: 'several things',
    };
  const isSeveral =
    changes.length === 0 || changes[0].share < 0.45 || changes.filter(({ share }) => share > 0.2).length > 2;
  const named = changes[0]?.share > 0.8 ? changes.slice(0, 1) : changes.slice(0, 2);
  return {
    changes,
    explained,
    isSeveral,
    name: isSeveral ? 'several things' : named.map(({ words }) => words).join(' and '),
  };
}

const digits = (value: number) => (Math.abs(value) < 10 ? value.toFixed(1).replace(/\.0$/, '') : value.toFixed(0));

function moveWords(x: number, y: number, isSteady: boolean): Omit<ToldChange, 'kind' | 'share'> {
  if (!isSteady) return { words: 'moves to and fro' };
  const [far, near] = [Math.max(Math.abs(x), Math.abs(y)), Math.min(Math.abs(x), Math.abs(y))];
  const across = x > 0 ? 'right' : 'left';
  const along = y > 0 ? 'down' : 'up';
  const direction = near > 0.4 * far ? `${along} and ${across}` : Math.abs(x) > Math.abs(y) ? across : along;
  const amount = Math.hypot(x, y);
  return { words: `moves ${direction}, ${digits(amount)} px`, amount, unit: 'px' };
}

/** The words of a change, each for more and for less, and how its amount is told. */
function wordsOf(kind: ChangeKind, net: number, isSteady: boolean, scale: number): Omit<ToldChange, 'kind' | 'share'> {
  const [more, less] = verbs[kind];
  if (!isSteady) return { words: `${more}, one way or the other` };
  const verb = net > 0 ? more : less;
  if (kind === 'turn' || kind === 'hue' || kind === 'slant') {
    const amount = ((kind === 'slant' ? Math.atan(net) : net) * 180) / Math.PI;
    const way = kind === 'turn' ? ` ${amount > 0 ? 'clockwise' : 'anticlockwise'}` : '';
    return { words: `${verb}${way}, ${digits(Math.abs(amount))}°`, amount, unit: '°' };
  }
  if (kind === 'thicken')
    return { words: `${verb}, ${digits(2 * scale * Math.abs(net))} px`, amount: 2 * scale * net, unit: 'px' };
  if (kind === 'background') return { words: verb, amount: net };
  const amount = Math.exp(net);
  return { words: `${verb}, ×${amount.toFixed(2)}`, amount, unit: '×' };
}

const sideVerbs = { wide: ['widens', 'narrows'], high: ['becomes taller', 'becomes flatter'] } as const;

const verbs: Record<ChangeKind, readonly [string, string]> = {
  x: ['moves right', 'moves left'],
  y: ['moves down', 'moves up'],
  turn: ['turns', 'turns'],
  grow: ['grows', 'shrinks'],
  slant: ['slants right', 'slants left'],
  widen: ['widens', 'narrows'],
  thicken: ['thickens', 'thins'],
  brighten: ['stands out more', 'fades'],
  background: ['background brightens', 'background darkens'],
  hue: ['changes hue', 'changes hue'],
};

function isColourful(picture: MeasuredImage): boolean {
  const { values, width, height } = picture;
  const plane = width * height;
  let most = 0;
  for (let p = 0; p < plane; p++) {
    const three = [values[p], values[plane + p], values[2 * plane + p]];
    most = Math.max(most, Math.max(...three) - Math.min(...three));
  }
  return most > 0.1;
}

const dotSelf = (values: Float64Array) => values.reduce((sum, value) => sum + value * value, 0);
