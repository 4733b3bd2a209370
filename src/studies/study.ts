/**
 * A study: many runs that answer a question, such as a paper's table. It is data; one runner carries out all of them, and sets
 * our numbers beside the paper's.
 */
import type { Choice } from '../data/index.ts';
import { onBlock } from '../metrics/index.ts';
import type { LabelValues } from '../options/index.ts';
import type { PictureOptions } from '../pictures/index.ts';
import type { DataPart } from '../use/index.ts';

/** How much work a study may be: minutes to prove the way, a night on two cores, or the paper's whole protocol. */
export type Budget = 'quick' | 'standard' | 'paper';

/** One number of the paper, with its deviation where it gives one. */
export type Theirs = number | { mean: number; deviation: number };

export type MetricOptions = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** One row of a table: a method with its settings on some data. */
export interface Arm {
  name: string;
  method: string;
  preset?: string;
  /** Settings over the study's and the preset's. */
  set?: readonly string[];
  /** Settings of this row at one budget, such as a schedule that fits its length. */
  setAt?: Readonly<Partial<Record<Budget, readonly string[]>>>;
  data?: string;
  choice?: Choice;
  labels?: LabelValues;
  /** Options of metrics for this row, such as the block that is measured. */
  metricOptions?: MetricOptions;
  /** The paper's numbers, by column. */
  theirs?: Readonly<Record<string, Theirs>>;
}

/** One column of a table: a number from an evaluation. */
export interface Column {
  name: string;
  metric: string;
  /** The block that the metric is read against, where its number there is meant. */
  block?: string;
  /** A part of the metric's result, such as `silhouette`; otherwise its score. */
  part?: string;
  /** The entry of that part that belongs to this name, where the metric has one number for each attribute, factor or class. */
  entry?: { of: 'attributes' | 'factors' | 'classes'; name: string };
  /** What our number is multiplied by to stand beside the paper's, such as 100 for per cent. */
  factor?: number;
  digits: number;
  better: 'higher' | 'lower';
}

type Place = string | readonly string[];

/** An ordering that the paper claims, checked on our numbers. */
export interface Claim {
  text: string;
  column: string;
  /** Rows from the best to the worst, or several that share a place: each must be better than all of the next place. */
  order: readonly [Place, Place, ...Place[]];
}

/** A picture that the report shows of one row's first run. */
export interface StudyFigure {
  title: string;
  arm: string;
  /** A kind of `untangle picture`. */
  kind: string;
  options?: Readonly<Partial<PictureOptions>>;
}

/** Our numbers over a setting, drawn as a curve for each group of rows: the paper's trade-off charts. */
export interface TradeOff {
  title: string;
  x: string;
  y: string;
  /** Which rows belong to one curve, by the beginning of their names. */
  groups: readonly string[];
}

/** The best of some rows, as a row: what a paper does that tries weights and shows the best. */
export interface BestOf {
  name: string;
  arms: readonly string[];
  column: string;
  theirs?: Arm['theirs'];
}

/** What a protocol is made of. */
export type Aspect =
  | 'data'
  | 'items'
  | 'length'
  | 'batch'
  | 'optimiser'
  | 'network'
  | 'latents'
  | 'likelihood'
  | 'weights'
  | 'labels'
  | 'measure';

/** Where a protocol departs from the paper's, or fills in what the paper does not say. */
export type Departure = string | { of: Aspect; says: string };

export const sentenceOf = (departure: Departure) => (typeof departure === 'string' ? departure : departure.says);

export interface StudyBudget {
  seeds: readonly number[];
  /** Settings of every row at this budget, such as steps. */
  set: readonly string[];
  /** Smaller data in place of the study's, where the budget asks for it. */
  data?: string;
  /** How many items are measured, at most; if not given, 1,000 at the quick budget and 20,000 at the others. */
  items?: number;
  /** Options of metrics at this budget, under the study's. */
  metricOptions?: MetricOptions;
  /** Rows that are run; all if not given. */
  arms?: readonly string[];
  /** Labels that may be seen, at most. */
  labels?: number;
  departures: readonly Departure[];
}

export interface Study {
  name: string;
  title: string;
  paper: { cite: string; where: string };
  /** What the study asks, in one sentence. */
  question: string;
  data: string;
  /** Settings of every row at every budget. */
  set?: readonly string[];
  arms: readonly Arm[];
  columns: readonly Column[];
  /** Options of metrics, as the paper measures. */
  metricOptions?: MetricOptions;
  part?: DataPart;
  bests?: readonly BestOf[];
  claims: readonly Claim[];
  figures?: readonly StudyFigure[];
  tradeOffs?: readonly TradeOff[];
  budgets: Readonly<Record<Budget, StudyBudget>>;
}

/** The name of the result that a column is taken from. */
export function resultOf({ metric, block }: Column): string {
  return block === undefined ? metric : onBlock(metric, block);
}

/** Whether the paper has a number in this column; where it has none, a table shows ours alone. */
export function hasTheirs({ arms, bests = [] }: Study, { name }: Column): boolean {
  return [...arms, ...bests].some(({ theirs }) => theirs?.[name] !== undefined);
}
