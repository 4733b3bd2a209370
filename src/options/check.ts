/** Reads settings by their schema: as a program or a file gives them, and as they are typed after `--set`. */
import { UntangleError, unknownName } from '../errors.ts';
import { flagOf } from '../shell.ts';
import { expectation, propertyOf } from './describe.ts';
import type { Option, Options, OptionValues, StoredOptions, StoredValue } from './options.ts';

/** The default of every option that has one. */
export function defaultsOf(schema: Options): StoredOptions {
  return checkOptions(
    schema,
    Object.fromEntries(Object.entries(schema).map(([name, option]) => [name, propertyOf(option).default])),
  );
}

/**
 * Checks given values, as from a file; an unknown name, a wrong type or a value out of range is an error. What is undefined
 * counts as not given. `what` says whose options they are.
 *
 * @example checkOptions(schema, { bta: 4 }, 'option of beta-vae') // There is no option of beta-vae “bta”. Did you mean “beta”?
 */
export function checkOptions(schema: Options, given: Record<string, unknown>, what = 'option'): StoredOptions {
  const entries = Object.entries(given).filter(([, value]) => value !== undefined);
  return Object.fromEntries(
    entries.map(([name, value]) => {
      const option = optionOf(schema, name, what);
      // Encoding gives what a file holds, by the option's own type.
      return [
        name,
        option.encode(read(name, option, value, `The option “${name}”${what.replace(/^option/, '')}`)) as StoredValue,
      ];
    }),
  );
}

/**
 * Reads settings as they are typed after `--set`; a later one of the same name holds.
 *
 * @example parseSettings(schema, ['beta=linear(0,4,10000)', 'channels=32,64'])
 */
export function parseSettings(schema: Options, settings: readonly string[], what = 'option'): StoredOptions {
  const typed = settings.map((setting): [string, unknown] => {
    const equals = setting.indexOf('=');
    if (equals < 1)
      throw new UntangleError(`“${shorten(setting)}” is not a setting.`, {
        kind: 'call',
        hint: 'Write a name and a value, such as beta=4.',
      });
    const name = setting.slice(0, equals).trim();
    return [name, untyped(optionOf(schema, name, what), setting.slice(equals + 1))];
  });
  return Object.assign({}, ...typed.map(([name, value]) => checkOptions(schema, { [name]: value }, what)));
}

/** The values as code gets them, from stored ones; what is not stored has its default. */
export function optionValues<S extends Options>(schema: S, stored: Record<string, unknown>): OptionValues<S> {
  const values = Object.entries(schema).map(([name, option]) => [name, read(name, option, stored[name])]);
  // Each option has given a value of its own type.
  return Object.fromEntries(values) as OptionValues<S>;
}

/** Given values over the defaults, checked: what a program calls. */
export function parseOptions<S extends Options>(schema: S, given: Record<string, unknown> = {}, what = 'option') {
  return optionValues(schema, checkOptions(schema, given, what));
}

/** The values of the flags that are given, by the options that they set; other flags are left out. */
export function parseFlags<S extends Options>(schema: S, flags: object): Partial<OptionValues<S>> {
  const given = Object.entries(flags).filter(([name, value]) => Object.hasOwn(schema, name) && value !== undefined);
  const values = given.map(([name, typed]) => {
    const value = typeof typed === 'string' ? untyped(schema[name], typed) : typed;
    return [name, read(name, schema[name], value, flagOf(name))];
  });
  // Each option has given a value of its own type.
  return Object.fromEntries(values) as Partial<OptionValues<S>>;
}

function optionOf(schema: Options, name: string, what: string): Option {
  if (!Object.hasOwn(schema, name)) throw unknownName(what, shorten(name), Object.keys(schema));
  return schema[name];
}

/** The value as code gets it, or an error that says what was expected. */
function read(name: string, option: Option, stored: unknown, called = `The option “${name}”`): unknown {
  try {
    const { success, data } = option.safeParse(stored);
    if (success) return data;
  } catch (error) {
    // A schedule says itself what is wrong with it.
    if (!(error instanceof UntangleError)) throw error;
    throw new UntangleError(`${called} is wrong. ${error.message}`, { kind: 'call', hint: error.hint });
  }
  const { enum: choices } = propertyOf(option);
  if (choices && typeof stored === 'string') throw unknownName(name, shorten(stored), choices);
  throw new UntangleError(`${called} takes ${expectation(option)}; ${spell(stored)} is not that.`, {
    kind: 'call',
  });
}

/** What a text that was typed means for an option; a text that means nothing stays text, and is refused by the check. */
function untyped(option: Option, typed: string): unknown {
  const value = typed.trim();
  const property = propertyOf(option);
  const kinds = (property.anyOf ?? [property]).map(({ type }) => type);
  if (kinds.includes('null') && value === 'null') return null;
  switch (kinds[0]) {
    case 'number':
    case 'integer':
      return numberOr(value);
    case 'boolean':
      return value === 'true' ? true : value === 'false' ? false : value;
    case 'array': {
      const inner = /^\[(.*)\]$/s.exec(value)?.[1] ?? value;
      const items = inner.trim() === '' ? [] : inner.split(',').map((item) => item.trim());
      return property.items?.type === 'string' ? items : items.map(numberOr);
    }
    default:
      return value;
  }
}

const numberOr = (text: string) => (text !== '' && Number.isFinite(Number(text)) ? Number(text) : text);
const spell = (value: unknown) =>
  typeof value === 'string' ? `“${shorten(value)}”` : shorten(JSON.stringify(value) ?? 'nothing');
const shorten = (value: string) => (value.length > 60 ? `${value.slice(0, 60)}…` : value);
