/**
 * The language of conditions, which says which items are meant: `class in t-CS-s,t-SC-s`, `age >= 30 and not smoker = yes`,
 * `label in 3,5 or (scale < 2 and shape = 1)`. It works on labels, factors and columns.
 *
 *     condition  = all { "or" all }
 *     all        = one { "and" one }
 *     one        = "not" one | "(" condition ")" | comparison
 *     comparison = name ( "=" | "!=" | "<" | "<=" | ">" | ">=" ) value | name [ "not" ] "in" value { "," value }
 *
 * Names and values stand as they are, or in quotes where they hold blanks or signs. A missing value meets no comparison.
 */
import { UntangleError, unknownName } from '../../errors.ts';
import type { Dataset } from '../dataset.ts';
import { type Field, fieldsOf } from '../fields.ts';
import { type Operator, type Token, tokenise, unreadable } from './condition-tokens.ts';

export type Condition =
  | { kind: 'or' | 'and'; parts: Condition[] }
  | { kind: 'not'; part: Condition }
  | { kind: 'among'; field: string; values: string[]; negated: boolean }
  | { kind: 'order'; field: string; operator: '<' | '<=' | '>' | '>='; value: string };

/**
 * The items of a dataset that meet a condition, in their order; an error where none does.
 *
 * @example select(mice, 'class in c-CS-s,c-SC-s')
 */
export function select(data: Dataset, text: string): Uint32Array {
  return selectAmong(data.name, data.length, fieldsOf(data), text);
}

/** The same for `length` items of something called `name` that has the given fields. */
export function selectAmong(name: string, length: number, fields: readonly Field[], text: string): Uint32Array {
  const meets = compile(parseCondition(text), fields);
  const found: number[] = [];
  for (let item = 0; item < length; item++) if (meets(item)) found.push(item);
  if (found.length === 0)
    throw new UntangleError(`None of the ${length} items of ${name} meets the condition “${text}”.`, { kind: 'call' });
  return Uint32Array.from(found);
}

/** Whether an item meets the condition, ready to be asked of many items. */
function compile(condition: Condition, fields: readonly Field[]): (item: number) => boolean {
  switch (condition.kind) {
    case 'or': {
      const parts = condition.parts.map((part) => compile(part, fields));
      return (item) => parts.some((part) => part(item));
    }
    case 'and': {
      const parts = condition.parts.map((part) => compile(part, fields));
      return (item) => parts.every((part) => part(item));
    }
    case 'not': {
      const part = compile(condition.part, fields);
      return (item) => !part(item);
    }
    case 'among':
      return among(fieldNamed(condition.field, fields), condition.values, condition.negated);
    case 'order':
      return ordered(fieldNamed(condition.field, fields), condition.operator, condition.value);
  }
}

/** The names that a condition asks about. */
export function namesIn(condition: Condition): string[] {
  if ('parts' in condition) return condition.parts.flatMap(namesIn);
  if ('part' in condition) return namesIn(condition.part);
  return [condition.field];
}

/** Reads a condition; an error points at the place that was not understood and says what was expected there. */
export function parseCondition(text: string): Condition {
  const tokens = tokenise(text);
  let next = 0;
  let depth = 0;
  const condition = either();
  if (tokens[next].kind !== 'end') fail('“and”, “or” or the end');
  return condition;

  function either(): Condition {
    const parts = [all()];
    while (taken('keyword', 'or')) parts.push(all());
    return parts.length === 1 ? parts[0] : { kind: 'or', parts };
  }

  function all(): Condition {
    const parts = [one()];
    while (taken('keyword', 'and')) parts.push(one());
    return parts.length === 1 ? parts[0] : { kind: 'and', parts };
  }

  function one(): Condition {
    if (++depth > 200) fail('fewer brackets and “not”s');
    const condition = taken('keyword', 'not') ? negation() : taken('sign', '(') ? bracket() : comparison();
    depth--;
    return condition;
  }

  function negation(): Condition {
    return { kind: 'not', part: one() };
  }

  function bracket(): Condition {
    const inner = either();
    if (!taken('sign', ')')) fail('“and”, “or” or “)”');
    return inner;
  }

  function comparison(): Condition {
    const field = word('a name, “not” or “(”');
    if (taken('keyword', 'in')) return { kind: 'among', field, values: list(), negated: false };
    if (taken('keyword', 'not')) {
      if (!taken('keyword', 'in')) fail('“in”');
      return { kind: 'among', field, values: list(), negated: true };
    }
    const operator = operators.find((sign) => taken('sign', sign));
    if (operator === undefined) return fail('=, !=, <, <=, >, >= or “in”');
    const value = word('a value');
    if (operator === '=' || operator === '!=')
      return { kind: 'among', field, values: [value], negated: operator === '!=' };
    return { kind: 'order', field, operator, value };
  }

  function list(): string[] {
    const bracketed = taken('sign', '(');
    const values = [word('a value')];
    while (taken('sign', ',')) values.push(word('a value'));
    if (bracketed && !taken('sign', ')')) fail('“,” or “)”');
    return values;
  }

  function word(expected: string): string {
    const token = tokens[next];
    if (token.kind !== 'word') return fail(expected);
    next++;
    return token.value;
  }

  function taken(kind: Token['kind'], value: string): boolean {
    if (tokens[next].kind !== kind || tokens[next].value !== value) return false;
    next++;
    return true;
  }

  function fail(expected: string): never {
    throw unreadable(text, tokens[next], expected);
  }
}

