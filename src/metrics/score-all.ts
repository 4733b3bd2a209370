/** Measures everything that the inputs allow, or what was asked for, and says what was left out and why. */
import { UntangleError, unknownName } from '../errors.ts';
import { parseSettings, type StoredOptions } from '../options/index.ts';
import { checkInputs } from './checks.ts';
import { inputsFor } from './known.ts';
import { type Inputs, type Metric, missing, type Result, type ScoreContext } from './metric.ts';
import { protocolOf } from './protocols.ts';
import { metrics } from './registry.ts';

export interface ScoreRequest {
  /** Metrics by name; by default all, or those of the protocol. */
  names?: readonly string[];
  /** A preset's options (and, without names, its metrics). */
  protocol?: string;
  /** Options of single metrics, which come before the protocol's. */
  options?: Record<string, Record<string, unknown>>;
}

export interface LeftOut {
  name: string;
  why: string;
}

export interface Scores {
  protocol?: string;
  results: Result[];
  leftOut: LeftOut[];
}

/** The metrics that a request names: its own, or those of its protocol, or all. */
export function requestedNames({ names, protocol }: ScoreRequest): readonly string[] {
  return names ?? Object.keys(protocol === undefined ? metrics : protocolOf(protocol).metrics);
}

/**
 * Options of single metrics as they are typed after `--set`.
 *
 * @example parseMetricSettings(['mig.bins=10', 'mig.rows=5000']) // { mig: { bins: 10, rows: 5000 } }
 */
export function parseMetricSettings(settings: readonly string[]): Record<string, StoredOptions> {
  const options: Record<string, StoredOptions> = {};
  for (const text of settings) {
    const [, name, setting] = /^([^.=]+)\.([^=]+=.*)$/s.exec(text) ?? [];
    if (name === undefined)
      throw new UntangleError(`“${text}” does not set an option.`, {
        kind: 'call',
        hint: 'Write metric.option=value, as in mig.bins=10.',
      });
    checkMetric(name);
    options[name] = { ...options[name], ...parseSettings(metrics[name].options, [setting], `option of ${name}`) };
  }
  return options;
}

/** An error for a name that no metric has. */
export function checkMetric(name: string): void {
  if (!Object.hasOwn(metrics, name)) throw unknownName('metric', name, Object.keys(metrics));
}

/**
 * Scores the inputs. A metric whose needs are not met is left out with a sentence, and so is one that finds nothing to
 * measure; codes that are not finite or arrays that do not fit are an error, and so is a name that nobody knows.
 *
 * @example scoreAll({ codes, factors }, { protocol: 'disentanglement-lib' }, { seed: 0 })
 */
export function scoreAll(inputs: Inputs, request: ScoreRequest = {}, context: ScoreContext = { seed: 0 }): Scores {
  const preset = request.protocol === undefined ? undefined : protocolOf(request.protocol);
  const names = requestedNames(request);
  for (const name of [...names, ...Object.keys(request.options ?? {})]) checkMetric(name);
  // Known columns may have gaps here, which no metric sees.
  checkInputs({ ...inputs, factors: undefined });

  const results: Result[] = [];
  const leftOut: LeftOut[] = [];
  const tasks = names.flatMap((name) => tasksOf(metrics[name], inputs));
  tasks.forEach(({ metric, own, ...labels }, at) => {
    const { inputs: seen, notes } = inputsFor(metric.needs, inputs);
    const lacking = missing(seen, metric.needs);
    if (lacking.length > 0) {
      leftOut.push({
        name: metric.name,
        why: [`needs ${lacking.join(' and ')}`, ...notes].map((one) => one.replace(/\.$/, '')).join('. '),
      });
      return;
    }
    const progress = (share: number, what: string) => context.onProgress?.((at + share) / tasks.length, what);
    progress(0, labels.title);
    try {
      const options = { ...preset?.metrics[metric.name], ...request.options?.[metric.name], ...own };
      const result = metric.score(seen, options, { ...context, onProgress: progress });
      results.push({ ...result, ...labels, notes: [...notes, ...result.notes] });
    } catch (error) {
      // A wrong option is the caller's to mend; that there is nothing to measure is an answer.
      if (!(error instanceof UntangleError) || error.kind === 'call') throw error;
      leftOut.push({ name: labels.name, why: error.message });
    }
  });
  context.onProgress?.(1, 'done');
  return { ...(request.protocol === undefined ? {} : { protocol: request.protocol }), results, leftOut };
}

/** One measurement: a metric with options of its own, under the name that its result has. */
interface Task extends Pick<Result, 'name' | 'title' | 'better'> {
  metric: Metric;
  own: Record<string, unknown>;
}

/** A metric by itself, and on its counterpart too where the codes have both blocks. */
function tasksOf(metric: Metric, inputs: Inputs): Task[] {
  const { name, title, better, needs, counterpart } = metric;
  const alone = { metric, name, title, better, own: {} };
  const blocks = inputs.codes?.blocks ?? [];
  const other = blocks.find(({ role }) => role === counterpart?.role);
  const hasBoth = other && blocks.some(({ role }) => role === counterpart?.of);
  if (!counterpart || !hasBoth || missing(inputs, needs).length > 0) return [alone];
  const [nameOfOther, titleOfOther] = [name, title].map((text) => onBlock(text, other.name));
  return [
    alone,
    { metric, name: nameOfOther, title: titleOfOther, better: counterpart.better, own: { block: other.name } },
  ];
}

/** The name of a metric's result on a block that is not its own. @example onBlock('clustering', 'z') // 'clustering of z' */
export function onBlock(metric: string, block: string): string {
  return `${metric} of ${block}`;
}
