/**
 * How a method declares its options: each with a meaning, a default and a range. One declaration gives the types in code, the
 * checks of `--set` and of files, the help text, and the form in the studio.
 */
import { UntangleError, unknownName } from '../errors.ts';
import { parseSchedule, rangeOf, type Schedule, scheduleForms, scheduleText } from './schedule.ts';

export interface NumberOption<Schedulable extends boolean = boolean> {
  kind: 'number';
  meaning: string;
  /** A number, or a schedule as text. */
  default: number | string;
  min?: number;
  max?: number;
  schedulable: Schedulable;
}

export interface IntegerOption {
  kind: 'integer';
  meaning: string;
  default: number;
  min?: number;
  max?: number;
}

export interface BooleanOption {
  kind: 'boolean';
  meaning: string;
  default: boolean;
}

export interface ChoiceOption<Choice extends string = string> {
  kind: 'choice';
  meaning: string;
  choices: readonly Choice[];
  default: Choice;
}

export interface TextOption {
  kind: 'text';
  meaning: string;
  default: string;
}

export interface ListOption<Item extends 'number' | 'integer' | 'text' = 'number' | 'integer' | 'text'> {
  kind: 'list';
  meaning: string;
  of: Item;
  default: readonly (Item extends 'text' ? string : number)[];
  /** The range of each item. */
  min?: number;
  max?: number;
}

export type Option = NumberOption | IntegerOption | BooleanOption | ChoiceOption | TextOption | ListOption;
export type Options = Readonly<Record<string, Option>>;

/** An option's value as files hold it: a schedule is text. */
export type StoredValue = number | boolean | string | (number | string)[];
export type StoredOptions = Record<string, StoredValue>;

/** The values as a method gets them. A schedulable number is a schedule, also when it is constant. */
export type OptionValues<S extends Options> = { [Name in keyof S]: ValueOf<S[Name]> };

type ValueOf<O> =
  O extends NumberOption<true>
    ? Schedule
    : O extends NumberOption | IntegerOption
      ? number
      : O extends BooleanOption
        ? boolean
        : O extends ChoiceOption<infer Choice>
          ? Choice
          : O extends TextOption
            ? string
            : O extends ListOption<infer Item>
              ? (Item extends 'text' ? string : number)[]
              : never;

interface Range {
  min?: number;
  max?: number;
}

/**
 * A number that may be put on a schedule, unless `schedulable` is false.
 *
 * @example number('weight of the KL divergence', { default: 4, min: 0 })
 */
export function number(
  meaning: string,
  facts: Range & { default: number | string; schedulable?: true },
): NumberOption<true>;
export function number(meaning: string, facts: Range & { default: number; schedulable: false }): NumberOption<false>;
export function number(
  meaning: string,
  facts: Range & { default: number | string; schedulable?: boolean },
): NumberOption {
  return { kind: 'number', meaning, schedulable: true, ...facts };
}

/** A whole number, such as a size; sizes are built into the graph, so they have no schedule. */
export function integer(meaning: string, facts: Range & { default: number }): IntegerOption {
  return { kind: 'integer', meaning, ...facts };
}

export function boolean(meaning: string, facts: { default: boolean }): BooleanOption {
  return { kind: 'boolean', meaning, ...facts };
}

/** @example choice('how pixels are drawn', ['bernoulli', 'gaussian'], { default: 'bernoulli' }) */
export function choice<const Choice extends string>(
  meaning: string,
  choices: readonly Choice[],
  facts: { default: NoInfer<Choice> },
): ChoiceOption<Choice> {
  return { kind: 'choice', meaning, choices, ...facts };
}

export function text(meaning: string, facts: { default: string }): TextOption {
  return { kind: 'text', meaning, ...facts };
}

/** @example list('channels of each layer', { of: 'integer', default: [32, 32, 64], min: 1 }) */
export function list<Item extends 'number' | 'integer' | 'text'>(
  meaning: string,
  facts: Range & { of: Item; default: ListOption<Item>['default'] },
): ListOption<Item> {
  return { kind: 'list', meaning, ...facts };
}

