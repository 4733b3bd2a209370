/**
 * From one item to another in some blocks, while the rest of the first item's code is held: along lines, or over a square
 * (contrastive paper, Fig. 8) between four items, or between two of which each direction moves every other dimension.
 */

import { type Drawing, interpolationLines, interpolationSquare } from '../drawing/index.ts';
import { UntangleError } from '../errors.ts';
import type { Codes } from '../model/index.ts';
import type { RunData } from '../training/index.ts';
import { blocksOf, type TrainedModel } from '../use/index.ts';
import { allDimensions, byKl, type Chosen, chooseBlocks, chosenName, pickRows, stacked, withParts } from './codes.ts';
import {
  checkCells,
  imagesOf,
  type PictureOptions,
  type Start,
  someItems,
  startAt,
  testItems,
  titled,
} from './subject.ts';

/** How many lines are shown between items that the seed chooses. */
const usualLines = 4;

/** Lines between pairs that the seed chooses, the one line from `from` to `to`, or the square between `corners`. */
export async function drawInterpolation(
  model: TrainedModel,
  data: () => Promise<RunData>,
  options: PictureOptions,
): Promise<Drawing> {
  const chosen = movedBlocks(model, options.blocks);
  const starts = await startsOf(model, data, options);
  return options.corners
    ? await drawSquare(model, starts, chosen, options)
    : await drawLines(model, starts, chosen, options);
}

async function drawLines(model: TrainedModel, starts: Start[], chosen: Chosen[], { steps = 9 }: PictureOptions) {
  const weights = Array.from({ length: steps }, (_, i) => [1 - i / (steps - 1), i / (steps - 1)]);
  const lines = starts.flatMap((start, i) => (i % 2 === 0 ? [[start, starts[i + 1]]] : []));
  const codes = lines.map((line) =>
    blended(
      model,
      line.map((end) => end.codes),
      weights,
      chosen,
    ),
  );
  const values = new Float32Array(starts.length * model.itemSize);
  starts.forEach((start, i) => {
    values.set(start.values, i * model.itemSize);
  });
  const rest = heldBlocks(model, chosen);
  const what = lines.length === 1 ? `${starts[0].name} to ${starts[1].name}` : 'from item to item';
  return interpolationLines({
    images: imagesOf(model, await model.decode(stacked(model, codes))),
    ends: imagesOf(model, values),
    lines: lines.length,
    title: titled(model, `${what}, in ${movedName(model, chosen)}`),
    caption: rest !== '' ? `Held at the item at the left: ${rest}.` : undefined,
  });
}

async function drawSquare(model: TrainedModel, starts: Start[], chosen: Chosen[], { steps = 8 }: PictureOptions) {
  const corners = starts.length === 2 ? betweenTwo(starts, chosen) : starts.map(({ codes }) => codes);
  const weights = Array.from({ length: steps * steps }, (_, i) => {
    const [across, down] = [(i % steps) / (steps - 1), Math.floor(i / steps) / (steps - 1)];
    return [(1 - across) * (1 - down), across * (1 - down), (1 - across) * down, across * down];
  });
  const images = await model.decode(blended(model, corners, weights, chosen));
  const names = starts.map(({ name }) => name);
  const [first, last] = names;
  const rest = heldBlocks(model, chosen);
  return interpolationSquare({
    images: imagesOf(model, images),
    columns: steps,
    corners: starts.length === 2 ? [first, undefined, undefined, last] : [names[0], names[1], names[2], names[3]],
    title: titled(
      model,
      `a square between items, in ${movedName(model, chosen)}${rest && `, with ${rest} of ${first}`}`,
    ),
  });
}

/** The four corners between two items: their dimensions by what they carry, in turn across and down. */
function betweenTwo([first, last]: Start[], chosen: Chosen[]): Codes[] {
  const ordered = byKl(chosen);
  const every = (turn: number) =>
    ordered.filter((_, i) => i % 2 === turn).map(({ block, index }) => ({ block, dimensions: [index] }));
  const discrete = chosen.filter(({ block }) => block.kind === 'categorical');
  const corner = (parts: Chosen[]) => parts.reduce((codes, part) => withParts(codes, last.codes, [part]), first.codes);
  return [
    first.codes,
    corner([...every(0), ...discrete]),
    corner(every(1)),
    corner([...every(0), ...every(1), ...discrete]),
  ];
}

/** What moves where nobody says: what the target adds, or what belongs to classes, or everything. */
function movedBlocks(model: TrainedModel, names?: readonly string[]): Chosen[] {
  if (names) return chooseBlocks(model, names);
  const salient = blocksOf(model, 'salient');
  return allDimensions(salient.length > 0 ? salient : model.file.blocks);
}

/** Rows of weighted sums of codes in the chosen dimensions; the others are those of the first. */
function blended(model: TrainedModel, ends: Codes[], weights: number[][], chosen: Chosen[]): Codes {
  const rows = (end: Codes) => pickRows(model, end, new Uint8Array(weights.length));
  const sums = rows(ends[0]);
  for (const { block } of chosen) {
    const own = sums[block.name];
    for (let i = 0; i < own.length; i++) {
      const row = Math.floor(i / block.size);
      own[i] = ends.reduce((sum, end, e) => sum + weights[row][e] * end[block.name][i % block.size], 0);
    }
  }
  return withParts(rows(ends[0]), sums, chosen);
}

function movedName(model: TrainedModel, chosen: Chosen[]): string {
  return chosen.length > 3 && chosen.length === model.file.blocks.length ? 'the whole code' : chosenName(chosen);
}

/** The blocks that stay, by name; empty if none does. */
function heldBlocks(model: TrainedModel, chosen: Chosen[]): string {
  const moved = chosen.filter(({ block, dimensions }) => dimensions.length === block.size).map(({ block }) => block);
  const held = model.file.blocks.filter((block) => !moved.includes(block)).map(({ name }) => name);
  return held.length > 3 ? 'all else' : held.join(', ');
}

/** The items to go between, as many as the picture needs. */
async function startsOf(model: TrainedModel, data: () => Promise<RunData>, options: PictureOptions): Promise<Start[]> {
  const { corners, from, to, onNote } = options;
  const at = (meant: string) => startAt(model, data, meant, onNote);
  if (corners) {
    if (corners.length !== 2 && corners.length !== 4)
      throw new UntangleError(`${corners.length} corners were given; a square goes between four items, or two.`, {
        kind: 'call',
        hint: 'As in --corners 3,17,20,41.',
      });
    return await Promise.all(corners.map(at));
  }
  if ((from === undefined) !== (to === undefined))
    throw new UntangleError('An interpolation goes from one item to another: it needs both --from and --to.', {
      kind: 'call',
      hint: 'As in --from 3 --to 17. Without both, the seed chooses.',
    });
  if (from !== undefined && to !== undefined) return [await at(from), await at(to)];
  const { target } = await data();
  const places = new Map(Array.from(testItems(target), (item, place) => [item, place]));
  const { items = usualLines, steps = 9 } = options;
  checkCells(items * (steps + 2));
  const chosen = someItems(target, 2 * items, options.seed);
  const even = chosen.subarray(0, chosen.length - (chosen.length % 2));
  return await Promise.all(Array.from(even, (item) => at(String(places.get(item)))));
}
