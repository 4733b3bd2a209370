/**
 * How settings are declared: each is a zod schema with a meaning, a default and a range. It reads a value as files hold it, and
 * gives it as code takes it; the two differ where a number may be on a schedule.
 */
import { z } from 'zod';
import { parseSchedule, rangeOf, type Schedule, schedulePattern, scheduleText } from './schedule.ts';

/** An option's value as files hold it: a schedule is text. */
export type StoredValue = number | boolean | string | null | (number | string)[] | { [name: string]: string };
export type StoredOptions = Record<string, StoredValue>;

/** One setting, whose values in code are of type `Value`. */
export type Option<Value = unknown> = z.ZodType<Value>;
export type Options = Readonly<Record<string, Option>>;

/** The values as code gets them. A number that may be on a schedule is a schedule, also when it is constant. */
export type OptionValues<S extends Options> = { [Name in keyof S]: z.output<S[Name]> };

interface Range {
  min?: number;
  max?: number;
  /** The greatest number that is too small. */
  above?: number;
}

/** Without a default an option may be left away; with the default null it may be null. */
type None = null | undefined;

/**
 * A number that may be put on a schedule, unless `schedulable` is false.
 *
 * @example number('weight of the KL divergence', { default: 4, min: 0 })
 */
export function number(
  meaning: string,
  facts: Range & { default: number | string; schedulable?: true },
): Option<Schedule>;
export function number<Default extends number | None = undefined>(
  meaning: string,
  facts: Range & { default?: Default; schedulable: false },
): Option<number | Extract<Default, None>>;
export function number(
  meaning: string,
  facts: Range & { default?: number | string | None; schedulable?: boolean },
): Option {
  const plain = within(z.number(), facts);
  return declared<unknown, unknown>(facts.schedulable === false ? plain : scheduled(plain), meaning, facts);
}

/** A whole number, such as a size; sizes are built into the graph, so they have no schedule. */
export function integer<Default extends number | None = undefined>(
  meaning: string,
  { title, ...facts }: Range & { default?: Default; title?: string } = {},
) {
  return declared(within(z.int(), facts).meta({ title }), meaning, facts);
}

export function boolean<Default extends boolean | None = undefined>(
  meaning: string,
  facts: { default?: Default } = {},
) {
  return declared(z.boolean(), meaning, facts);
}

/**
 * One of some texts; a function gives those that there are when a value is read.
 *
 * @example choice('how pixels are drawn', ['bernoulli', 'gaussian'], { default: 'bernoulli' })
 */
export function choice<const Choice extends string>(
  meaning: string,
  choices: readonly Choice[] | (() => readonly Choice[]),
  facts: { default: NoInfer<Choice> },
): Option<Choice>;
export function choice<const Choice extends string>(
  meaning: string,
  choices: readonly Choice[],
): Option<Choice | undefined>;
export function choice(
  meaning: string,
  choices: readonly string[] | (() => readonly string[]),
  facts: { default?: string } = {},
): Option {
  return declared(typeof choices === 'function' ? oneOf(choices) : z.enum(choices), meaning, facts);
}

/** A text among those that there are by now, which the schema tells whenever it is asked. */
function oneOf(choices: () => readonly string[]): z.ZodType<string> {
  const meta = {
    get enum() {
      return [...choices()];
    },
  };
  return z
    .string()
    .refine((value) => choices().includes(value))
    .meta(meta);
}

/** A text. With a title it is the name or place of such a thing, as of a folder, and can't be empty. */
export function text<Default extends string | None = undefined>(
  meaning: string,
  { title, ...facts }: { default?: Default; title?: string } = {},
) {
  return declared(title === undefined ? z.string() : z.string().min(1).meta({ title }), meaning, facts);
}

/** A list with at least `least` items; the title says what they are. @example list('channels of each layer', { of: 'integer', default: [32, 32, 64], min: 1 }) */
export function list<
  Item extends 'number' | 'integer' | 'text',
  Default extends readonly ItemOf<Item>[] | None = undefined,
>(meaning: string, facts: Range & { of: Item; default?: Default; least?: number; title?: string }) {
  const { of, least, title, ...range } = facts;
  const item = of === 'text' ? z.string() : within(of === 'integer' ? z.int() : z.number(), range);
  // What `of` names is the type of the items.
  const items = z.array(item as unknown as z.ZodType<ItemOf<Item>>).meta({ title });
  return declared(least === undefined ? items : items.min(least), meaning, facts);
}

type ItemOf<Item> = Item extends 'text' ? string : number;

/** Texts by name. @example names('the block that each factor belongs to', { default: {} }) */
export function names(meaning: string, facts: { default: Record<string, string> }) {
  return declared(z.record(z.string(), z.string()), meaning, facts);
}

/** The same option with another default. */
export function withDefault<O extends Option>(option: O, standard: StoredValue): O {
  const changed: Option = option;
  // A default changes nothing about what an option gives.
  return changed.prefault(standard) as Option as O;
}

/** The same option, which must be given. */
export function required<Value>(option: Option<Value>): Option<Exclude<Value, undefined>> {
  // Without a default, what is declared may be left away; this is what it is when it is not.
  return (option as unknown as z.ZodOptional<Option<Exclude<Value, undefined>>>).unwrap();
}

function declared<Value, Default>(type: z.ZodType<Value>, meaning: string, facts: { default?: Default }) {
  const { default: standard } = facts;
  const option =
    standard === undefined
      ? type.describe(meaning).optional()
      : (standard === null ? type.nullable() : type).describe(meaning).prefault(standard);
  // What it gives may be missing exactly if the default is.
  return option as Option<Value | Extract<Default, None>>;
}

function within<T extends z.ZodNumber>(type: T, { min = -Infinity, max = Infinity, above = -Infinity }: Range): T {
  let checked = type;
  if (min > -Infinity) checked = checked.min(min);
  if (max < Infinity) checked = checked.max(max);
  if (above > -Infinity) checked = checked.gt(above);
  return checked;
}

/** A schedule that stays inside the range of a number; a number is a constant one. */
function scheduled(plain: z.ZodNumber) {
  const stored = z.union([plain, z.string().meta({ pattern: schedulePattern })]);
  return z.codec(stored, z.custom<Schedule>(), {
    decode(value, { issues }) {
      const schedule = parseSchedule(`${value}`);
      if (!rangeOf(schedule).every((end) => plain.safeParse(end).success))
        issues.push({ code: 'custom', input: value, message: 'it leaves the range' });
      return schedule;
    },
    encode: (schedule) => (schedule.kind === 'constant' ? schedule.value : scheduleText(schedule)),
  });
}
