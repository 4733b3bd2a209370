/** How settings are declared: one schema from which flags, files, forms, docs and types are read. */

export { checkOptions, defaultsOf, optionValues, parseFlags, parseOptions, parseSettings } from './check.ts';
export { expectation, isSchedulable, jsonSchemaOf, type Property, propertyOf } from './describe.ts';
export { type Layers, resolveOptions } from './layers.ts';
export {
  boolean,
  choice,
  integer,
  list,
  names,
  number,
  type Option,
  type Options,
  type OptionValues,
  required,
  type StoredOptions,
  type StoredValue,
  text,
  withDefault,
} from './options.ts';
export {
  choiceOf,
  type DataValues,
  dataOptions,
  type LabelValues,
  labelOptions,
  type RequestValues,
  requestOptions,
  trainOptions,
} from './request.ts';
export { parseSchedule, rangeOf, type Schedule, scheduleForms, scheduleText, valueAt } from './schedule.ts';
