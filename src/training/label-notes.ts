/** What is worth knowing of the labels that a method may see: classes that it will never be shown, and rare ones. */
import type { LabelVariable } from './data.ts';

/** So many times as rare as the most frequent class is worth a word. */
const rare = 20;

/** Sentences on the labels of some items; none where there is nothing to say. */
export function labelNotes(variables: readonly LabelVariable[], labelled: Uint32Array): string[] {
  if (labelled.length === 0) return [];
  return variables.flatMap(({ name, classes, values }) => {
    const counts = new Array<number>(classes.length).fill(0);
    for (const item of labelled) counts[values[item]]++;
    const ofClass = (k: number) => `${name} “${classes[k]}”`;
    const [most, least] = [counts.indexOf(Math.max(...counts)), rarest(counts)];
    const missing = [...counts.keys()].filter((k) => counts[k] === 0);
    if (missing.length === classes.length - 1 && classes.length > 1)
      return [`All labelled items are of ${ofClass(most)}: there is nothing to tell apart.`];
    const notes: string[] = [];
    if (missing.length > 0)
      notes.push(`No labelled item is of ${name} ${listed(missing.map((k) => classes[k]))}: it can’t be learned.`);
    if (counts[most] >= rare * counts[least])
      notes.push(
        `Classes are unbalanced: ${counts[most]} labelled items are of ${ofClass(most)}, ${counts[least]} of ${ofClass(least)}.`,
      );
    return notes;
  });
}

/** The class with the fewest items among those that have any. */
function rarest(counts: readonly number[]): number {
  let found = counts.findIndex((count) => count > 0);
  for (const [k, count] of counts.entries()) if (count > 0 && count < counts[found]) found = k;
  return found;
}

function listed(names: readonly string[]): string {
  const shown = names.slice(0, 5).map((name) => `“${name}”`);
  const more = names.length - shown.length;
  if (more > 0) return `${shown.join(', ')} or ${more} others`;
  return shown.length === 1 ? shown[0] : `${shown.slice(0, -1).join(', ')} or ${shown.at(-1)}`;
}
