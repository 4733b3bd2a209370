/**
 * What the studio's server and its pages say to each other, as both import it. The routes themselves tell the pages what they
 * take and give (`StudioApi`); here stands what their types don't hold: events, headers, and numbers that JSON lacks.
 */
import type { Evaluation, LogLine } from '../runs/index.ts';
import type { RunRow } from './runs.ts';

/** The header in which a page sends the session's token. */
export const tokenHeader = 'x-untangle-token';

/** The header that tells a fact about numbers sent as bytes. */
export const factHeader = (fact: keyof ArrayFacts) => `x-${fact}`;

export interface ArrayFacts {
  /** How many items were sent, how many there are in all, and how many numbers each holds. */
  items: number;
  total: number;
  size: number;
  /** The training step of the encoder, where the numbers are codes. */
  step?: number;
}

/** What a refused request is answered with. */
export interface Refused {
  error: string;
  hint?: string;
}

/** A number, or the word for one that JSON lacks: “NaN” or “Infinity”, which `Number` reads. */
export type Spelled = number | string;

/** A type of which some records of numbers may hold any number, as JSON carries it. */
type Sent<T, Names extends keyof T> = { [K in keyof T]: K extends Names ? SpelledIn<T[K]> : T[K] };
type SpelledIn<T> = T extends Record<string, number> ? Record<string, Spelled> : T;

export type SentLine = Sent<LogLine, 'terms' | 'weights' | 'validation'>;
export type SentRow = Sent<RunRow, 'metrics'>;

type Result = Evaluation['results'][number];
type Measured = Pick<Result, 'name' | 'title' | 'version' | 'better' | 'options' | 'parts' | 'notes'> & {
  score: Spelled;
};
export type SentEvaluation = Pick<Evaluation, 'step' | 'part' | 'items' | 'leftOut'> & { results: Measured[] };

/** What the one stream of a browser tells. */
export interface StudioEvents {
  /** All runs, the newest first, as soon as the stream opens. */
  runs: SentRow[];
  /** What became of them since. */
  changes: Changes;
  /** A line of a log that is followed. One whose step is not after the one before it replaces what stands from its step on. */
  line: FollowedLine;
}

export interface Changes {
  changed: SentRow[];
  gone: string[];
}

export interface FollowedLine {
  run: string;
  line: SentLine;
}
