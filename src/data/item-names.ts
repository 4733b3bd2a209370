/** What people call the items of a set: by the column of ids that a model does not see. */
import type { Dataset } from './dataset.ts';
import { fieldsOf } from './fields.ts';
import type { Transformation } from './tables/transformation.ts';

/**
 * The id of an item, as its table has it; undefined where there is none.
 *
 * @example itemName(mice, 107) // '3499_13'
 */
export function itemName(data: Dataset & { transformation?: Transformation }, item: number): string | undefined {
  const id = data.transformation?.left.find(({ why }) => why === 'id')?.name;
  const field = id === undefined ? undefined : fieldsOf(data).find(({ name }) => name === id);
  if (field === undefined) return undefined;
  const value = field.at(item);
  if (field.kind === 'number') return Number.isNaN(value) ? undefined : String(value);
  return field.categories[value];
}
