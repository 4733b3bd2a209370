import fc from 'fast-check';
import { expect, expectTypeOf, test } from 'vitest';
import { UntangleError } from '../errors.ts';
import { checkOptions, defaultsOf, optionValues, parseOptions, parseSettings } from './check.ts';
import { expectation, jsonSchemaOf, propertyOf } from './describe.ts';
import { boolean, choice, integer, list, number, type OptionValues, text } from './options.ts';
import { type Schedule, valueAt } from './schedule.ts';

const schema = {
  beta: number('weight of the KL divergence', { default: 4, min: 0 }),
  capacity: number('capacity in nats', { default: 'linear(0,25,100000)', min: 0, max: 100 }),
  slope: number('slope of the leaky ReLU', { default: 0.2, min: 0, max: 1, schedulable: false }),
  latent: integer('size of z', { default: 10, min: 1 }),
  stratified: boolean('stratified weights', { default: false }),
  likelihood: choice('how pixels are drawn', ['bernoulli', 'gaussian'], { default: 'bernoulli' }),
  note: text('a note', { default: '' }),
  channels: list('channels of each layer', { of: 'integer', default: [32, 64], min: 1 }),
  factors: list('factors by name', { of: 'text', default: [] }),
};

/** The sentence and the hint that settings are refused with. */
function refusal(...settings: string[]): string {
  try {
    return `taken: ${JSON.stringify(parseSettings(schema, settings))}`;
  } catch (error) {
    if (error instanceof UntangleError) return [error.message, error.hint ?? ''].join(' ').trim();
    throw error;
  }
}

test('a method gets its defaults where nothing is given, and a schedule for every schedulable number', () => {
  const values = parseOptions(schema, { latent: 3, beta: 'linear(0,4,10)' });
  expect(values.latent).toBe(3);
  expect(valueAt(values.beta, 5)).toBe(2);
  expect(valueAt(values.capacity, 50_000)).toBe(12.5);
  expect(values).toMatchObject({
    slope: 0.2,
    stratified: false,
    likelihood: 'bernoulli',
    note: '',
    channels: [32, 64],
  });
});

test('the declaration gives the types', () => {
  expectTypeOf<OptionValues<typeof schema>>().toEqualTypeOf<{
    beta: Schedule;
    capacity: Schedule;
    slope: number;
    latent: number;
    stratified: boolean;
    likelihood: 'bernoulli' | 'gaussian';
    note: string;
    channels: number[];
    factors: string[];
  }>();
});

test('settings are read with the types of their options, and the last one holds', () => {
  const settings = [
    'beta=1',
    'beta=2.5',
    'capacity = linear(0, 25, 1000)',
    'latent=6',
    'stratified=true',
    'likelihood=gaussian',
    'note=a=b, c',
    'channels=[16, 32]',
    'factors=scale,shape',
  ];
  expect(parseSettings(schema, settings)).toEqual({
    beta: 2.5,
    capacity: 'linear(0,25,1000)',
    latent: 6,
    stratified: true,
    likelihood: 'gaussian',
    note: 'a=b, c',
    channels: [16, 32],
    factors: ['scale', 'shape'],
  });
  expect(parseSettings(schema, ['channels=', 'factors=[]'])).toEqual({ channels: [], factors: [] });
});

test('an unknown name is refused with the nearest one', () => {
  expect(refusal('bta=4')).toMatch(/^There is no option “bta”\. Did you mean “beta”\? Known: beta, capacity,/);
  expect(refusal('__proto__=1')).toContain('There is no option “__proto__”');
  expect(refusal('constructor=1')).toContain('There is no option “constructor”');
  expect(() => checkOptions(schema, { latnt: 1 }, 'option of beta-vae')).toThrow(
    'There is no option of beta-vae “latnt”.',
  );
});

