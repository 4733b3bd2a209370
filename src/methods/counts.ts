/**
 * Counts in the items of a table (Lopez et al. 2018): the decoder gives each count's mean, as a share of the item's total where all
 * columns are counts, and its zeros; dispersions are parameters. To everybody else a count is a standardised number like any other.
 */
import { type Build, constantly } from '../nn/index.ts';
import { type CountLikelihood, negativeBinomialLoss, poissonLoss, zeroInflatedLoss } from '../objectives/index.ts';
import {
  clip,
  concat,
  constant,
  exp,
  expand,
  log,
  logSoftmax,
  maximum,
  sigmoid,
  type Tensor,
} from '../tensor/index.ts';

/** Which numbers of an item are counts, and how each was standardised. */
export interface Counts {
  is: readonly boolean[];
  mean: readonly number[];
  deviation: readonly number[];
}

/** A decoder's last values where some are of counts. */
interface CountOutput {
  /** For a count the logarithm of its mean over its mean in all items, or of its share; other numbers as they are. */
  values: Tensor;
  logDispersion: Tensor | undefined;
  zeros: Tensor | undefined;
}

/** How many values the decoder has to give for each number of an item. */
export const countWidths: Record<CountLikelihood, number> = { poisson: 1, 'negative-binomial': 1, 'zero-inflated': 2 };

/** Logarithms of means and dispersions stay where single precision holds their exponentials and their gammas. */
const bounds = { logMean: 15, dispersion: [-5, 7] } as const;

/** The decoder's last values with the dispersions beside them. */
export function withDispersion(b: Build, counts: Counts, likelihood: CountLikelihood, output: Tensor): Tensor {
  if (likelihood === 'poisson') return output;
  const row = b.parameter('dispersion', [1, counts.is.length], constantly(0));
  return concat([output, expand(row, output.slice(1, 0, counts.is.length))], 1);
}

function parted(output: Tensor, d: number, likelihood: CountLikelihood): CountOutput {
  const at = (k: number) => output.slice(1, k * d, (k + 1) * d);
  const width = countWidths[likelihood];
  return {
    values: at(0),
    zeros: likelihood === 'zero-inflated' ? at(1) : undefined,
    logDispersion: likelihood === 'poisson' ? undefined : clip(at(width), ...bounds.dispersion),
  };
}

/** Items as an encoder sees them: counts as the logarithm of one more than they would be at the usual total, less its usual value. */
export function logarithmic(x: Tensor, counts: Counts): Tensor {
  const rows = rowsOf(counts);
  const value = rawCounts(x, rows);
  const scaled = rows.isWhole ? value.times(rows.total).over(maximum(totalOf(value), 1)) : value;
  const logged = log(maximum(scaled, 0).plus(1)).minus(rows.logUsual);
  return rows.isWhole ? logged : logged.times(rows.is).plus(x.times(rows.isNot));
}

/** −ln p(x|z) of each number that is a count; 0 for others. */
export function countLoss(output: Tensor, x: Tensor, counts: Counts, likelihood: CountLikelihood): Tensor {
  const rows = rowsOf(counts);
  const { values, logDispersion, zeros } = parted(output, counts.is.length, likelihood);
  const raw = maximum(rawCounts(x, rows), 0);
  const logMean = logMeans(values, rows, rows.isWhole ? log(maximum(totalOf(raw), 1)) : undefined);
  const loss =
    logDispersion === undefined
      ? poissonLoss(raw, logMean)
      : zeros === undefined
        ? negativeBinomialLoss(raw, logMean, logDispersion)
        : zeroInflatedLoss(raw, logMean, logDispersion, zeros);
  return rows.isWhole ? loss : loss.times(rows.is);
}

/** Numbers that are no counts, of the decoder's last values; undefined where all are. */
export function otherNumbers(output: Tensor, counts: Counts): { values: Tensor; isNot: Tensor } | undefined {
  const { isWhole, isNot } = rowsOf(counts);
  return isWhole ? undefined : { values: output.slice(1, 0, counts.is.length), isNot };
}

/** The expected items, standardised: counts at the usual total. */
export function expectedItems(output: Tensor, counts: Counts, likelihood: CountLikelihood): Tensor {
  const rows = rowsOf(counts);
  const { values, zeros } = parted(output, counts.is.length, likelihood);
  const mean = exp(logMeans(values, rows, rows.isWhole ? Math.log(rows.total) : undefined));
  const expected = zeros === undefined ? mean : mean.times(sigmoid(zeros.negate()));
  const standardised = expected.minus(rows.mean).times(rows.precision);
  return rows.isWhole ? standardised : standardised.times(rows.is).plus(values.times(rows.isNot));
}

function logMeans(values: Tensor, rows: ReturnType<typeof rowsOf>, logTotal: Tensor | number | undefined): Tensor {
  const bounded = clip(values, -bounds.logMean, bounds.logMean).plus(rows.logMean);
  return logTotal === undefined ? bounded : logSoftmax(bounded, 1).plus(logTotal);
}

const rawCounts = (x: Tensor, rows: ReturnType<typeof rowsOf>) => x.times(rows.deviation).plus(rows.mean);

const totalOf = (value: Tensor) => value.sum(1, { keepDimensions: true });

function rowsOf({ is, mean, deviation }: Counts) {
  const d = is.length;
  const row = (of: (j: number) => number) =>
    constant(
      Float32Array.from(is, (_, j) => of(j)),
      [1, d],
    );
  const means = (j: number) => Math.max(1e-6, mean[j]);
  const isWhole = is.every(Boolean);
  return {
    isWhole,
    total: mean.reduce((sum, value, j) => sum + (is[j] ? value : 0), 0),
    is: row((j) => Number(is[j])),
    isNot: row((j) => Number(!is[j])),
    // A number that is no count passes through as a count of 1, whose loss is not counted.
    mean: row((j) => (is[j] ? mean[j] : 1)),
    deviation: row((j) => (is[j] ? deviation[j] : 0)),
    precision: row((j) => (is[j] ? 1 / deviation[j] : 0)),
    logMean: row((j) => (is[j] ? Math.log(means(j)) : 0)),
    logUsual: row((j) => (is[j] ? Math.log1p(mean[j]) : 0)),
  };
}
