/**
 * How much each class-related dimension carries in items of each class (N-VAE, Fig. 10, and z_cy of Fig. 5 on its diagonal): a class
 * that is told by the size of its code shows there.
 */
import { type Drawing, heatMap } from '../drawing/index.ts';
import { UntangleError } from '../errors.ts';
import { klPerDimension } from '../metrics/index.ts';
import type { RunData } from '../training/index.ts';
import { asCodes, encodeItems, type TrainedModel } from '../use/index.ts';
import { type PictureOptions, testItems, titled } from './subject.ts';

/** Items of each class that are looked at, at most. */
const mostOfClass = 200;

/** @example toPng(await drawClassKl(model, data, { seed: 1 })) */
export async function drawClassKl(
  model: TrainedModel,
  { target }: RunData,
  { items = mostOfClass }: Pick<PictureOptions, 'items'>,
): Promise<Drawing> {
  const { labels } = target.data;
  const test = testItems(target);
  const present = labels?.names.map((_, k) => test.filter((item) => labels.values[item] === k).subarray(0, items));
  if (labels === undefined || present === undefined)
    throw new UntangleError(`${target.data.name} has no labels to tell classes by.`, { kind: 'call' });
  const rows: { name: string; values: number[] }[] = [];
  let columns: string[] = [];
  for (const [k, chosen] of present.entries()) {
    if (chosen.length === 0) continue;
    const codes = asCodes(await encodeItems(model, target.data, chosen), 'gaussian', chosen.length);
    const own = codes?.blocks.filter((block) => block.class !== undefined) ?? [];
    if (codes?.logVariance === undefined || own.length === 0)
      throw new UntangleError(`${model.file.method} has no block for a single class.`, { kind: 'call' });
    const kl = klPerDimension({ ...codes, logVariance: codes.logVariance });
    const places = own.flatMap(({ name, start, size }) =>
      Array.from({ length: size }, (_, i) => ({ name: size === 1 ? name : `${name} ${i}`, at: start + i })),
    );
    columns = places.map(({ name }) => name);
    rows.push({ name: labels.names[k], values: places.map(({ at }) => kl[at]) });
  }
  return heatMap({
    values: rows.flatMap(({ values }) => values),
    rows: rows.map(({ name }) => name),
    columns,
    measure: 'KL in nats',
    rowHeading: 'class of the items',
    columnHeading: 'dimension',
    digits: 1,
    title: titled(model, 'what class-related dimensions carry in items of each class'),
  });
}
