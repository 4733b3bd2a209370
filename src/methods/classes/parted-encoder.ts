/**
 * PartedVAE's encoder after the features h (Fig. 2, Tables 3 to 5): logits of each c_k, attention a = σ(slope · f(c)) on h, and
 * u_k from h · a. With several variables every head has a block for each of them, and masks keep u_k from any c_j with j ≠ k.
 */
import { type Build, constantly, linear, normal } from '../../nn/index.ts';
import type { ClassPriors, GaussianPosterior } from '../../objectives/index.ts';
import { concat, constant, scalar, sigmoid, type Tensor, tanh } from '../../tensor/index.ts';
import { parts } from './class-blocks.ts';

export interface PartedSizes {
  /** The number of classes of each discrete variable. */
  classes: readonly number[];
  /** The size of u for each of them. */
  classLatents: number;
}

/** The logits of q(c_k|x), linear in h. */
export function classLogits(b: Build, h: Tensor, { classes }: PartedSizes): Tensor[] {
  return parts(linear(b.at('c'), h, sum(classes)), classes);
}

/** q(u_k|c_k, x) from h and a sample of each c_k. */
export function classRelated(
  b: Build,
  h: Tensor,
  c: readonly Tensor[],
  slope: Tensor,
  { classes, classLatents }: PartedSizes,
): GaussianPosterior[] {
  const features = Number(h.shape[1]);
  const each = (size: number) => classes.map(() => size);
  const f = linear(b.at('attention'), concat(c, 1), classes.length * features, {
    mask: blockMask(each(features), classes),
  });
  const attended = concat(
    classes.map(() => h),
    1,
  ).times(sigmoid(f.times(slope)));
  const head = (name: string) => {
    const mask = blockMask(each(classLatents), each(features));
    return parts(linear(b.at('u').at(name), attended, classes.length * classLatents, { mask }), each(classLatents));
  };
  const logVariance = head('log variance');
  return head('mean').map((mean, k) => ({ mean, logVariance: logVariance[k] }));
}

/**
 * The learned priors p(u_k|c_k), a row for each class. As in the authors' code, means start from N(0, 1), and log variances are
 * 2 tanh(p) − 1, which holds deviations between 0.22 and 1.65.
 */
export function classPriors(b: Build, { classes, classLatents }: PartedSizes): ClassPriors[] {
  const shape = [sum(classes), classLatents];
  const mean = b.at('prior').parameter('mean', shape, normal());
  const spread = tanh(b.at('prior').parameter('spread', shape, normal()))
    .times(2)
    .minus(1);
  let start = 0;
  return classes.map((count) => {
    const end = start + count;
    const prior = { mean: mean.slice(0, start, end), logVariance: spread.slice(0, start, end) };
    start = end;
    return prior;
  });
}

/** The slope of the attention: in training as scheduled; in use as asked for, or, at 0, as the last step of training had it. */
export function attentionSlope(b: Build, scheduled: Tensor, inUse: number): Tensor {
  const last = b.at('attention').parameter('slope', [1], constantly(1), { trainable: false });
  if (b.batch === undefined) return inUse > 0 ? scalar(inUse) : last;
  b.assign(last, scheduled.reshape([1]));
  return scheduled;
}

/** Ones where a block of rows meets the block of columns of the same place; undefined if there is one block. */
export function blockMask(rows: readonly number[], columns: readonly number[]): Tensor | undefined {
  if (rows.length === 1) return undefined;
  const width = sum(columns);
  const values = new Float32Array(sum(rows) * width);
  let row = 0;
  let left = 0;
  for (const [k, count] of rows.entries()) {
    for (const end = row + count; row < end; row++) values.fill(1, row * width + left, row * width + left + columns[k]);
    left += columns[k];
  }
  return constant(values, [sum(rows), width]);
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
