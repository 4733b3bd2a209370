/** `explain`: what each dimension of a run's model does, measured on what its decoder makes, and the known factors that it goes with. */
import { correlation } from '../analysis/index.ts';
import { takenFactors } from '../data/index.ts';
import { type ExplainedModel, type Explanation, explainDimension } from '../explain/index.ts';
import type { ModelBlock } from '../model/index.ts';
import type { ModelFile, Run } from '../runs/index.ts';
import { openRunData } from '../training/index.ts';
import { encodeItems } from './encode-items.ts';
import { type TrainedModel, withModel } from './trained-model.ts';

export interface ExplainedDimension extends Explanation {
  block: string;
  index: number;
  /** How much it carries, in nats. */
  kl?: number;
  /** Known factors that its codes go with on test items, the closest first. */
  factors: { name: string; correlation: number }[];
}

interface ExplainOptions {
  /** Whether the run's data is opened to look for known factors (otherwise it is). */
  factors?: boolean;
  onNote?: (sentence: string) => void;
  onProgress?: (share: number) => void;
}

/** A dimension that carries less, in nats, is not looked at. */
const quiet = 0.01;
/** Items whose factors are looked at, at most. */
const mostItems = 2000;
/** Correlations below are not told. */
const close = 0.4;

/**
 * What the dimensions of a run's model do, those first that carry most.
 *
 * @example (await explain('runs/beta-vae-dsprites-1')).dimensions[0].name // 'moves right, 31 px'
 */
export async function explain(
  meant: Run | string,
  { factors = true, onNote = () => {}, onProgress = () => {} }: ExplainOptions = {},
): Promise<{ run: Run; step: number; dimensions: ExplainedDimension[] }> {
  return await withModel(meant, async (model, run) => {
    const { file } = model;
    const known = factors && file.encodes ? await knownFactors(model, run, onNote) : undefined;
    const wanted = file.blocks
      .filter(({ kind }) => kind === 'gaussian')
      .flatMap((block) => Array.from({ length: block.size }, (_, index) => ({ block, index, kl: block.kl?.[index] })))
      .sort((a, b) => Number(b.kl ?? 0) - Number(a.kl ?? 0));
    const explained = explainedModel(file, (codes) => model.decode(codes));
    const dimensions: ExplainedDimension[] = [];
    for (const [done, { block, index, kl }] of wanted.entries()) {
      const isQuiet = kl !== undefined && !(kl >= quiet);
      const told = isQuiet ? nothing : await explainDimension(explained, block, index);
      dimensions.push({
        block: block.name,
        index,
        ...(kl !== undefined && { kl }),
        ...told,
        factors: isQuiet ? [] : (known?.(block, index) ?? []),
      });
      onProgress((done + 1) / wanted.length);
    }
    return { run, step: file.step, dimensions };
  });
}

const nothing: Explanation = { changes: [], explained: 0, isSeveral: false, name: 'does next to nothing' };

/** A model's files as what is explained of them. */
function explainedModel(
  { blocks, data: { shape, transformation } }: ModelFile,
  decode: ExplainedModel['decode'],
): ExplainedModel {
  return { blocks, shape, decode, ...(transformation && { columns: transformation.columns }) };
}

/** The factors that a dimension's codes go with, of test items. */
async function knownFactors(model: TrainedModel, run: Run, onNote: (sentence: string) => void) {
  const { data, split } = (await openRunData(run.file, { onNote })).target;
  const items = split.test.length > 0 ? split.test : split.train;
  const chosen = items.subarray(0, mostItems);
  if (!data.factors || chosen.length < 3) return undefined;
  const { factors, values } = takenFactors(data.factors, chosen);
  const codes = await encodeItems(model, data, chosen);
  return (block: ModelBlock, index: number) => {
    const own = codes.find((one) => one.block.name === block.name)?.values ?? new Float32Array(0);
    const column = Float64Array.from(chosen, (_, row) => own[row * block.size + index]);
    return factors
      .map(({ name }, k) => {
        const known = Float64Array.from(chosen, (_, row) => values[row * factors.length + k]);
        return { name, correlation: correlation(column, known) };
      })
      .filter(({ correlation: r }) => Math.abs(r) >= close)
      .sort((a, b) => Math.abs(b.correlation) - Math.abs(a.correlation));
  };
}
