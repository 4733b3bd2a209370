/**
 * Novelty: how far rows that nobody has seen lie from what the background is like, and how often a background row lies as far.
 * Scores of held-out background items are what a new row's score is set against (conformal prediction, Vovk et al. 2005): if the row
 * is one more of the background, its p-value is at most α with a chance of at most α, whatever the model is worth.
 */
import { csvLine, heldOut } from '../data/index.ts';
import type { ModelBlock } from '../model/index.ts';
import type { Run } from '../runs/index.ts';
import { openRunData, type Parted } from '../training/index.ts';
import { type BlockCodes, type EncodedItems, encodeItems, withModel } from '../use/index.ts';

export interface Novelty {
  /** For each row its salience, in units of held-out target items, and its p-value. */
  rows: { item: number; salience: number; pValue: number }[];
  /** Held-out background items that rows are set against. */
  references: number;
  /**
   * How often the threshold of a rate was passed: by test items of the background, which it should be in that share, with those of
   * the validation part as references, and by the target's.
   */
  calibration: { rate: number; threshold: number; background: number; target: number; items: number }[];
}

const rates = [0.01, 0.05, 0.1, 0.2];

/** The salience of encoded rows, with p-values from the background that the run was trained with. */
export async function novelty(run: Run, { items, codes }: EncodedItems): Promise<Novelty> {
  return await withModel(run, async (model) => {
    const { target, background } = await openRunData(run.file, { onNote: () => {} });
    if (background === undefined) throw new Error('a run with a salient block has a background');
    const scored = async ({ data }: Parted, chosen: Uint32Array) =>
      distances(await encodeItems(model, data, chosen), chosen.length);
    const held = (parted: Parted) => {
      const found = heldOut(parted.split);
      return found.length > 0 ? found : parted.split.train;
    };
    const references = await scored(background, held(background));
    const ofTarget = await scored(target, held(target));
    const unit = Math.sqrt(ofTarget.reduce((sum, value) => sum + value ** 2, 0) / ofTarget.length) || 1;
    const { validation, test } = background.split;
    const [first, second] = [await scored(background, validation), await scored(background, test)];
    const found = distances(codes, items.length);
    return {
      rows: Array.from(found, (distance, i) => ({
        item: items[i],
        salience: distance / unit,
        pValue: chanceOf(distance, references),
      })),
      references: references.length,
      calibration: rates.map((rate) => {
        const passed = (all: Float64Array, among: Float64Array) =>
          all.reduce((sum, one) => sum + Number(chanceOf(one, among) <= rate), 0) / Math.max(1, all.length);
        return {
          rate,
          threshold: thresholdOf(rate, references) / unit,
          background: passed(second, first),
          target: passed(ofTarget, references),
          items: second.length,
        };
      }),
    };
  });
}

/** The chance that a further one of some scores is as large: (1 + how many are) / (1 + how many there are). */
export function chanceOf(score: number, among: Float64Array): number {
  let larger = 0;
  for (const one of among) if (one >= score) larger++;
  return (1 + larger) / (1 + among.length);
}

/** Scores above it have a chance of at most the rate; infinite where there are too few to tell. */
export function thresholdOf(rate: number, among: Float64Array): number {
  const allowed = Math.floor(rate * (among.length + 1)) - 1;
  return allowed < 0 ? Number.POSITIVE_INFINITY : Float64Array.from(among).sort()[among.length - 1 - allowed];
}

/** How far the salient codes of items lie from the neutral one. */
function distances(codes: readonly BlockCodes[], n: number): Float64Array {
  const salient = codes.filter(({ block }) => block.role === 'salient');
  const neutral = ({ neutral: code }: ModelBlock, k: number) => code?.[k] ?? 0;
  return Float64Array.from({ length: n }, (_, i) =>
    Math.sqrt(
      salient.reduce((sum, { block, values }) => {
        for (let k = 0; k < block.size; k++) sum += (values[i * block.size + k] - neutral(block, k)) ** 2;
        return sum;
      }, 0),
    ),
  );
}

/** Every row with its salience and p-value. */
export function noveltyCsv({ rows }: Novelty): string {
  const short = (value: number) => String(Number(value.toPrecision(6)));
  return [['item', 'salience', 'p'], ...rows.map((row) => [`${row.item}`, short(row.salience), short(row.pValue)])]
    .map(csvLine)
    .join('');
}

/** What is told of it: how many rows are unlike the background, and whether that can be trusted. */
export function noveltySentences({ rows, references, calibration }: Novelty): string[] {
  const unlike = (rate: number) => rows.filter(({ pValue }) => pValue <= rate).length;
  const told = calibration.filter(({ threshold }) => Number.isFinite(threshold));
  return [
    ...told
      .slice(0, 2)
      .map(
        ({ rate, threshold }) =>
          `${unlike(rate)} of ${rows.length} rows are unlike the background at a false positive rate of ${rate} (salience above ${threshold.toFixed(2)}).`,
      ),
    ...(told.length < calibration.length
      ? [
          `With ${references} held-out background rows no rate below ${(1 / (references + 1)).toPrecision(2)} can be told.`,
        ]
      : []),
    `The rates were tried out on ${calibration[0].items} background rows: ${calibration.map(({ rate, background }) => `${rate} → ${background.toFixed(3)}`).join(', ')}; of held-out target rows ${calibration.map(({ target }) => target.toFixed(2)).join(', ')} pass.`,
  ];
}
