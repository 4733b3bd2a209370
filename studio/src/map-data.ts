/** What a map shows: codes of a block with what is known of each item, how they are coloured, and items when they are looked at. */

import { scaleColour } from '../../src/drawing/palette.ts';
import { itemSize, type ModelBlock } from '../../src/model/index.ts';
import type { ItemPart } from '../../src/studio/items.ts';
import { api, type KnownLabels, type RunDetail } from './api.ts';
import { numberText } from './format.ts';

export interface MapData {
  /** n × d. */
  codes: Float32Array;
  n: number;
  d: number;
  /** How many of them are of the target; those of the background follow. */
  targets: number;
  /** What points can be coloured by. */
  colourings: ColourChoice[];
}

export interface ColourChoice {
  name: string;
  /** One word for each item, for the hover. */
  wordOf(i: number): string;
  /** Entries of the legend: a colour as CSS or a custom property, and a mark. */
  legend: { word: string; colour: string; mark: number }[];
  colours: string[];
  colourOf: Uint8Array;
  markOf: Uint8Array;
}

/** Fetches the codes of a block, of both sets where there are two, and what is known about the items. */
export async function fetchMap(run: RunDetail, block: ModelBlock, count: number): Promise<MapData> {
  const parts: ItemPart[] = run.background ? ['test', 'background'] : ['test'];
  const each = Math.ceil(count / parts.length);
  const codes = await Promise.all(parts.map((part) => api.codes(run.name, part, block.name, each)));
  const d = block.size;
  const counts = codes.map(({ length }) => length / d);
  const known = await api.labels(run.name, 'test', 0, counts[0]).catch((): KnownLabels => ({}));
  const all = new Float32Array(codes.reduce((sum, { length }) => sum + length, 0));
  all.set(codes[0]);
  if (codes[1]) all.set(codes[1], codes[0].length);
  const n = all.length / d;
  const colourings: ColourChoice[] = [];
  if (codes.length > 1) colourings.push(categories('set', ['target', 'background'], n, (i) => (i < counts[0] ? 0 : 1)));
  const { labels, factors = [] } = known;
  if (labels) colourings.push(categories('label', labels.names, n, (i) => labels.values[i]));
  for (const { name, values } of factors) colourings.push(ofValues(name, values, n));
  if (colourings.length === 0) colourings.push(categories('nothing', ['items'], n, () => 0));
  return { codes: all, n, d, targets: counts[0], colourings };
}

const unknown = 'not known';

/** More categories than this share colours; their marks tell them apart then. */
const mostColours = 60;

/** As many colours as categories: the palette's own for up to seven, hues around the circle for more, each second one darker. */
export function coloursOf(count: number): string[] {
  if (count <= 7) return ['--s0', '--s1', '--s2', '--s3', '--s4', '--s5', '--s6'];
  const many = Math.min(count, mostColours);
  return Array.from({ length: many }, (_, k) => fromHue((360 * k) / many, k % 2 ? 0.36 : 0.56));
}

/** `#rrggbb` of a full hue at a lightness. */
function fromHue(hue: number, lightness: number): string {
  const reach = 0.7 * Math.min(lightness, 1 - lightness);
  const channel = (offset: number) => {
    const k = (offset + hue / 30) % 12;
    const value = lightness - reach * Math.max(-1, Math.min(k - 3, 9 - k, 1));
    return Math.round(255 * value)
      .toString(16)
      .padStart(2, '0');
  };
  return `#${channel(0)}${channel(8)}${channel(4)}`;
}

/** A colour and a mark for each category. */
function categories(
  name: string,
  words: readonly string[],
  n: number,
  of: (i: number) => number | undefined,
): ColourChoice {
  const known = Array.from({ length: n }, (_, i) => of(i));
  const [colourOf, markOf] = [new Uint8Array(n), new Uint8Array(n)];
  const colours = [...coloursOf(words.length), '--line-strong'];
  const last = colours.length - 1;
  for (const [i, k] of known.entries()) {
    colourOf[i] = k === undefined ? last : k % last;
    markOf[i] = k === undefined ? 0 : k % 3;
  }
  const legend = words.map((word, k) => ({ word, colour: colours[k % last], mark: k % 3 }));
  if (known.includes(undefined)) legend.push({ word: unknown, colour: colours[last], mark: 0 });
  return { name, legend, colours, colourOf, markOf, wordOf: (i) => words[known[i] ?? -1] ?? unknown };
}

const shades = 64;

/** Few whole values are categories; others lie on a scale. */
function ofValues(name: string, values: readonly number[], n: number): ColourChoice {
  const distinct = [...new Set(values)].sort((a, b) => a - b);
  if (distinct.length <= 7 && distinct.every(Number.isInteger))
    return categories(name, distinct.map(String), n, (i) =>
      i < values.length ? distinct.indexOf(values[i]) : undefined,
    );
  const [low, high] = [distinct[0], distinct[distinct.length - 1]];
  const shadeOf = (value: number) => Math.round(((value - low) / (high - low || 1)) * (shades - 1));
  const colours = [
    ...Array.from({ length: shades }, (_, k) => scaleColour(k / (shades - 1)) ?? 'grey'),
    '--line-strong',
  ];
  const legend = [0, 0.25, 0.5, 0.75, 1].map((part) => ({
    word: numberText(low + part * (high - low)),
    colour: colours[Math.round(part * (shades - 1))],
    mark: 0,
  }));
  return {
    name,
    legend,
    colours,
    colourOf: Uint8Array.from({ length: n }, (_, i) => (i < values.length ? shadeOf(values[i]) : shades)),
    markOf: new Uint8Array(n),
    wordOf: (i) => (i < values.length ? numberText(values[i]) : unknown),
  };
}

const chunk = 128;

/** Items by their place on the map, fetched in chunks and kept. */
export function itemSource(run: RunDetail, targets: number): (i: number) => Promise<Float32Array> {
  const size = run.model ? itemSize(run.model.data.shape) : 0;
  const chunks = new Map<string, Promise<Float32Array>>();
  return async (i) => {
    const part: ItemPart = i < targets ? 'test' : 'background';
    const index = i < targets ? i : i - targets;
    const start = index - (index % chunk);
    const key = `${part} ${start}`;
    const fetched = chunks.get(key) ?? api.items(run.name, part, start, chunk).then(({ values }) => values);
    chunks.set(key, fetched);
    const values = await fetched;
    return values.subarray((index - start) * size, (index - start + 1) * size);
  };
}

/** The mean of items. */
export function meanItem(items: readonly Float32Array[]): Float32Array {
  const mean = new Float32Array(items[0].length);
  for (const item of items) for (let k = 0; k < mean.length; k++) mean[k] += item[k] / items.length;
  return mean;
}
