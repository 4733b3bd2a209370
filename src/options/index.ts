/** How settings are declared: one schema from which flags, files, forms, docs and types are read. */

export { type Layers, resolveOptions } from './layers.ts';
export {
  type BooleanOption,
  boolean,
  type ChoiceOption,
  checkOptions,
  choice,
  defaultsOf,
  expectation,
  type IntegerOption,
  integer,
  jsonSchemaOf,
  type ListOption,
  list,
  type NumberOption,
  number,
  type Option,
  type Options,
  type OptionValues,
  optionValues,
  parseOptions,
  parseSettings,
  type StoredOptions,
  type StoredValue,
  type TextOption,
  text,
} from './options.ts';
export { parseSchedule, rangeOf, type Schedule, scheduleForms, scheduleText, valueAt } from './schedule.ts';