/** The default of every option. */
export function defaultsOf(schema: Options): StoredOptions {
  return checkOptions(
    schema,
    Object.fromEntries(Object.entries(schema).map(([name, option]) => [name, option.default])),
  );
}

/**
 * Checks given values, as from a file; an unknown name, a wrong type or a value out of range is an error. `what` says whose
 * options they are.
 *
 * @example checkOptions(schema, { bta: 4 }, 'option of beta-vae') // There is no option of beta-vae “bta”. Did you mean “beta”?
 */
export function checkOptions(schema: Options, given: Record<string, unknown>, what = 'option'): StoredOptions {
  return Object.fromEntries(
    Object.entries(given).map(([name, value]) => [name, checked(name, optionOf(schema, name, what), value)]),
  );
}

/**
 * Reads settings as they are typed after `--set`; a later one of the same name holds.
 *
 * @example parseSettings(schema, ['beta=linear(0,4,10000)', 'channels=32,64'])
 */
export function parseSettings(schema: Options, settings: readonly string[], what = 'option'): StoredOptions {
  return Object.fromEntries(
    settings.map((setting) => {
      const equals = setting.indexOf('=');
      if (equals < 1)
        throw new UntangleError(`“${shorten(setting)}” is not a setting.`, {
          kind: 'call',
          hint: 'Write a name and a value, such as beta=4.',
        });
      const name = setting.slice(0, equals).trim();
      const option = optionOf(schema, name, what);
      return [name, checked(name, option, untyped(option, setting.slice(equals + 1)))];
    }),
  );
}

/** The values as a method gets them, from checked ones that cover every option. */
export function optionValues<S extends Options>(schema: S, stored: StoredOptions): OptionValues<S> {
  const values = Object.entries(schema).map(([name, option]) => {
    const value = stored[name];
    return [name, option.kind === 'number' && option.schedulable ? parseSchedule(`${value}`) : value];
  });
  // `checked` has seen to it that each value is of its option's type.
  return Object.fromEntries(values) as OptionValues<S>;
}

/** Given values over the defaults, checked: what a program calls. */
export function parseOptions<S extends Options>(schema: S, given: Record<string, unknown> = {}, what = 'option') {
  return optionValues(schema, { ...defaultsOf(schema), ...checkOptions(schema, given, what) });
}

/** The options as a JSON schema, from which a form can be made. */
export function jsonSchemaOf(schema: Options): Record<string, unknown> {
  const properties = Object.entries(schema).map(([name, option]) => [
    name,
    { description: option.meaning, default: option.default, ...jsonTypeOf(option) },
  ]);
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    properties: Object.fromEntries(properties),
    additionalProperties: false,
  };
}

/** What an option takes, in words. */
export function expectation(option: Option): string {
  switch (option.kind) {
    case 'number':
      return `a number${rangeText(option)}${option.schedulable ? ', or a schedule such as linear(0,1,1000)' : ''}`;
    case 'integer':
      return `a whole number${rangeText(option)}`;
    case 'boolean':
      return 'true or false';
    case 'choice':
      return `one of ${option.choices.join(', ')}`;
    case 'text':
      return 'text';
    case 'list': {
      const items = { number: 'numbers', integer: 'whole numbers', text: 'texts' }[option.of];
      return `a list of ${items}${rangeText(option)}, such as ${option.default.join(',') || (option.of === 'text' ? 'a,b' : '1,2')}`;
    }
  }
}

function optionOf(schema: Options, name: string, what: string): Option {
  if (!Object.hasOwn(schema, name)) throw unknownName(what, shorten(name), Object.keys(schema));
  return schema[name];
}