const operators: readonly Operator[] = ['=', '!=', '<', '<=', '>', '>='];

function fieldNamed(name: string, fields: readonly Field[]): Field {
  const found =
    fields.find((field) => field.name === name) ??
    fields.find((field) => field.name.toLowerCase() === name.toLowerCase());
  if (found) return found;
  if (fields.length === 0)
    throw new UntangleError(`The condition asks for “${name}”, but the data has no labels, factors or columns.`, {
      kind: 'call',
    });
  throw unknownName(
    'field',
    name,
    fields.map((field) => field.name),
  );
}

function among(field: Field, values: readonly string[], negated: boolean): (item: number) => boolean {
  if (field.kind === 'text') {
    const wanted = new Set(values.map((value) => categoryOf(field, value)));
    return (item) => {
      const code = field.at(item);
      return code >= 0 && wanted.has(code) !== negated;
    };
  }
  const wanted = new Set(values.map((value) => numberFor(field, value)));
  return (item) => {
    const value = field.at(item);
    return !Number.isNaN(value) && wanted.has(value) !== negated;
  };
}

function ordered(field: Field, operator: '<' | '<=' | '>' | '>=', text: string): (item: number) => boolean {
  const limit = numberFor(field, text);
  const value = numbersOf(field);
  switch (operator) {
    case '<':
      return (item) => value(item) < limit;
    case '<=':
      return (item) => value(item) <= limit;
    case '>':
      return (item) => value(item) > limit;
    case '>=':
      return (item) => value(item) >= limit;
  }
}

/** The category that a value names, also where both are numbers written differently (3 and 3.0). */
function categoryOf(field: Field & { kind: 'text' }, value: string): number {
  const exact = field.categories.indexOf(value);
  if (exact >= 0) return exact;
  const number = value === '' ? Number.NaN : Number(value);
  const equal = field.categories.findIndex((category) => category !== '' && Number(category) === number);
  if (equal >= 0) return equal;
  throw unknownName(`value of ${field.name}`, value, field.categories.slice(0, 30));
}

/** An item's value as a number; classes that are all numbers, such as digits, may be compared as such. */
function numbersOf(field: Field): (item: number) => number {
  if (field.kind === 'number') return (item) => field.at(item);
  const numbers = field.categories.map((category) => (category === '' ? Number.NaN : Number(category)));
  if (numbers.some(Number.isNaN))
    throw new UntangleError(`${field.name} holds names, which are neither smaller nor larger than one another.`, {
      kind: 'call',
      hint: `Use = or “in”: its values are ${field.categories.slice(0, 10).join(', ')}.`,
    });
  return (item) => (field.at(item) < 0 ? Number.NaN : numbers[field.at(item)]);
}

function numberFor(field: Field, text: string): number {
  const number = text === '' ? Number.NaN : Number(text);
  if (Number.isNaN(number))
    throw new UntangleError(`The condition compares ${field.name} with “${text}”, which is not a number.`, {
      kind: 'call',
    });
  return field.kind === 'number' && field.single ? Math.fround(number) : number;
}
