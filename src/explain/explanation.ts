/** What a dimension does, in words that were measured. */
export interface ToldChange {
  /** What kind of change: `move`, `turn`, `grow` … of an image, or a column of a table. */
  kind: string;
  /** Which part of all that changes it is, from 0 to 1. */
  share: number;
  /** As a person would say it: “moves right, 14 px”. */
  words: string;
  /** From one end of the traversal to the other, where the change goes one way. */
  amount?: number;
  unit?: string;
}

export interface Explanation {
  /** The strongest first. */
  changes: ToldChange[];
  /** Which part of the change in the items the words account for. */
  explained: number;
  /** Whether no two changes say what it does. */
  isSeveral: boolean;
  /** A name for the dimension: its strongest changes. */
  name: string;
}