/** A value in its stored form, or an error that says what was expected. */
function checked(name: string, option: Option, value: unknown): StoredValue {
  const wrong = () =>
    new UntangleError(`The option “${name}” takes ${expectation(option)}; ${spell(value)} is not that.`, {
      kind: 'call',
    });
  switch (option.kind) {
    case 'number':
      if (typeof value === 'string' && option.schedulable) return checkedSchedule(name, value, option, wrong);
      if (!isNumber(value, option)) throw wrong();
      return value;
    case 'integer':
      if (!isInteger(value, option)) throw wrong();
      return value;
    case 'boolean':
      if (typeof value !== 'boolean') throw wrong();
      return value;
    case 'choice':
      if (typeof value !== 'string') throw wrong();
      if (!option.choices.includes(value)) throw unknownName(name, shorten(value), option.choices);
      return value;
    case 'text':
      if (typeof value !== 'string') throw wrong();
      return value;
    case 'list': {
      if (!Array.isArray(value)) throw wrong();
      const items = value.filter((item): item is number | string => fits[option.of](item, option));
      if (items.length < value.length) throw wrong();
      return items;
    }
  }
}

function checkedSchedule(name: string, value: string, option: NumberOption, wrong: () => Error): number | string {
  let schedule: Schedule;
  try {
    schedule = parseSchedule(value);
  } catch (error) {
    if (!(error instanceof UntangleError)) throw error;
    throw new UntangleError(`The option “${name}” is wrong. ${error.message}`, { kind: 'call', hint: error.hint });
  }
  const [least, greatest] = rangeOf(schedule);
  if (!isNumber(least, option) || !isNumber(greatest, option)) throw wrong();
  return schedule.kind === 'constant' ? schedule.value : scheduleText(schedule);
}

/** What a text that was typed means for an option; a text that means nothing stays text, and is refused by the check. */
function untyped(option: Option, typed: string): unknown {
  const value = typed.trim();
  const numberOr = (item: string) => (item !== '' && Number.isFinite(Number(item)) ? Number(item) : item);
  switch (option.kind) {
    case 'number':
    case 'integer':
      return numberOr(value);
    case 'boolean':
      return value === 'true' ? true : value === 'false' ? false : value;
    case 'list': {
      const inner = /^\[(.*)\]$/s.exec(value)?.[1] ?? value;
      const items = inner.trim() === '' ? [] : inner.split(',').map((item) => item.trim());
      return option.of === 'text' ? items : items.map(numberOr);
    }
    default:
      return value;
  }
}

function jsonTypeOf(option: Option): Record<string, unknown> {
  const range = 'min' in option || 'max' in option ? { minimum: option.min, maximum: option.max } : {};
  switch (option.kind) {
    case 'number': {
      const plain = { type: 'number', ...range };
      const schedule = { type: 'string', pattern: `^(${Object.keys(scheduleForms).join('|')})\\(.+\\)$` };
      return option.schedulable ? { anyOf: [plain, schedule] } : plain;
    }
    case 'integer':
      return { type: 'integer', ...range };
    case 'boolean':
      return { type: 'boolean' };
    case 'choice':
      return { enum: option.choices };
    case 'text':
      return { type: 'string' };
    case 'list':
      return { type: 'array', items: { type: option.of === 'text' ? 'string' : option.of, ...range } };
  }
}

const isNumber = (value: unknown, { min = -Infinity, max = Infinity }: Range): value is number =>
  typeof value === 'number' && Number.isFinite(value) && value >= min && value <= max;
const isInteger = (value: unknown, range: Range): value is number =>
  isNumber(value, range) && Number.isSafeInteger(value);
const fits = { number: isNumber, integer: isInteger, text: (value: unknown) => typeof value === 'string' };

function rangeText({ min, max }: Range): string {
  if (min === undefined) return max === undefined ? '' : ` up to ${max}`;
  return max === undefined ? ` from ${min} on` : ` from ${min} to ${max}`;
}

const spell = (value: unknown) =>
  typeof value === 'string' ? `“${shorten(value)}”` : shorten(JSON.stringify(value) ?? 'nothing');
const shorten = (value: string) => (value.length > 60 ? `${value.slice(0, 60)}…` : value);
