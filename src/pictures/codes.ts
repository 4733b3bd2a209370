/**
 * Codes as pictures move them: the middle and the quantiles of each block's prior, blocks by name, role or dimension, rows that
 * are repeated and overwritten. All of it knows blocks and roles, and no method by name.
 */
import { normalQuantile, normalShare } from '../analysis/index.ts';
import { UntangleError, unknownName } from '../errors.ts';
import { type Codes, largest, type ModelBlock, withChosenClasses } from '../model/index.ts';
import { blocksOf, type Classes, classNames, type TrainedModel } from '../use/index.ts';

/** Some dimensions of a block. */
export interface Chosen {
  block: ModelBlock;
  dimensions: readonly number[];
}

/** All dimensions of blocks. */
export function allDimensions(blocks: readonly ModelBlock[]): Chosen[] {
  return blocks.map((block) => ({ block, dimensions: Array.from({ length: block.size }, (_, i) => i) }));
}

/**
 * What somebody names: blocks by name or role, or single dimensions.
 *
 * @example chooseBlocks(model, ['salient', 'z[3]'])
 */
export function chooseBlocks({ file }: TrainedModel, names: readonly string[]): Chosen[] {
  const chosen = new Map<ModelBlock, Set<number>>();
  for (const name of names) {
    const [, plain, digits] = /^(.*?)(?:\[(\d+)\])?$/.exec(name) ?? [];
    const exact = file.blocks.filter((block) => block.name === name);
    const meant =
      exact.length > 0 ? exact : file.blocks.filter((block) => block.name === plain || block.role === plain);
    if (meant.length === 0) {
      const known = new Set(file.blocks.flatMap((block) => [block.name, block.role]));
      throw unknownName(`block of this ${file.method}`, name, [...known]);
    }
    for (const block of meant) {
      const index = exact.length > 0 || digits === undefined ? undefined : Number(digits);
      if (index !== undefined && index >= block.size)
        throw new UntangleError(`${block.name} has no dimension ${index}.`, {
          kind: 'call',
          hint: `Its ${block.size} dimensions are ${block.name}[0] to ${block.name}[${block.size - 1}].`,
        });
      const dimensions = chosen.get(block) ?? new Set<number>();
      for (let i = 0; i < block.size; i++) if (index === undefined || i === index) dimensions.add(i);
      chosen.set(block, dimensions);
    }
  }
  return [...chosen].map(([block, dimensions]) => ({ block, dimensions: [...dimensions].sort((a, b) => a - b) }));
}

/** Names of chosen blocks, as a label shows them. @example 'z[3], s' */
export function chosenName(chosen: readonly Chosen[]): string {
  const name = ({ block, dimensions }: Chosen) =>
    dimensions.length === block.size ? block.name : dimensions.map((i) => `${block.name}[${i}]`).join(', ');
  return chosen.map(name).join(', ');
}

/** The dimensions of Gaussian blocks by what they carry, the most first. */
export function byKl(chosen: readonly Chosen[]): { block: ModelBlock; index: number; kl?: number }[] {
  return chosen
    .filter(({ block }) => block.kind === 'gaussian')
    .flatMap(({ block, dimensions }) => dimensions.map((index) => ({ block, index, kl: block.kl?.[index] })))
    .sort((a, b) => (b.kl ?? 0) - (a.kl ?? 0));
}

/** The class that somebody means by a name, or by a number of the first block; the first without one. */
export function classMeant(model: TrainedModel, name?: string): Classes {
  const names = blocksOf(model, 'class').map((block) => classNames(model, block));
  const meant = name === undefined ? undefined : variableMeant(model, name);
  return names.map((_, v) => (v === meant?.variable ? meant.class : 0));
}

/** The place of a class block and the class in it that somebody means. */
export function variableMeant(model: TrainedModel, name: string): { variable: number; class: number } {
  const names = blocksOf(model, 'class').map((block) => classNames(model, block));
  if (names.length === 0) throw new UntangleError(`${model.file.method} has no classes.`, { kind: 'call' });
  const variable = names.findIndex((classes) => classes.includes(name));
  if (variable >= 0) return { variable, class: names[variable].indexOf(name) };
  if (/^\d+$/.test(name) && Number(name) < names[0].length) return { variable: 0, class: Number(name) };
  throw unknownName('class', name, names.flat());
}

