/**
 * A word after a training on whether it was enough: what its log says of the loss, and its codes of the latent dimensions. Each
 * finding is a sentence with what would help; where nothing is wrong, nothing is said.
 */
import { join } from 'node:path';
import { correlationMatrix, mean, variance } from '../analysis/index.ts';
import { heldOut } from '../data/index.ts';
import { klPerDimension } from '../metrics/index.ts';
import { type LogLine, type Run, readLog } from '../runs/index.ts';
import { openRunData } from '../training/index.ts';
import { asCodes, encodeItems, type JoinedCodes } from './encode-items.ts';
import { withModel } from './trained-model.ts';

/** What was found, and what would help: a flag or a setting. */
export interface Finding {
  kind: 'short' | 'falling' | 'overfitted' | 'collapsed' | 'dead' | 'redundant';
  sentence: string;
  help: string;
}

/** Items whose codes are looked at, at most. */
const mostItems = 1000;

/**
 * Looks back at a training that is done.
 *
 * @example for (const { sentence, help } of await lookBack(run)) console.log(sentence, help)
 */
export async function lookBack(run: Run): Promise<Finding[]> {
  const lines: LogLine[] = [];
  for await (const line of readLog(join(run.folder, 'log.jsonl'))) lines.push(line);
  const { steps } = run.file.training;
  const ofLog = findingsOfLog(lines, steps);
  const ofCodes = await withModel(run, async (model) => {
    if (!model.file.encodes) return [];
    const { target } = await openRunData(run.file, { onNote: () => {} });
    const items = heldOut(target.split).length >= 50 ? heldOut(target.split) : target.split.train;
    const chosen = items.subarray(0, mostItems);
    const codes = asCodes(await encodeItems(model, target.data, chosen), 'gaussian', chosen.length);
    return codes === undefined ? [] : findingsOfCodes(codes, steps, run.file.options);
  });
  return [...ofLog, ...ofCodes];
}

/** What the loss says: too few passes, still falling, or better on held-out items long ago. */
export function findingsOfLog(lines: readonly LogLine[], steps: number): Finding[] {
  const last = lines.at(-1);
  if (last === undefined) return [];
  const found: Finding[] = [];
  if (last.epoch < 1)
    found.push({
      kind: 'short',
      sentence: `The training has seen only ${Math.round(100 * last.epoch)} % of the items.`,
      help: '--epochs 20 makes every item count',
    });
  const better = overfittedSince(lines);
  if (better !== undefined)
    found.push({
      kind: 'overfitted',
      sentence: `The held-out loss was best at step ${better.step}, and is ${Math.round(100 * better.worse)} % higher now.`,
      help: '--set patience=5 stops when it no longer falls; more data helps more',
    });
  else {
    const fall = fallAtEnd(lines);
    if (fall !== undefined)
      found.push({
        kind: 'falling',
        sentence: `The loss was still falling: ${percent(fall)} over the last fifth of the steps.`,
        help: `--steps ${3 * steps} with --resume goes on`,
      });
  }
  return found;
}

/**
 * The share by which the loss fell between the last tenth of the steps and the tenth before it, where that is more than chance and
 * more than one per cent of the whole fall. Undefined where the objective itself changed on the way, as on a schedule.
 */
function fallAtEnd(lines: readonly LogLine[]): number | undefined {
  const end = lines[lines.length - 1].step;
  const between = (from: number, to: number) => lines.filter(({ step }) => step > from * end && step <= to * end);
  const [before, after] = [between(0.8, 0.9), between(0.9, 1)];
  if (before.length < 4 || after.length < 4) return undefined;
  if (JSON.stringify(before[0].weights ?? {}) !== JSON.stringify(after[after.length - 1].weights ?? {}))
    return undefined;
  const [a, b] = [before, after].map((part) => part.map(({ terms }) => terms.loss));
  const fall = mean(a) - mean(b);
  const chance = Math.sqrt(variance(a) / a.length + variance(b) / b.length);
  const whole = lines[0].terms.loss - mean(b);
  if (!(fall > 3 * chance) || fall < 0.01 * whole) return undefined;
  return fall / Math.abs(mean(a));
}

