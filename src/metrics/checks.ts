/** Checks that inputs hold together before any metric looks at them, and says in a sentence where they don't. */

import type { Numbers } from '../analysis/index.ts';
import { UntangleError } from '../errors.ts';
import type { CodeTable, Inputs } from './metric.ts';

/** Throws a sentence for arrays of the wrong length, for unequal numbers of items and for numbers that are not finite. */
export function checkInputs(inputs: Inputs): void {
  const { codes, probabilities, factors, labels, background, training, models, reconstructions, augmentation } = inputs;
  if (codes) {
    checkCodes('codes', codes);
    if (background && background.d !== codes.d)
      throw wrong(`The background's codes have ${background.d} dimensions, the codes have ${codes.d}.`);
  }
  if (probabilities) checkCodes('class probabilities', probabilities);
  const rows = (codes ?? probabilities)?.n;
  if (rows !== undefined) {
    if (probabilities) checkCount('class probabilities', probabilities.n, rows);
    if (factors) checkCount('factors', factors.n, rows);
    if (labels) checkCount('labels', labels.values.length, rows);
  }
  if (factors) {
    checkTable(
      'factors',
      factors.values,
      factors.n,
      factors.factors.length,
      (k) => `factor “${factors.factors[k].name}”`,
    );
  }
  if (labels) {
    for (const value of labels.values)
      if (value >= labels.names.length)
        throw wrong(
          `A label is ${value}, but there are names for ${labels.names.length} classes (0 … ${labels.names.length - 1}).`,
        );
  }
  if (background) checkCodes("background's codes", background);
  if (training) {
    checkCodes('training codes', training.codes);
    if (codes && training.codes.d !== codes.d)
      throw wrong(`The training codes have ${training.codes.d} dimensions, the codes have ${codes.d}.`);
    const { n } = training.codes;
    if (training.factors) checkCount('factors of the training codes', training.factors.n, n);
    if (training.labels) checkCount('labels of the training codes', training.labels.values.length, n);
  }
  models?.forEach((model, i) => {
    checkCodes(`codes of model ${i + 1}`, model);
    checkCount(`codes of model ${i + 1}`, model.n, models[0].n);
  });
  if (reconstructions) {
    const { original, reconstruction, n, size } = reconstructions;
    checkTable('images', original, n, size, (p) => `value ${p}`);
    checkTable('reconstructions', reconstruction, n, size, (p) => `value ${p}`);
  }
  if (augmentation) {
    const { train, test, generated } = augmentation;
    for (const [what, images] of Object.entries({ train, test, generated })) {
      checkTable(`${what} images`, images.values, images.n, images.size, (p) => `value ${p}`);
      checkCount(`labels of the ${what} images`, images.labels.length, images.n);
      if (images.size !== train.size)
        throw wrong(`The ${what} images have ${images.size} values each, the train images ${train.size}.`);
    }
  }
}

function checkCodes(what: string, codes: CodeTable): void {
  const { values, n, d, blocks, logVariance } = codes;
  checkTable(what, values, n, d, (j) => `dimension ${j}`);
  if (logVariance) checkTable(`log variances of the ${what}`, logVariance, n, d, (j) => `dimension ${j}`);
  for (const block of blocks ?? [])
    if (block.size < 1 || block.start < 0 || block.start + block.size > d)
      throw wrong(
        `The block “${block.name}” is dimensions ${block.start} … ${block.start + block.size - 1}, but the ${what} have ${d}.`,
      );
}

function checkCount(what: string, given: number, expected: number): void {
  if (given !== expected) throw wrong(`There are ${given} rows of ${what} for ${expected} rows of codes.`);
}

function checkTable(what: string, values: Numbers, n: number, width: number, column: (j: number) => string): void {
  if (n < 2) throw wrong(`There are ${n} rows of ${what}; at least two are needed.`);
  if (width < 1) throw wrong(`The ${what} have no columns.`);
  if (values.length !== n * width)
    throw wrong(`The ${what} hold ${values.length} numbers, but ${n} rows of ${width} are ${n * width}.`);
  let bad = 0;
  let first = -1;
  for (let i = 0; i < values.length; i++) {
    if (Number.isFinite(values[i])) continue;
    if (first < 0) first = i;
    bad++;
  }
  if (bad > 0) {
    const more = bad === 1 ? '' : `, the first of ${bad} numbers that are not finite`;
    throw new UntangleError(
      `The ${what} hold ${values[first]} in row ${Math.floor(first / width)}, ${column(first % width)}${more}.`,
      { kind: 'call', hint: 'Leave out the rows that are not finite, from codes, factors and labels alike.' },
    );
  }
}

const wrong = (sentence: string) => new UntangleError(sentence, { kind: 'call' });
