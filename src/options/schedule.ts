/**
 * A number that changes with the step, written as text: `linear(0,4,10000)`. Any numeric option may be one, so that β can be
 * warmed up, a capacity raised (Burgess et al. 2018) or a weight cycled (Fu et al. 2019) without code. A schedule is a
 * function of the step alone, so a resumed run has nothing to remember.
 */
import { UntangleError, unknownName } from '../errors.ts';

export type Schedule = Plain | { kind: 'warmup'; steps: number; next: Plain };

type Plain =
  | { kind: 'constant'; value: number }
  | { kind: 'linear'; from: number; to: number; steps: number }
  | { kind: 'cosine'; from: number; to: number; steps: number }
  | { kind: 'step'; value: number; factor: number; every: number }
  | { kind: 'cyclic'; low: number; high: number; period: number; rise: number };

/** What can be written, for help texts and error messages. */
export const scheduleForms = {
  constant: 'constant(value): the same at every step, as a plain number',
  linear: 'linear(from, to, steps): a straight line over the first steps, then `to`',
  cosine: 'cosine(from, to, steps): half a cosine wave over the first steps, then `to`',
  step: 'step(value, factor, every): times `factor` (above 0, at most 1) after every so many steps',
  cyclic:
    'cyclic(low, high, period, rise): a line over the share `rise` of each period, then `high` until it begins anew',
  warmup: 'warmup(steps, schedule): a line from 0 to where the schedule begins, then the schedule',
} as const;

/** The value at a step; the first step is 0. */
export function valueAt(schedule: Schedule, step: number): number {
  switch (schedule.kind) {
    case 'constant':
      return schedule.value;
    case 'linear':
      return between(schedule.from, schedule.to, step / schedule.steps);
    case 'cosine':
      return between(schedule.from, schedule.to, (1 - Math.cos(Math.PI * Math.min(1, step / schedule.steps))) / 2);
    case 'step':
      return schedule.value * schedule.factor ** Math.floor(step / schedule.every);
    case 'cyclic':
      return between(schedule.low, schedule.high, (step % schedule.period) / (schedule.rise * schedule.period));
    case 'warmup':
      if (step >= schedule.steps) return valueAt(schedule.next, step - schedule.steps);
      return between(0, valueAt(schedule.next, 0), step / schedule.steps);
  }
}

/** The least and the greatest value over all steps, to check a schedule against an option's range. */
export function rangeOf(schedule: Schedule): [number, number] {
  switch (schedule.kind) {
    case 'constant':
      return [schedule.value, schedule.value];
    case 'linear':
    case 'cosine':
      return sorted(schedule.from, schedule.to);
    case 'step':
      return schedule.factor === 1 ? [schedule.value, schedule.value] : sorted(schedule.value, 0);
    case 'cyclic':
      return sorted(schedule.low, schedule.high);
    case 'warmup': {
      const [least, greatest] = rangeOf(schedule.next);
      return [Math.min(0, least), Math.max(0, greatest)];
    }
  }
}

/**
 * Reads a schedule; a plain number is a constant one. `linear:0:4:10000` is the same as `linear(0,4,10000)`, and needs no quotes
 * in a shell.
 *
 * @example parseSchedule('warmup(500, cosine(1e-3, 1e-5, 20000))')
 */
export function parseSchedule(text: string): Schedule {
  const number = parseNumber(text);
  if (number !== undefined) return { kind: 'constant', value: number };
  const call = text.length > longest ? null : /^\s*([A-Za-z]+)\s*(?:\((.*)\)|:(.*))\s*$/s.exec(text);
  if (call === null)
    throw new UntangleError(`“${shorten(text)}” is neither a number nor a schedule.`, {
      kind: 'call',
      hint: 'Write a number such as 4, or a schedule such as linear(0,4,10000).',
    });
  const [, name, listed, shelled = ''] = call;
  const [inner, separator] = listed === undefined ? [shelled, ':'] : [listed, ','];
  if (!isForm(name)) throw unknownName('schedule', name, Object.keys(scheduleForms));
  if (name !== 'warmup') return plainOf(name, numbersOf(text, name, inner.split(separator)), text);
  const comma = inner.indexOf(separator);
  if (comma < 0) throw wrongForm(text, name, 'it takes a number of steps and a schedule');
  const [steps] = numbersOf(text, name, [inner.slice(0, comma)]);
  const next = parseSchedule(inner.slice(comma + 1));
  if (next.kind === 'warmup') throw wrongForm(text, name, 'one warm-up is enough');
  return { kind: 'warmup', steps: whole(steps, text, name), next };
}