/** The place among the class blocks of the one that a block belongs to; −1 where it belongs to none. */
export function variableOf(model: TrainedModel, { dependsOn }: ModelBlock): number {
  return blocksOf(model, 'class').findIndex(({ name }) => name === dependsOn);
}

/** The codes of items, ready to decode: means, and the most probable classes. Salient codes of a background are neutral. */
export async function codesOf(model: TrainedModel, items: Float32Array, from: 'target' | 'background' = 'target') {
  const codes: Codes = {};
  for (const { block, values } of await model.encode(items))
    codes[block.name] = block.role === 'salient' && from === 'background' ? neutralRows(block, values.length) : values;
  return withChosenClasses(codes, model.file.blocks);
}

/** The code of a block in items that lack what it stands for, repeated to a length. */
export function neutralRows({ size, neutral }: ModelBlock, length: number): Float32Array {
  return Float32Array.from({ length }, (_, i) => neutral?.[i % size] ?? 0);
}

/** The classes of an item's code. */
export function classesOf(model: TrainedModel, codes: Codes, row = 0): Classes {
  return blocksOf(model, 'class').map(({ name, size }) => largest(codes[name].subarray(row * size, (row + 1) * size)));
}

/** Some rows of codes, in an order, with repeats. */
export function pickRows(model: TrainedModel, codes: Codes, rows: ArrayLike<number>): Codes {
  return Object.fromEntries(
    model.file.blocks.map(({ name, size }) => {
      const picked = new Float32Array(rows.length * size);
      for (let i = 0; i < rows.length; i++)
        picked.set(codes[name].subarray(rows[i] * size, (rows[i] + 1) * size), i * size);
      return [name, picked];
    }),
  );
}

/** Every row of `keep` with the chosen dimensions of every row of `take`: a table of codes, one row of it after the other. */
export function crossed(
  model: TrainedModel,
  { keep, rows }: { keep: Codes; rows: number },
  { take, columns }: { take: Codes; columns: number },
  chosen: readonly Chosen[],
): Codes {
  const places = Array.from({ length: rows * columns }, (_, i) => i);
  const kept = places.map((i) => Math.floor(i / columns));
  const taken = places.map((i) => i % columns);
  return withParts(pickRows(model, keep, kept), pickRows(model, take, taken), chosen);
}

/** Codes with the chosen dimensions of others, row by row. */
export function withParts(codes: Codes, others: Codes, chosen: readonly Chosen[]): Codes {
  const mixed = { ...codes };
  for (const { block, dimensions } of chosen) {
    const own = mixed[block.name].slice();
    for (let start = 0; start < own.length; start += block.size)
      for (const i of dimensions) own[start + i] = others[block.name][start + i];
    mixed[block.name] = own;
  }
  return mixed;
}

/** Rows of codes, one set below the other. */
export function stacked(model: TrainedModel, parts: readonly Codes[]): Codes {
  return Object.fromEntries(
    model.file.blocks.map(({ name }) => {
      const rows = new Float32Array(parts.reduce((sum, part) => sum + part[name].length, 0));
      let at = 0;
      for (const part of parts) {
        rows.set(part[name], at);
        at += part[name].length;
      }
      return [name, rows];
    }),
  );
}

/** One dimension that takes one value after the other, from a base of one row. */
export interface Movement {
  base: Codes;
  block: ModelBlock;
  index: number;
  values: readonly number[];
}

/** What the decoder makes of movements, value by value and one movement after the other. */
export async function decodeMovements(model: TrainedModel, movements: readonly Movement[]): Promise<Float32Array> {
  const parts = movements.map(({ base, block, index, values }) => {
    const rows = pickRows(model, base, new Uint8Array(values.length));
    values.forEach((value, i) => {
      rows[block.name][i * block.size + index] = value;
    });
    return rows;
  });
  return await model.decode(stacked(model, parts));
}

/** Quantiles whose codes under a normal prior are evenly spaced, from `lowest` to 1 − `lowest`. */
export function evenQuantiles(lowest: number, steps: number): { quantile: number; deviations: number }[] {
  const far = -normalQuantile(lowest);
  return Array.from({ length: steps }, (_, i) => {
    const deviations = steps === 1 ? 0 : far * ((2 * i) / (steps - 1) - 1);
    return { quantile: normalShare(deviations), deviations };
  });
}
