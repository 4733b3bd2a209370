import { expect, test } from 'vitest';
import { stream } from '../random/index.ts';
import { attributeVector, fitAttribute, hingeBias } from './attribute-vector.ts';
import { duplicated, flipped, identityTable, padded, permuted, zeroed } from './testing/data.ts';

test('the hinge-loss bias has no better neighbour', () => {
  const source = stream(4, 'hinge');
  const scores = Float64Array.from({ length: 31 }, () => 3 * source.normal());
  const y = Int32Array.from({ length: 31 }, () => source.integer(2));
  const loss = (b: number) => scores.reduce((sum, s, i) => sum + Math.max(0, 1 - (y[i] ? 1 : -1) * (s + b)), 0);
  const bias = hingeBias(scores, y);
  for (let b = -10; b <= 10; b += 0.01) expect(loss(b)).toBeGreaterThanOrEqual(loss(bias) - 1e-9);
});

test('the attribute vector is the difference of the means', () => {
  const { w } = fitAttribute(Float64Array.of(1, 2, 3, 4, 5, 7), 2, Int32Array.of(0, 0, 1));
  expect(Array.from(w)).toEqual([3, 4]);
});

test('attributes are told by their vector in any order and sign, and at chance from zeros', () => {
  const table = identityTable(900, [2, 2, 5]);
  for (const variant of [table, permuted(table), flipped(table), duplicated(table), padded(table)]) {
    const { score, parts } = attributeVector.score(variant);
    expect(score).toBeGreaterThan(0.9);
    expect(parts.attributes).toEqual(['f0', 'f1']);
  }
  const { parts } = attributeVector.score(zeroed(table));
  (parts.accuracy as number[]).forEach((accuracy, k) => {
    expect(accuracy).toBeLessThanOrEqual((parts.chance as number[])[k] + 1e-12);
  });
  expect(() => attributeVector.score(identityTable(100, [3, 4]))).toThrow('with two values, and there is none');
});

test('vectors come from training items where there are any, and all other rows are tested', () => {
  // Codes at −4 and 4, between which the hinge loss has room for its margin.
  const apart = (n: number) => {
    const table = identityTable(n, [2, 2]);
    return { ...table, codes: { ...table.codes, values: table.codes.values.map((value) => 8 * value - 4) } };
  };
  const [seen, held] = [apart(400), apart(300)];
  const { score, parts } = attributeVector.score({ ...held, training: seen });
  expect(score).toBe(1);
  expect(parts).toMatchObject({ learnedFrom: 'training items', trainRows: 400, testRows: 300 });
  // Where the training items had the attribute the other way round, so does the vector.
  const { codes } = seen;
  const turned = { ...seen, codes: { ...codes, values: Float64Array.from(codes.values, (value) => -value) } };
  expect(attributeVector.score({ ...held, training: turned }).score).toBe(0);
  expect(() => attributeVector.score({ ...held, training: identityTable(40, [2, 2, 2]) })).toThrow(
    'The training codes have 3 dimensions, the codes have 2.',
  );
});
