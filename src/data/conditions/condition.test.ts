import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { UntangleError } from '../../errors.ts';
import type { Dataset } from '../dataset.ts';
import { withFields } from '../fields.ts';
import { type Condition, namesIn, parseCondition, select } from './condition.ts';

/** Six people: labels, a factor in single precision, and columns with missing values. */
function people(): Dataset {
  const ages = [20, 30, 40, 50, Number.NaN, 60];
  const sites = ['New York', 'Bonn', "Land's End"];
  const site = [0, 1, 2, -1, 1, 0];
  return withFields(
    {
      name: 'people',
      title: 'People',
      shape: { kind: 'table', columns: ['x'] },
      range: 'real',
      length: 6,
      fingerprint: 'none',
      gather: (indices, out = new Float32Array(indices.length)) => out,
      labels: { names: ['0', '3', '5'], values: Uint16Array.of(0, 1, 2, 0, 1, 2) },
      factors: {
        factors: [{ name: 'tilt', kind: 'continuous', size: 0 }],
        values: Float32Array.of(0.1, 0.2, 0.3, 0.1, 0.2, 0.3),
      },
    },
    [
      { kind: 'number', name: 'age', at: (item) => ages[item] },
      { kind: 'text', name: 'site', categories: sites, at: (item) => site[item] },
    ],
  );
}

const chosen = (condition: string) => [...select(people(), condition)];

describe('what a condition can say', () => {
  test('one of several labels', () => {
    expect(chosen('label in 3,5')).toEqual([1, 2, 4, 5]);
    expect(chosen('label in (3, 5)')).toEqual([1, 2, 4, 5]);
    expect(chosen('label not in 3,5')).toEqual([0, 3]);
  });

  test('comparisons of numbers, also of labels that are digits', () => {
    expect(chosen('age >= 30')).toEqual([1, 2, 3, 5]);
    expect(chosen('age<30')).toEqual([0]);
    expect(chosen('label > 0')).toEqual([1, 2, 4, 5]);
    expect(chosen('label = 3.0')).toEqual([1, 4]);
    expect(chosen('age ≥ 30 and age <> 50')).toEqual([1, 2, 5]);
  });

  test('a factor in single precision equals the number as it is written', () => {
    expect(chosen('tilt = 0.1')).toEqual([0, 3]);
    expect(chosen('tilt <= 0.2')).toEqual([0, 1, 3, 4]);
  });

  test('and binds before or, and brackets before both', () => {
    expect(chosen('label = 0 or label = 3 and age > 20')).toEqual([0, 1, 3]);
    expect(chosen('(label = 0 or label = 3) and age > 20')).toEqual([1, 3]);
    expect(chosen('not label = 0 and not (age > 50 or site = Bonn)')).toEqual([2]);
  });

  test('names and values in quotes may hold anything', () => {
    expect(chosen('site = "New York"')).toEqual([0, 5]);
    expect(chosen(`site in 'New York', "Land's End"`)).toEqual([0, 2, 5]);
    expect(chosen(`site = 'Land\\'s End'`)).toEqual([2]);
    expect(chosen(`"site" = Bonn`)).toEqual([1, 4]);
  });

  test('a missing value meets no comparison', () => {
    expect(chosen('age < 100')).not.toContain(4);
    expect(chosen('age != 30')).toEqual([0, 2, 3, 5]);
    expect(chosen('site != Bonn')).toEqual([0, 2, 5]);
    expect(chosen('site not in Bonn')).toEqual([0, 2, 5]);
  });

  test('keywords and names may be in capitals', () => {
    expect(chosen('AGE >= 30 AND NOT Label IN 5')).toEqual([1, 3]);
  });
});

test('the names that a condition asks about', () => {
  expect(namesIn(parseCondition('a = 1 and (b in x,y or not c < 2)'))).toEqual(['a', 'b', 'c']);
});

