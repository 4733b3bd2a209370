/** Opens the data that a run names, and says so when it is no longer the data that the run was made with. */
import { chooseData, type DataOptions, type Opened } from '../data/index.ts';
import { defined } from '../defined.ts';
import { UntangleError } from '../errors.ts';
import { labelOptions, parseOptions } from '../options/index.ts';
import { methodOf } from '../plugins/index.ts';
import type { RunFile } from '../runs/index.ts';
import { partData, type RunData } from './data.ts';

export interface OpenRunDataOptions {
  onNote?: ((sentence: string) => void) | undefined;
  /** Another place of the data than the run's, such as a moved folder. */
  dataDir?: string;
}

/** The data of a run, parted as the run parts it. */
export async function openRunData(
  file: Pick<RunFile, 'data' | 'training' | 'method' | 'plugins'>,
  { onNote, dataDir }: OpenRunDataOptions = {},
): Promise<RunData> {
  const method = methodOf(file, onNote);
  const { target, background } = file.data;
  // What stands under `options` was taken from a call of `chooseData` when the run was made.
  const { opened } = await chooseData(target.source, {
    ...(target.options as DataOptions),
    ...defined({ dataDir }),
    where: target.condition,
    background: background?.source === target.source ? undefined : background?.source,
    backgroundWhere: background?.condition,
  });
  const now = fingerprintsOf(opened);
  if (now.target !== target.fingerprint || (background && now.background !== background.fingerprint)) {
    const sentence = `“${target.source}” no longer holds the data that this run was trained on.`;
    if (onNote === undefined)
      throw new UntangleError(sentence, { hint: 'Bring the old files back, or train a new run.' });
    onNote(sentence);
  }
  const { seed, validation = 0.1 } = file.training;
  const { labels, labelsFrom, labelFactors } = file.data;
  return partData(opened, method, {
    seed,
    validation: Number(validation),
    ...parseOptions(labelOptions, { labels, labelsFrom, labelFactors }),
  });
}

/** What tells data apart, as `run.json` holds it. */
export function fingerprintsOf(opened: Opened): { target: string; background?: string } {
  return opened.kind === 'single'
    ? { target: opened.data.fingerprint }
    : { target: opened.target.fingerprint, background: opened.background.fingerprint };
}
