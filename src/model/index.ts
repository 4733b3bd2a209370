/** The language of a model: its blocks and their roles, and what an item is. */
export type { Block, Kind, Role } from './block.ts';
export { largestOfRows } from './codes.ts';
export {
  type Factor,
  type Factors,
  type ImageShape,
  type ItemShape,
  itemSize,
  type Labels,
  type TableShape,
  type ValueRange,
} from './item.ts';
