/** A target and its background: two sets, or two parts of one set that conditions tell apart. */
import { createHash } from 'node:crypto';
import { UntangleError } from '../../errors.ts';
import { type ItemShape, itemSize } from '../../model/index.ts';
import { type Dataset, range } from '../dataset.ts';
import { subsetWithFields } from '../fields.ts';
import { select } from './condition.ts';

export interface Contrast {
  target: Dataset;
  background: Dataset;
  /** What is worth knowing before training, in sentences. */
  warnings: string[];
}

export interface Conditions {
  /** Which items are the target; by default all that are not background. */
  where?: string;
  /** Which items are the background. */
  backgroundWhere?: string;
}

/**
 * Two parts of one set.
 *
 * @example contrastWithin(xrays, { where: 'label = pneumonia', backgroundWhere: 'label = normal' })
 */
export function contrastWithin(data: Dataset, { where, backgroundWhere }: Conditions): Contrast {
  const parts = conditionedParts(data.name, data.length, (condition) => select(data, condition), {
    where,
    backgroundWhere,
  });
  return {
    target: subsetWithFields(data, parts.target, `${data.name} target`),
    background: subsetWithFields(data, parts.background, `${data.name} background`),
    warnings: parts.warnings,
  };
}

/** Two sets, each cut down by its condition if there is one. Their items must be of one shape. */
export function contrastBetween(
  target: Dataset,
  background: Dataset,
  { where, backgroundWhere }: Conditions = {},
): Contrast {
  checkShapes(target, background);
  const cut = (data: Dataset, condition?: string) =>
    condition === undefined ? data : subsetWithFields(data, select(data, condition));
  const pair = { target: cut(target, where), background: cut(background, backgroundWhere) };
  return { ...pair, warnings: sharedItems(pair.target, pair.background) };
}

/** Which items of one set are target and background, and what is odd about it. */
export function conditionedParts(
  name: string,
  length: number,
  find: (condition: string) => Uint32Array,
  { where, backgroundWhere }: Conditions,
): { target: Uint32Array; background: Uint32Array; warnings: string[] } {
  if (backgroundWhere === undefined)
    throw new UntangleError(`Nothing says which items of ${name} are the background.`, {
      kind: 'call',
      hint: 'Give a condition with --background-where, or another set with --background.',
    });
  const background = find(backgroundWhere);
  const inBackground = new Set(background);
  const target = where === undefined ? range(0, length).filter((item) => !inBackground.has(item)) : find(where);
  if (target.length === 0)
    throw new UntangleError(`All ${length} items of ${name} are background; none is left for the target.`, {
      kind: 'call',
    });
  const both = target.filter((item) => inBackground.has(item)).length;
  return { target, background, warnings: both > 0 ? [overlap(both, background.length)] : [] };
}

/** Refuses a pair whose items differ in shape, in how their numbers are to be read, or in how they were encoded. */
function checkShapes(target: Dataset, background: Dataset): void {
  const [a, b] = [spoken(target.shape), spoken(background.shape)];
  if (a !== b || !sameColumns(target.shape, background.shape)) {
    const images = target.shape.kind === 'image' && background.shape.kind === 'image';
    throw new UntangleError(`The target ${target.name} has items of ${a}, the background ${background.name} of ${b}.`, {
      kind: 'call',
      hint: images ? 'Both must be of one shape: --size N and --grey bring them to one.' : 'Both must be of one shape.',
    });
  }
  if (target.range !== background.range)
    throw new UntangleError(
      `The target ${target.name} has ${target.range} values, the background ${background.name} ${background.range} ones.`,
      { kind: 'call' },
    );
  if (encodingOf(target) !== encodingOf(background))
    throw new UntangleError(`${target.name} and ${background.name} were standardised each by itself.`, {
      kind: 'call',
      hint: 'Open both tables together, so that one transformation serves both.',
    });
}

function spoken(shape: ItemShape): string {
  if (shape.kind === 'table') return `${shape.columns.length} columns`;
  return `${shape.channels}×${shape.height}×${shape.width} (channels, height, width)`;
}

function sameColumns(a: ItemShape, b: ItemShape): boolean {
  return a.kind !== 'table' || b.kind !== 'table' || a.columns.every((name, k) => name === b.columns[k]);
}

function encodingOf(data: Dataset): string {
  return 'transformation' in data ? JSON.stringify(data.transformation) : '';
}

/** Up to so many numbers are compared, which takes a second or two. */
const mostCompared = 2 ** 27;

/** Notices items that are in both sets, number for number. */
export function sharedItems(target: Dataset, background: Dataset): string[] {
  if (target.fingerprint === background.fingerprint) return [overlap(background.length, background.length)];
  if ((target.length + background.length) * itemSize(target.shape) > mostCompared) return [];
  const known = new Set(digests(target));
  let both = 0;
  for (const digest of digests(background)) if (known.has(digest)) both++;
  return both > 0 ? [overlap(both, background.length)] : [];
}

function* digests(data: Dataset): Generator<string> {
  const item = new Float32Array(itemSize(data.shape));
  for (let i = 0; i < data.length; i++)
    yield createHash('sha256')
      .update(data.gather([i], item))
      .digest('base64');
}

function overlap(both: number, total: number): string {
  return `${both} of the ${total} items in the background are in the target too.`;
}