describe('what is wrong gets a sentence that points at the place', () => {
  const message = (condition: string) => {
    try {
      chosen(condition);
    } catch (error) {
      if (error instanceof UntangleError) return `${error.message} ${error.hint ?? ''}`.trim();
    }
    return 'no error';
  };

  test.each([
    ['age >> 30', "The condition “age >> 30” can't be read at “>” (character 6): expected a value."],
    ['age', "The condition “age” can't be read at its end: expected =, !=, <, <=, >, >= or “in”."],
    ['', "The condition “” can't be read at its end: expected a name, “not” or “(”."],
    ['age = 3 label = 5', 'at “label” (character 9): expected “and”, “or” or the end.'],
    ['site = New York', 'at “York” (character 12): expected “and”, “or” or the end.'],
    ['(age = 3', 'at its end: expected “and”, “or” or “)”.'],
    ['label in 3,', 'at its end: expected a value.'],
    ['label not 3', 'at “3” (character 11): expected “in”.'],
    ['site = "New', 'at “"New” (character 8): expected a closing ".'],
    ['and age = 3', 'at “and” (character 1): expected a name, “not” or “(”.'],
  ])('%s', (condition, sentence) => {
    expect(message(condition)).toContain(sentence);
  });

  test('an unknown name, with the nearest one', () => {
    expect(message('agee > 3')).toBe('There is no field “agee”. Did you mean “age”? Known: age, site, tilt, label.');
  });

  test('an unknown value, with the nearest one', () => {
    expect(message('site = Bon')).toBe(
      "There is no value of site “Bon”. Did you mean “Bonn”? Known: New York, Bonn, Land's End.",
    );
  });

  test('a name where a number belongs, and an order of names', () => {
    expect(message('age > old')).toBe('The condition compares age with “old”, which is not a number.');
    expect(message('site < 3')).toContain('site holds names, which are neither smaller nor larger than one another.');
  });

  test('nothing found', () => {
    expect(message('age > 100')).toBe('None of the 6 items of people meets the condition “age > 100”.');
  });

  test('a thousand brackets', () => {
    expect(message('('.repeat(1000))).toContain('expected fewer brackets');
    expect(message('not '.repeat(1000))).toContain('expected fewer brackets');
  });
});

test('what is written out is read back', () => {
  const name = fc.oneof(
    fc.constantFrom('age', 'in', 'and', 'x y', "it's", 'a"b', '', 'ä(1)'),
    fc.string({ maxLength: 6 }),
  );
  const leaf: fc.Arbitrary<Condition> = fc.oneof(
    fc.record({
      kind: fc.constant('among' as const),
      field: name,
      values: fc.array(name, { minLength: 1, maxLength: 3 }),
      negated: fc.boolean(),
    }),
    fc.record({
      kind: fc.constant('order' as const),
      field: name,
      operator: fc.constantFrom('<' as const, '<=' as const, '>' as const, '>=' as const),
      value: name,
    }),
  );
  const { tree } = fc.letrec<{ tree: Condition }>((tie) => ({
    tree: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      leaf,
      fc.record({ kind: fc.constant('not' as const), part: tie('tree') }),
      fc.record({
        kind: fc.constantFrom('and' as const, 'or' as const),
        parts: fc.array(tie('tree'), { minLength: 2, maxLength: 3 }),
      }),
    ),
  }));
  fc.assert(
    fc.property(tree, (condition) => {
      expect(parseCondition(written(condition))).toEqual(condition);
    }),
    {
      numRuns: 500,
    },
  );
});

function written(condition: Condition): string {
  const quote = (text: string) => `"${text.replace(/[\\"]/g, '\\$&')}"`;
  switch (condition.kind) {
    case 'and':
    case 'or':
      return condition.parts.map((part) => `(${written(part)})`).join(` ${condition.kind} `);
    case 'not':
      return `not (${written(condition.part)})`;
    case 'among':
      return `${quote(condition.field)} ${condition.negated ? 'not in' : 'in'} ${condition.values.map(quote).join(', ')}`;
    case 'order':
      return `${quote(condition.field)} ${condition.operator} ${quote(condition.value)}`;
  }
}

test('any text is a condition or gets a sentence', () => {
  const noise = fc.oneof(
    fc.string({ maxLength: 40 }),
    fc
      .array(
        fc.constantFrom('age', ' ', '=', '!', '<', '>', '(', ')', ',', 'and', 'or', 'not', 'in', '"', "'", '\\', '3'),
        {
          maxLength: 20,
        },
      )
      .map((parts) => parts.join(' ')),
  );
  fc.assert(
    fc.property(noise, (text) => {
      try {
        parseCondition(text);
      } catch (error) {
        expect(error).toBeInstanceOf(UntangleError);
      }
    }),
    { numRuns: 2000 },
  );
});
