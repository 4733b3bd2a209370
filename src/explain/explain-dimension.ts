/** One dimension of a model, moved from several places, and what that does. */
import {
  type Codes,
  deviationsOf,
  type ItemShape,
  itemSize,
  type ModelBlock,
  priorOf,
  randomCodes,
  traversed,
  withClass,
} from '../model/index.ts';
import type { Explanation } from './explanation.ts';
import { explainImages } from './image-changes.ts';
import { type ExplainedColumn, explainTable } from './table-changes.ts';

/** What is needed of a model: its blocks, its items, and its decoder. */
export interface ExplainedModel {
  blocks: readonly ModelBlock[];
  shape: ItemShape;
  /** How a table's numbers come back into their units; without it they stand for themselves. */
  columns?: readonly TableColumnFacts[];
  /** Items from a code of each block, a row for each item. */
  decode(codes: Codes, count: number): Promise<Float32Array>;
}

export type TableColumnFacts =
  | { kind: 'number'; name: string; deviation: number }
  | { kind: 'category'; name: string; categories: readonly string[] };

/** From so many places of the prior, through so many values. */
const [places, values] = [6, 9];
/** Deviations of the prior to each side. */
const reach = 2;

/**
 * What a dimension of a Gaussian block does.
 *
 * @example (await explainDimension(model, block, 3)).name // 'moves right, 14 px'
 */
export async function explainDimension(model: ExplainedModel, block: ModelBlock, index: number): Promise<Explanation> {
  return explainTraversals(await traversalsOf(model, block, index), model);
}

/** Items that the decoder makes while one dimension goes through its prior, from several places. */
export async function traversalsOf(
  { blocks, decode }: ExplainedModel,
  block: ModelBlock,
  index: number,
): Promise<Float32Array[]> {
  const traversals: Float32Array[] = [];
  for (let place = 0; place < places; place++) {
    const start = placeOf(blocks, block, place);
    const prior = priorOf(block, start);
    const [mean, deviation] = [prior.mean[index], deviationsOf(prior)[index]];
    const moved = Array.from({ length: values }, (_, i) => mean + deviation * reach * ((2 * i) / (values - 1) - 1));
    traversals.push(await decode(traversed(start, block, index, moved), values));
  }
  return traversals;
}

/** What changes along traversals. */
export function explainTraversals(
  traversals: readonly Float32Array[],
  { shape, columns }: Pick<ExplainedModel, 'shape' | 'columns'>,
): Explanation {
  if (shape.kind === 'image') return explainImages(traversals, shape);
  return explainTable(traversals, itemSize(shape), placed(columns ?? plainColumns(shape.columns)));
}

/** A draw from the prior; a block that belongs to one class moves where that class is. */
function placeOf(blocks: readonly ModelBlock[], block: ModelBlock, seed: number): Codes {
  const codes = randomCodes(blocks, seed);
  const owner = blocks.find(({ name }) => name === block.dependsOn);
  return owner && block.class !== undefined ? withClass(codes, owner, block.class, blocks) : codes;
}

const plainColumns = (names: readonly string[]): TableColumnFacts[] =>
  names.map((name) => ({ kind: 'number', name, deviation: 1 }));

/** Columns with the place of their first number. */
function placed(columns: readonly TableColumnFacts[]): ExplainedColumn[] {
  let at = 0;
  return columns.map((column): ExplainedColumn => {
    const start = at;
    at += column.kind === 'number' ? 1 : column.categories.length;
    return { ...column, at: start };
  });
}
