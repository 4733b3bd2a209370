import { expect, test } from 'vitest';
import { decision, predict } from './linear-classifier.ts';
import { fitLinearSvm } from './linear-svm.ts';
import { expectNear, fixture, table } from './testing/tables.ts';

interface Case {
  table: string;
  c: number;
  classWeight: 'balanced' | 'none';
  loss?: 'hinge';
  classes: number[];
  weights: number[];
  intercepts: number[];
  predictions: number[];
}

const cases: Case[] = fixture('linear-svm').cases;

test.each(cases)(
  'weights and predictions are scikit-learn’s on “$table” with C $c, class weights $classWeight, loss $loss',
  (given) => {
    const { x, n, d, y, classes } = table(given.table);
    const { c, classWeight, loss = 'squared-hinge' } = given;
    const model = fitLinearSvm({ x, n, d, y, classes, c, classWeight, loss });
    expect(model.classes).toEqual(given.classes);
    // Descent ends where gradients are small, Newton's method at the minimum.
    const near = loss === 'hinge' ? 1e-5 : 1e-7;
    expectNear(model.weights, given.weights, near);
    expectNear(model.intercepts, given.intercepts, near);
    const found = predict(model, x, n, d);
    // At a small C several hinge machines answer −1 to everything, and rounding decides between them.
    const answers = decision(model, x, n, d);
    const rows = answers.length / n;
    for (let i = 0; i < n; i++) {
      const [second, first] = Array.from(answers.subarray(i * rows, (i + 1) * rows))
        .sort((a, b) => a - b)
        .slice(-2);
      if (loss === 'hinge' && first - second < 1e-4) continue;
      expect(found[i]).toBe(given.predictions[i]);
    }
  },
);

// z0 and f0 of the 60-point grid of disentanglement_lib's protocol; values from an independent port, to full precision.
test('the line of the golden grid has its known machines', () => {
  const z = Float64Array.from({ length: 60 }, (_, i) => Math.floor(i / 20) + 0.1 * Math.sin(i));
  const f = Int32Array.from({ length: 60 }, (_, i) => Math.floor(i / 20));
  const fitted = (y: Int32Array, classes: number) =>
    fitLinearSvm({ x: z, n: 60, d: 1, y, classes, c: 0.01, classWeight: 'balanced' });
  const three = fitted(f, 3);
  expectNear(three.weights, [-0.41762301463475276, -0.07664951003493312, 0.26217936397445596], 1e-12);
  expectNear(three.intercepts, [0.04671247409790319, -0.13987422233776445, -0.3252873392091989], 1e-12);
  const two = fitted(
    f.map((value) => (value > 0 ? 1 : 0)),
    2,
  );
  expectNear([two.weights[0], two.intercepts[0]], [0.4211211499873953, -0.1728581581259381], 1e-12);
});

test('the short way for one column ends where the general way ends', () => {
  for (const name of ['line', 'line of levels', 'line of two']) {
    const { x, n, y, classes } = table(name);
    const padded = Float64Array.from({ length: 2 * n }, (_, at) => (at % 2 === 0 ? x[at / 2] : 0));
    for (const c of [0.01, 1, 100]) {
      const line = fitLinearSvm({ x, n, d: 1, y, classes, c, classWeight: 'balanced' });
      const plane = fitLinearSvm({ x: padded, n, d: 2, y, classes, c, classWeight: 'balanced' });
      expectNear(
        line.weights,
        plane.weights.filter((_, at) => at % 2 === 0),
        1e-9,
      );
      expectNear(line.intercepts, plane.intercepts, 1e-9);
    }
  }
});

test('a single class is predicted everywhere, with decision value 0', () => {
  const model = fitLinearSvm({ x: [1, 2, 3, 4], n: 2, d: 2, y: [3, 3], classes: 5, c: 1 });
  expect(model.classes).toEqual([3]);
  expect(Array.from(predict(model, [9, 9], 1, 2))).toEqual([3]);
  expect(Array.from(decision(model, [9, 9], 1, 2))).toEqual([0]);
});

test('bad input is refused in a sentence that names the column', () => {
  const fitted = (x: number[], y: number[], c = 1) => fitLinearSvm({ x, n: 2, d: 2, y, classes: 2, c });
  expect(() => fitted([1, 2, 3, Number.NaN], [0, 1])).toThrow('Column 1 holds NaN in row 1.');
  expect(() => fitted([1, 2, 3], [0, 1])).toThrow('A matrix of 2 rows and 2 columns came with 3 numbers.');
  expect(() => fitted([1, 2, 3, 4], [0, 2])).toThrow('The label of row 1 is 2.');
  expect(() => fitted([1, 2, 3, 4], [0, 1], 0)).toThrow('The weight C of the loss was 0.');
  const model = fitted([1, 2, 3, 4], [0, 1]);
  expect(() => predict(model, [1, 2, 3], 1, 3)).toThrow('A model of 2 columns was given rows of 3.');
});
