/** The verbs that measure and compare. */
import type { Command } from 'commander';
import { boolean, choice, dataOptions, integer, list, number, required, text } from '../options/index.ts';
import { type Flags, jobsFlag, jsonFlag, metricFlags, seedFlag, withFlags } from './flags.ts';

const evaluateFlags = {
  ...metricFlags,
  part: choice('which part of the data', ['test', 'validation', 'held-out', 'train', 'all'], { default: 'test' }),
  items: integer('measure at most so many items', { min: 10, default: 20_000 }),
  with: list('other runs on the same data, for measures over several models', { of: 'text', title: 'runs...' }),
  seed: seedFlag('decides every random draw', 0),
  jobs: jobsFlag('metrics measured'),
  out: text('the file that the numbers go to (otherwise evaluation.json in the run)', { title: 'file' }),
  ...jsonFlag,
};
export type EvaluateFlags = Flags<typeof evaluateFlags>;

const scoreFlags = {
  codes: required(text('codes, a row an item (.npy, .npz, .csv)', { title: 'file' })),
  factors: text('known factors, a row an item (.npy, .npz, .csv)', { title: 'file' }),
  labels: text('a class for each item (.npy, .npz, .csv)', { title: 'file' }),
  logVariance: text('log variances of the posteriors, shaped like the codes', { title: 'file' }),
  background: text('codes of a background set', { title: 'file' }),
  ...metricFlags,
  seed: seedFlag('decides every random draw', 0),
  jobs: jobsFlag('metrics measured'),
  ...jsonFlag,
};
export type ScoreFlags = Flags<typeof scoreFlags>;

const contrastFlags = {
  dataDir: dataOptions.dataDir,
  out: text('where to write (otherwise RUN/contrast)', { title: 'folder' }),
  seed: seedFlag('decides every random draw', 1),
  ...jsonFlag,
};
export type ContrastFlags = Flags<typeof contrastFlags>;

const cpcaFlags = {
  data: required(text('a dataset’s name or a path', { title: 'data' })),
  alphas: list('values of α (otherwise those of a sweep that differ)', { of: 'number', min: 0, title: 'numbers' }),
  kernel: choice('kernel contrastive PCA: of 500 items of each set, in the space of this kernel', [
    'rbf',
    'polynomial',
  ]),
  out: text('where to write', { title: 'folder', default: 'cpca' }),
  ...jsonFlag,
  ...dataOptions,
};
export type CpcaFlags = Flags<typeof cpcaFlags>;

const clvmFlags = {
  data: required(text('a dataset’s name or a path', { title: 'data' })),
  shared: integer('directions that both sets vary in (otherwise 5)', { min: 0, max: 999 }),
  salient: integer('directions that the target adds (otherwise 2)', { min: 1, max: 999 }),
  freedom: number('Student-t items with so many degrees of freedom, of which odd ones count less', {
    min: 0.01,
    schedulable: false,
  }),
  relevance: boolean('draw salient directions that are not needed to nothing'),
  out: text('where to write', { title: 'folder', default: 'clvm' }),
  ...jsonFlag,
  ...dataOptions,
};
export type ClvmFlags = Flags<typeof clvmFlags>;

export function defineMeasuring(program: Command): void {
  withFlags(
    program
      .command('evaluate <run...>')
      .description('measure runs on their data’s held-out part: every metric that applies, or those named'),
    evaluateFlags,
  )
    .addHelpText(
      'after',
      '\nExamples:\n  untangle evaluate runs/beta-vae-dsprites-small-1 --metrics sap,mig,dci\n  untangle evaluate runs/a-1 runs/a-2 runs/a-3 --metrics mig,udr',
    )
    .action(async (runs, flags) => (await import('./evaluate.ts')).evaluate(runs, flags));

  withFlags(
    program.command('score').description('measure codes against factors: every metric that the input allows'),
    scoreFlags,
  )
    .addHelpText(
      'after',
      `
An .npz may hold codes, factors, labels and logVariance together; then --codes names it alone.

Example:
  untangle score --codes codes.npy --factors factors.npy --protocol disentanglement-lib`,
    )
    .action(async (flags) => (await import('./score.ts')).score(flags));

  withFlags(
    program.command('metrics [name]').description('the metrics, with one line each; or one with its options'),
    jsonFlag,
  )
    .addHelpText('after', '\nExample:\n  untangle metrics sap')
    .action(async (name, flags) => (await import('./metrics.ts')).listMetrics(name, flags));

  withFlags(
    program
      .command('compare <run...>')
      .description('runs side by side: the settings that differ, the last terms, the metrics'),
    jsonFlag,
  )
    .addHelpText('after', '\nExample:\n  untangle compare runs/vae-mnist-1 runs/beta-vae-mnist-1')
    .action(async (runs, flags) => (await import('./compare.ts')).compare(runs, flags));

  withFlags(
    program
      .command('explain <run>')
      .description('say in words what each dimension does: measured on what the decoder makes')
      .option('--no-factors', 'do not open the data to look which known factors a dimension goes with'),
    jsonFlag,
  )
    .addHelpText('after', '\nExample:\n  untangle explain runs/beta-vae-dsprites-small-1')
    .action(async (run, flags) => (await import('./explain.ts')).explain(run, flags));

  withFlags(
    program
      .command('verify <run>')
      .description('read a whole run again, and name every file that is not what was written'),
    jsonFlag,
  )
    .addHelpText('after', '\nExample:\n  untangle verify runs/beta-vae-dsprites-small-1')
    .action(async (run, flags) => (await import('./verify.ts')).verify(run, flags));

  withFlags(
    program
      .command('contrast <run>')
      .description('what the target of a run has and its background lacks, as a page and as JSON'),
    contrastFlags,
  )
    .addHelpText(
      'after',
      `
Writes contrast.html, contrast.json and salience.csv.

Examples:
  untangle train contrastive-w2 --data mice.csv --where "class in c-SC-s,t-SC-s" --background-where "class = c-CS-s"
  untangle contrast runs/contrastive-w2-mice-1`,
    )
    .action(async (run, flags) => (await import('./contrast.ts')).contrast(run, flags));

  withFlags(
    program
      .command('cpca')
      .description(
        'contrastive PCA, the linear baseline: directions in which the target varies and the background does not',
      ),
    cpcaFlags,
  )
    .addHelpText(
      'after',
      `
Needs no training. α = 0 is PCA of the target; the larger α, the less of the background’s variance is allowed.

Examples:
  untangle cpca --data mice.csv --where "class in c-SC-s,t-SC-s" --background-where "class = c-CS-s"
  untangle cpca --data grassy-mnist --alphas 0,1,10`,
    )
    .action(async (flags) => (await import('./cpca.ts')).cpca(flags));

  withFlags(
    program
      .command('clvm')
      .description('contrastive latent variables: what the target adds, how sure that is of each item, gaps left out'),
    clvmFlags,
  )
    .addHelpText(
      'after',
      `
Needs no training: EM, with both steps in closed form. Missing numbers are left out, not filled in.

Examples:
  untangle clvm --data mice.csv --where "class in c-SC-s,t-SC-s" --background-where "class = c-CS-s"
  untangle clvm --data patients.csv --background controls.csv --salient 4 --relevance --freedom 4`,
    )
    .action(async (flags) => (await import('./clvm.ts')).fitClvm(flags));
}
