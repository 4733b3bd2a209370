/** How often predicted classes are right: overall and for every class. */

/** The share of rows where prediction and truth agree. */
export function accuracyOf(predicted: ArrayLike<number>, actual: ArrayLike<number>): number {
  let hits = 0;
  for (let i = 0; i < actual.length; i++) if (predicted[i] === actual[i]) hits++;
  return hits / actual.length;
}

/** The share of each class's rows that are predicted as that class; NaN for a class without rows. */
export function accuracyPerClass(predicted: ArrayLike<number>, actual: ArrayLike<number>, classes: number): number[] {
  const hits = new Array<number>(classes).fill(0);
  const rows = new Array<number>(classes).fill(0);
  for (let i = 0; i < actual.length; i++) {
    rows[actual[i]]++;
    if (predicted[i] === actual[i]) hits[actual[i]]++;
  }
  return hits.map((number, c) => number / rows[c]);
}

/** The mean of the classes that have rows. */
export function balanced(perClass: readonly number[]): number {
  const known = perClass.filter((value) => !Number.isNaN(value));
  return known.reduce((sum, value) => sum + value, 0) / known.length;
}

/** The share of the most frequent class: what a classifier reaches that knows nothing of the items. */
export function majorityShare(actual: ArrayLike<number>, classes: number): number {
  const rows = new Array<number>(classes).fill(0);
  for (let i = 0; i < actual.length; i++) rows[actual[i]]++;
  return Math.max(...rows) / actual.length;
}
