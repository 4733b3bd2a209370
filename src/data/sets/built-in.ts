/** What a built-in set is, and the options that every set and every path understands. */
import type { Opened } from '../dataset.ts';

/** How far a long preparation has come. */
export interface Progress {
  what: string;
  done: number;
  total: number;
}

export interface OpenOptions {
  /** Where data files lie; otherwise `UNTANGLE_DATA`, otherwise the user's cache folder. */
  dataDir?: string;
  /** Side of the square that images are resized to. */
  size?: number;
  /** Turns colour into grey. */
  grey?: boolean;
  /** Decides what a generated set draws. */
  seed?: number;
  /** Which part of a set that comes in several, such as EMNIST's `letters`. */
  part?: string;
  onProgress?: (progress: Progress) => void;
}

export interface BuiltIn {
  title: string;
  /** One line on what is in it. */
  what: string;
  licence: string;
  /** Where to get it. */
  get: string;
  /** Where its files belong inside the data folder; absent for sets that need no files. */
  put?: string;
  /** Paths inside the data folder of which one is there when the set is; absent for sets that need no files. */
  places?: (folder: string) => readonly string[];
  /** The values of `part`, the first being the default. */
  parts?: readonly string[];
  open(options: OpenOptions): Promise<Opened>;
}