/**
 * A schedule as text, which `parseSchedule` reads back to the same schedule.
 *
 * @example scheduleText({ kind: 'linear', from: 0, to: 4, steps: 10000 }) // 'linear(0,4,10000)'
 */
export function scheduleText(schedule: Schedule): string {
  if (schedule.kind === 'constant') return spell(schedule.value);
  if (schedule.kind === 'warmup') return `warmup(${schedule.steps},${scheduleText(schedule.next)})`;
  const { kind, ...numbers } = schedule;
  return `${kind}(${Object.values(numbers).map(spell).join(',')})`;
}

/** What a schedule looks like, as far as a pattern can tell. */
export const schedulePattern = `^(${Object.keys(scheduleForms).join('|')})(\\(.+\\)|:.+)$`;

/** Far longer than any schedule, and short enough to be refused at once. */
const longest = 500;

type Form = keyof typeof scheduleForms;

function plainOf(name: Exclude<Form, 'warmup'>, numbers: number[], text: string): Plain {
  const takes = (count: number) => {
    if (numbers.length !== count) throw wrongForm(text, name, `it takes ${count} numbers, not ${numbers.length}`);
  };
  switch (name) {
    case 'constant':
      takes(1);
      return { kind: name, value: numbers[0] };
    case 'linear':
    case 'cosine':
      takes(3);
      return { kind: name, from: numbers[0], to: numbers[1], steps: whole(numbers[2], text, name) };
    case 'step': {
      takes(3);
      const [value, factor, every] = numbers;
      if (!(factor > 0 && factor <= 1)) throw wrongForm(text, name, 'the factor must be above 0 and at most 1');
      return { kind: name, value, factor, every: whole(every, text, name) };
    }
    case 'cyclic': {
      takes(4);
      const [low, high, period, rise] = numbers;
      if (!(rise > 0 && rise <= 1)) throw wrongForm(text, name, 'the rise must be above 0 and at most 1');
      return { kind: name, low, high, period: whole(period, text, name), rise };
    }
  }
}

function numbersOf(text: string, name: Form, parts: string[]): number[] {
  return parts.map((part) => {
    const number = parseNumber(part);
    if (number === undefined) throw wrongForm(text, name, `“${part.trim()}” is not a number`);
    return number;
  });
}

function whole(steps: number, text: string, name: Form): number {
  if (Number.isSafeInteger(steps) && steps >= 1) return steps;
  throw wrongForm(text, name, `steps must be a whole number from 1 on, not ${steps}`);
}

function wrongForm(text: string, name: Form, reason: string): UntangleError {
  const hint = `It is written ${scheduleForms[name]}.`;
  return new UntangleError(`The schedule “${shorten(text.trim())}” can't be read: ${reason}.`, { kind: 'call', hint });
}

/** A finite number as people write it; undefined for anything else, such as the empty text or 0x10. */
function parseNumber(text: string): number | undefined {
  if (text.length > longest || !/^\s*[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?\s*$/i.test(text)) return undefined;
  const number = Number(text);
  return Number.isFinite(number) ? number : undefined;
}

/** The line from `from` to `to`, exact at both ends. */
function between(from: number, to: number, share: number): number {
  return share >= 1 ? to : from + (to - from) * share;
}

const spell = (number: number) => (Object.is(number, -0) ? '-0' : `${number}`);
const sorted = (a: number, b: number): [number, number] => (a < b ? [a, b] : [b, a]);
const isForm = (name: string): name is Form => Object.hasOwn(scheduleForms, name);
const shorten = (text: string) => (text.length > 60 ? `${text.slice(0, 60)}…` : text);
