/** A contact sheet of a dataset, or of a target beside its background: some items by the seed, with their labels. */
import type { Dataset, Opened } from '../data/index.ts';
import { contactSheet, type Drawing } from '../drawing/index.ts';
import { UntangleError } from '../errors.ts';
import { stream } from '../random/index.ts';

export function datasetSheet(opened: Opened, count: number, seed: number): Drawing {
  if (opened.kind === 'single') return contactSheet({ ...itemsOf(opened.data, count, seed), title: opened.data.title });
  const half = Math.max(1, Math.ceil(count / 2));
  return contactSheet({
    ...itemsOf(opened.target, half, seed),
    background: itemsOf(opened.background, half, seed),
    title: opened.target.title,
  });
}

function itemsOf(data: Dataset, count: number, seed: number) {
  const { shape, range, labels } = data;
  if (shape.kind !== 'image') {
    throw new UntangleError(
      `${data.name} is a table of ${shape.columns.length} columns; a contact sheet shows images.`,
      { kind: 'call' },
    );
  }
  const indices = stream(seed, 'preview').permutation(data.length).subarray(0, count).sort();
  const items = { values: data.gather(indices), shape, range };
  const captions = labels && Array.from(indices, (index) => labels.names[labels.values[index]]);
  return { items, captions };
}