test('a wrong type or range is refused with what would be right', () => {
  const takes = 'The option “beta” takes a number from 0 on, or a schedule such as linear(0,1,1000);';
  expect(refusal('beta=-1')).toBe(`${takes} -1 is not that.`);
  expect(refusal('beta=linear(0,-1,10)')).toBe(`${takes} “linear(0,-1,10)” is not that.`);
  expect(refusal('beta=linear(0,4)')).toMatch(
    /^The option “beta” is wrong\. The schedule “linear\(0,4\)” can't be read/,
  );
  expect(refusal('beta=')).toContain('“” is neither a number nor a schedule');
  expect(refusal('slope=linear(0,1,9)')).toContain('takes a number from 0 to 1; “linear(0,1,9)” is not that.');
  expect(refusal('latent=2.5')).toBe('The option “latent” takes a whole number from 1 on; 2.5 is not that.');
  expect(refusal('latent=1e400')).toContain('“1e400” is not that');
  expect(refusal('stratified=yes')).toBe('The option “stratified” takes true or false; “yes” is not that.');
  expect(refusal('likelihood=gausian')).toContain('There is no likelihood “gausian”. Did you mean “gaussian”?');
  expect(refusal('channels=8,x')).toContain('a list of whole numbers from 1 on, such as 32,64; [8,"x"] is not that.');
  expect(refusal('beta')).toBe('“beta” is not a setting. Write a name and a value, such as beta=4.');
  expect(() => checkOptions(schema, { latent: '3' })).toThrow('“3” is not that');
  expect(() => checkOptions(schema, { note: null })).toThrow('takes text; null is not that');
});

test('stored values stay what they are when they are checked again', () => {
  const stored = { ...defaultsOf(schema), ...parseSettings(schema, ['beta=constant(3)', 'capacity=cosine(0,9,50)']) };
  expect(stored.beta).toBe(3);
  expect(checkOptions(schema, stored)).toEqual(stored);
  expect(checkOptions(schema, JSON.parse(JSON.stringify(stored)))).toEqual(stored);
  expect(optionValues(schema, stored).capacity).toEqual({ kind: 'cosine', from: 0, to: 9, steps: 50 });
});

test('the JSON schema says type, range, choices and default', () => {
  const { properties, additionalProperties } = jsonSchemaOf(schema);
  expect(additionalProperties).toBe(false);
  const pattern = '^(constant|linear|cosine|step|cyclic|warmup)(\\(.+\\)|:.+)$';
  expect(JSON.parse(JSON.stringify(properties))).toEqual({
    beta: {
      description: 'weight of the KL divergence',
      default: 4,
      anyOf: [
        { type: 'number', minimum: 0 },
        { type: 'string', pattern },
      ],
    },
    capacity: {
      description: 'capacity in nats',
      default: 'linear(0,25,100000)',
      anyOf: [
        { type: 'number', minimum: 0, maximum: 100 },
        { type: 'string', pattern },
      ],
    },
    slope: { description: 'slope of the leaky ReLU', default: 0.2, type: 'number', minimum: 0, maximum: 1 },
    latent: { description: 'size of z', default: 10, type: 'integer', minimum: 1 },
    stratified: { description: 'stratified weights', default: false, type: 'boolean' },
    likelihood: {
      description: 'how pixels are drawn',
      default: 'bernoulli',
      type: 'string',
      enum: ['bernoulli', 'gaussian'],
    },
    note: { description: 'a note', default: '', type: 'string' },
    channels: {
      description: 'channels of each layer',
      default: [32, 64],
      type: 'array',
      items: { type: 'integer', minimum: 1 },
    },
    factors: { description: 'factors by name', default: [], type: 'array', items: { type: 'string' } },
  });
});

test('an option says in words what it takes', () => {
  expect(expectation(schema.likelihood)).toBe('one of bernoulli, gaussian');
  expect(expectation(schema.factors)).toBe('a list of texts, such as a,b');
});

test('no setting whatever breaks the reader', () => {
  const name = fc.constantFrom(...Object.keys(schema), 'x', '');
  fc.assert(
    fc.property(
      name,
      fc.constantFrom('=', ''),
      fc.oneof(fc.string(), fc.json(), fc.double().map(String)),
      (...parts) => {
        expect(refusal(parts.join(''))).toMatch(/./);
      },
    ),
  );
});

test('a choice among what there is by now takes what was added, in values, schema and error', () => {
  const known = ['small'];
  const schema = { network: choice('which layers', () => known, { default: 'small' }) };
  expect(() => parseOptions(schema, { network: 'wide' })).toThrow('There is no network “wide”.');
  expect(propertyOf(schema.network)).toMatchObject({ enum: ['small'], default: 'small', description: 'which layers' });
  known.push('wide');
  expect(parseOptions(schema, { network: 'wide' })).toEqual({ network: 'wide' });
  expect(propertyOf(schema.network).enum).toEqual(['small', 'wide']);
});
