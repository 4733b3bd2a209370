/**
 * The contrast report of a run (`untangle contrast`): does the target hold anything that the background lacks, how many factors
 * are there, what do they look like, and do the two blocks keep to their own. All numbers are of held-out items unless said.
 */
import { sharedItems } from '../data/index.ts';
import type { Drawing } from '../drawing/index.ts';
import { UntangleError } from '../errors.ts';
import { methods } from '../methods/index.ts';
import { type Run, readModelFile } from '../runs/index.ts';
import { openRunData, type RunData } from '../training/index.ts';
import { TrainedModel } from '../use/index.ts';
import { type ClusterReport, clustersOf, drawClusters } from './clusters.ts';
import { columnsMoved, drawColumns, type FactorColumns } from './columns.ts';
import { drawDecoded } from './decoded.ts';
import { type SalientDirections, salientDirections } from './directions.ts';
import { codesIn, type EncodedSet, encodeSet } from './encoded.ts';
import { type SalientFactor, salientFactors } from './factors.ts';
import { type Leakage, leakageBetween } from './leakage.ts';
import { drawPlaces } from './places.ts';
import { drawExtremes, type SalienceReport, salienceCsv, salienceReport, salienceScores } from './salience.ts';
import { settling } from './settling.ts';
import { type Verdict, verdictOn } from './verdict.ts';

export interface ContrastReport {
  run: string;
  method: string;
  title: string;
  step: number;
  seed: number;
  kind: 'image' | 'table';
  data: Record<'target' | 'background', { name: string; items: number; heldOut: number }>;
  verdict: Verdict;
  factors: SalientFactor[];
  /** How many factors the dimensions hold, since several may say the same. */
  directions: SalientDirections;
  /** Clusters, moved columns and salient items are those of a difference: without one there are none. */
  clusters?: ClusterReport;
  /** For tables: what each salient factor moves. */
  columns?: FactorColumns[];
  salience?: SalienceReport;
  leakage: Leakage;
  notes: string[];
}

/** A picture with the part of the report that it belongs to. */
export interface Figure {
  part: 'codes' | 'clusters' | 'traversal' | 'swap' | 'transfer' | 'synthesis' | 'salience' | 'columns';
  drawing: Drawing;
}

export interface ContrastOptions {
  seed?: number;
  dataDir?: string;
  onNote?: (sentence: string) => void;
  onProgress?: (share: number, what: string) => void;
}

/** More factors than this are not moved one by one. */
const mostFactors = 8;

/** @example const { report, figures, csv } = await contrastReport(await findRun('contrastive-w2-mice-1')) */
export async function contrastReport(
  run: Run,
  { seed = 1, dataDir, onNote = () => {}, onProgress = () => {} }: ContrastOptions = {},
): Promise<{ report: ContrastReport; figures: Figure[]; csv: string }> {
  await checkContrast(run);
  const notes: string[] = [];
  const data = await openRunData(run.file, {
    onNote: (sentence) => {
      notes.push(sentence);
      onNote(sentence);
    },
    dataDir,
  });
  notes.push(...overlapOf(data));
  const model = await TrainedModel.open(run.folder);
  try {
    const { target, background } = await encodeBoth(model, data, onProgress);
    onProgress(0.4, 'testing');
    const factors = salientFactors(model, target, background);
    const verdict = verdictOn(model, target, background, factors, seed);
    onProgress(0.55, 'looking for clusters');
    const isFound = verdict.found === 'difference';
    const directions = salientDirections(target, background, factors);
    const clusters = isFound ? clustersOf(target, seed) : undefined;
    const scores = salienceScores(model, target, background);
    onProgress(0.7, 'probing the blocks');
    const leakage = leakageBetween(target, background, seed);
    const active = factors.filter((factor) => factor.active);
    const moved = (active.length > 0 ? active : factors).slice(0, mostFactors);
    const columns = isFound ? await columnsMoved(model, target, background, directions) : undefined;
    const log = await settling(run.folder);
    if (log !== undefined) notes.push(log);
    const report: ContrastReport = {
      run: run.name,
      method: run.file.method,
      title: model.file.title,
      step: model.file.step,
      seed,
      kind: model.file.data.shape.kind,
      data: { target: facts(target), background: facts(background) },
      verdict,
      factors,
      directions,
      clusters,
      columns,
      salience: isFound ? salienceReport(target, scores) : undefined,
      leakage,
      notes,
    };
    onProgress(0.8, 'drawing');
    const codes = (['salient', 'shared'] as const)
      .filter((which) => codesIn(target, which).d > 0)
      .map((which): Figure => ({ part: 'codes', drawing: drawPlaces(target, background, which, seed) }));
    const rest: Figure[] = [];
    if (clusters && model.file.data.shape.kind === 'image') {
      rest.push({ part: 'clusters', drawing: drawClusters(model, target, clusters.clusters) });
      rest.push(...(await drawDecoded(model, data, background, moved, seed)));
      rest.push({ part: 'salience', drawing: drawExtremes(model, target, scores.target) });
    }
    for (const one of columns ?? []) {
      const drawing = drawColumns(one);
      if (drawing) rest.push({ part: 'columns', drawing });
    }
    return { report, figures: [...codes, ...rest], csv: salienceCsv(target, background, scores, clusters?.clusters) };
  } finally {
    await model.close();
  }
}

/** Refuses a run whose method has no salient block, before its data is opened. */
async function checkContrast(run: Run): Promise<void> {
  const file = await readModelFile(run.folder);
  if (file === undefined || file.blocks.some(({ role }) => role === 'salient')) return;
  const others = Object.values(methods).filter(({ needs }) => needs === 'target+background');
  throw new UntangleError(
    `${run.name} is a run of ${run.file.method}, which has no salient block: it does not set a target against a background.`,
    { kind: 'call', hint: `Methods that do: ${others.map(({ name }) => name).join(', ')}.` },
  );
}

/** Items of both sets may be held out of one and trained on in the other. */
function overlapOf({ target, background }: RunData): string[] {
  return background
    ? sharedItems(target.data, background.data).map(
        (sentence) => `${sentence} Some that are held out of one set were trained on in the other.`,
      )
    : [];
}

async function encodeBoth(model: TrainedModel, data: RunData, onProgress: (share: number, what: string) => void) {
  const { background } = data;
  if (background === undefined)
    throw new UntangleError(`The data of this run is one set; a contrast needs a background.`, { kind: 'call' });
  return {
    target: await encodeSet(model, 'target', data.target, (share) => onProgress(0.2 * share, 'encoding')),
    background: await encodeSet(model, 'background', background, (share) => onProgress(0.2 + 0.2 * share, 'encoding')),
  };
}

function facts({ data, heldOut }: EncodedSet) {
  return { name: data.name, items: data.length, heldOut: heldOut.length };
}
