import fc from 'fast-check';
import { expect, test } from 'vitest';
import { UntangleError } from '../errors.ts';
import { parseSchedule, rangeOf, type Schedule, scheduleText, valueAt } from './schedule.ts';

const values = (text: string, steps: number[]) => steps.map((step) => valueAt(parseSchedule(text), step));

const number = fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e6, max: 1e6 });
const steps = fc.integer({ min: 1, max: 100_000 });
const share = fc.double({ min: 0.001, max: 1, noNaN: true });
const plain = fc.oneof(
  fc.record({ kind: fc.constant('constant' as const), value: number }),
  fc.record({ kind: fc.constantFrom('linear' as const, 'cosine' as const), from: number, to: number, steps }),
  fc.record({ kind: fc.constant('step' as const), value: number, factor: share, every: steps }),
  fc.record({ kind: fc.constant('cyclic' as const), low: number, high: number, period: steps, rise: share }),
);
const schedule: fc.Arbitrary<Schedule> = fc.oneof(
  plain,
  fc.record({ kind: fc.constant('warmup' as const), steps, next: plain }),
);

test('a plain number is the same at every step', () => {
  expect(values('4', [0, 1, 1e9])).toEqual([4, 4, 4]);
  expect(values(' -1.5e-3 ', [7])).toEqual([-0.0015]);
  expect(values('constant(2)', [0, 5])).toEqual([2, 2]);
});

test('colons in the place of brackets say the same, and need no quotes in a shell', () => {
  for (const text of ['linear(0,4,10000)', 'step(1, 0.5, 100)', 'warmup(500,cosine(1e-3,-1e-5,20000))', 'warmup(5,3)'])
    expect(parseSchedule(text.replace(/[(,]/g, ':').replaceAll(')', ''))).toEqual(parseSchedule(text));
  expect(() => parseSchedule('linear:0:4')).toThrow("“linear:0:4” can't be read: it takes 3 numbers, not 2.");
  expect(() => parseSchedule('linaer:0:4:9')).toThrow('There is no schedule “linaer”.');
});

test('linear goes from its first value to its second, and stays there', () => {
  expect(values('linear(0,4,10000)', [0, 2500, 5000, 10000, 99999])).toEqual([0, 1, 2, 4, 4]);
  expect(values('linear(3, 1, 4)', [0, 1, 2, 3, 4])).toEqual([3, 2.5, 2, 1.5, 1]);
});

test('cosine leaves and arrives slowly', () => {
  const [start, quarter, middle, end, after] = values('cosine(1,0,100)', [0, 25, 50, 100, 500]);
  expect([start, end, after]).toEqual([1, 0, 0]);
  expect(quarter).toBeCloseTo((1 + Math.SQRT1_2) / 2, 14);
  expect(middle).toBeCloseTo(0.5, 14);
});

test('step multiplies by its factor every so many steps', () => {
  expect(values('step(8,0.5,100)', [0, 99, 100, 250, 399])).toEqual([8, 8, 4, 2, 1]);
});

test('cyclic rises in the first part of each period, then holds', () => {
  expect(values('cyclic(0,1,100,0.5)', [0, 25, 50, 99, 100, 125, 150])).toEqual([0, 0.5, 1, 1, 0, 0.5, 1]);
});

test('a warm-up leads from 0 to where its schedule begins', () => {
  expect(values('warmup(10, linear(2,1,10))', [0, 5, 10, 15, 20, 30])).toEqual([0, 1, 2, 1.5, 1, 1]);
  expect(values('warmup(4,2)', [0, 1, 4, 9])).toEqual(values('linear(0,2,4)', [0, 1, 4, 9]));
});

test('every schedule can be written down and read back', () => {
  fc.assert(
    fc.property(schedule, (given) => {
      expect(parseSchedule(scheduleText(given))).toEqual(given);
    }),
  );
});

test('a schedule stays in the range that it is checked by', () => {
  fc.assert(
    fc.property(schedule, fc.nat({ max: 300_000 }), (given, step) => {
      const [least, greatest] = rangeOf(given);
      const value = valueAt(given, step);
      const slack = 1e-9 * Math.max(1, Math.abs(least), Math.abs(greatest));
      expect(value).toBeGreaterThanOrEqual(least - slack);
      expect(value).toBeLessThanOrEqual(greatest + slack);
    }),
  );
});

test('a schedule that can’t be read is refused with a sentence and its form', () => {
  const sentence = (text: string) => {
    try {
      return scheduleText(parseSchedule(text));
    } catch (error) {
      if (error instanceof UntangleError) return `${error.message} ${error.hint}`;
      throw error;
    }
  };
  expect(sentence('linear(0,4)')).toBe(
    "The schedule “linear(0,4)” can't be read: it takes 3 numbers, not 2. It is written linear(from, to, steps): a straight line over the first steps, then `to`.",
  );
  expect(sentence('liner(0,4,10)')).toContain('There is no schedule “liner”. Did you mean “linear”?');
  expect(sentence('linear(0,x,10)')).toContain('“x” is not a number');
  expect(sentence('linear(0,4,1.5)')).toContain('steps must be a whole number from 1 on, not 1.5');
  expect(sentence('step(1,2,10)')).toContain('the factor must be above 0 and at most 1');
  expect(sentence('cyclic(0,1,10,0)')).toContain('the rise must be above 0 and at most 1');
  expect(sentence('warmup(10)')).toContain('it takes a number of steps and a schedule');
  expect(sentence('warmup(10,warmup(10,1))')).toContain('one warm-up is enough');
  expect(sentence('constructor(1)')).toContain('There is no schedule “constructor”');
  for (const text of ['', 'four', '0x10', 'Infinity', 'linear(0,4,10', '1e999', 'linear'.repeat(10_000)])
    expect(sentence(text)).toContain('is neither a number nor a schedule. Write a number such as 4');
});

test('no text whatever breaks the reader', () => {
  const piece = fc.constantFrom('linear', 'warmup', '(', ')', ',', '1', '-', '.', 'e', ' ', 'step', '\n', '__proto__');
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 20 }), (pieces) => {
      try {
        expect(Number.isFinite(valueAt(parseSchedule(pieces.join('')), 3))).toBe(true);
      } catch (error) {
        expect(error).toBeInstanceOf(UntangleError);
      }
    }),
  );
});