/** Where the held-out loss was best, if that is long ago and it has risen by a fiftieth since. */
function overfittedSince(lines: readonly LogLine[]): { step: number; worse: number } | undefined {
  const looks = lines.flatMap(({ step, validation }) =>
    validation === undefined ? [] : [{ step, loss: validation.loss }],
  );
  if (looks.length < 4) return undefined;
  const best = looks.reduce((least, one) => (one.loss < least.loss ? one : least));
  const now = looks[looks.length - 1];
  const worse = (now.loss - best.loss) / Math.abs(best.loss);
  return worse > 0.02 && best.step < 0.75 * now.step ? { step: best.step, worse } : undefined;
}

/** After fewer steps dimensions may still open. */
const fewSteps = 1000;

/** Dimensions below this many nats tell nothing of an item. */
const leastNats = 0.01;

/** Dimensions whose means go along with each other by this |correlation| say the same. */
const mostCorrelation = 0.9;

/** What the codes of items say: dimensions that carry nothing, or that say the same as others. */
export function findingsOfCodes(
  codes: JoinedCodes,
  steps: number,
  options: Readonly<Record<string, unknown>> = {},
): Finding[] {
  const { logVariance, blocks, values, n, d } = codes;
  if (logVariance === undefined || n < 2) return [];
  const nats = klPerDimension({ ...codes, logVariance });
  const nameOf = (j: number) => {
    const block = blocks.find(({ start, size }) => j >= start && j < start + size);
    return block === undefined ? `${j}` : `${block.name}[${j - block.start}]`;
  };
  const weight = ['beta', 'gamma'].find((name) => name in options);
  // Dimensions open one after the other, so that after few steps time is likelier missing than room.
  const more = steps < fewSteps ? `more steps may open them (--steps ${5 * steps} with --resume); ` : '';
  const lower = weight === undefined ? undefined : `${more}a lower ${weight} leaves them more room: --set ${weight}=…`;
  const active = Array.from(nats.keys()).filter((j) => nats[j] > leastNats);
  if (active.length === 0)
    return [
      {
        kind: 'collapsed',
        sentence: `No dimension carries anything of an item: the KL divergence is ${nats.reduce((sum, one) => sum + one, 0).toPrecision(2)} nats in all.`,
        help:
          weight === undefined
            ? `train longer: --steps ${3 * steps} with --resume`
            : `begin with a small weight: --set ${weight}=linear:0:1:${Math.max(1, Math.round(steps / 2))}`,
      },
    ];
  const found: Finding[] = [];
  if (active.length < d)
    found.push({
      kind: 'dead',
      sentence: `${active.length} of ${d} dimensions carry something; ${listed(
        Array.from({ length: d }, (_, j) => j)
          .filter((j) => !active.includes(j))
          .map(nameOf),
      )} nothing.`,
      help: lower ?? 'that is as it should be if so few suffice',
    });
  const r = correlationMatrix(values, n, d);
  const pairs = active.flatMap((i) =>
    active.filter((j) => j > i && Math.abs(r[i * d + j]) > mostCorrelation).map((j) => ({ i, j })),
  );
  if (pairs.length > 0)
    found.push({
      kind: 'redundant',
      sentence: `Some dimensions say the same: ${listed(pairs.map(({ i, j }) => `${nameOf(i)} and ${nameOf(j)} (|r| = ${Math.abs(r[i * d + j]).toFixed(2)})`))}.`,
      help: 'fewer of them (--set latents=…), or a method that keeps them apart, such as dip-vae-ii or beta-tcvae',
    });
  return found;
}

const percent = (share: number) => `${(100 * share).toPrecision(2)} %`;

/** The first few, and how many more there are. */
function listed(names: readonly string[]): string {
  const shown = names.slice(0, 4);
  return names.length > 4 ? `${shown.join(', ')} and ${names.length - 4} more` : shown.join(', ');
}
