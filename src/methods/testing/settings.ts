/** A method's settings with the first number of each schedule in its place; names that are not its own are left out. */
import { type Options, optionValues, type Schedule, valueAt } from '../../options/index.ts';
import { scalar } from '../../tensor/index.ts';
import type { Settings } from '../method.ts';

export function constantSettings<S extends Options>(schema: S, given: Record<string, unknown>): Settings<S> {
  const values = Object.entries(optionValues(schema, given)).map(([name, value]) => [
    name,
    isSchedule(value) ? scalar(valueAt(value, 0)) : value,
  ]);
  // Exactly the schedules are tensors, as a method expects them.
  return Object.fromEntries(values) as Settings<S>;
}

const isSchedule = (value: unknown): value is Schedule =>
  typeof value === 'object' && value !== null && 'kind' in value;
