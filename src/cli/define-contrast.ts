/** The verbs that compare a target with a background: a report on a run, and the linear baseline on data as they are. */
import type { Command } from 'commander';
import { withDataFlags } from './flags.ts';

export function defineContrast(program: Command): void {
  withDataFlags(
    program
      .command('contrast <run>')
      .description('what the target of a run has and its background lacks, as a page and as JSON'),
    'dataDir',
  )
    .option('--out <folder>', 'where to write (otherwise RUN/contrast)')
    .option('--seed <n>', 'decides every random draw', '1')
    .option('--json', 'one machine-readable object on stdout')
    .addHelpText(
      'after',
      `
Writes contrast.html, contrast.json and salience.csv.

Examples:
  untangle train contrastive-w2 --data mice.csv --where "class in c-SC-s,t-SC-s" --background-where "class = c-CS-s"
  untangle contrast runs/contrastive-w2-mice-1`,
    )
    .action(async (run, options) => (await import('./contrast.ts')).contrast(run, options));

  withDataFlags(
    program
      .command('cpca')
      .description(
        'contrastive PCA, the linear baseline: directions in which the target varies and the background does not',
      )
      .requiredOption('--data <data>', 'a dataset’s name or a path')
      .option('--alphas <numbers>', 'values of α with commas between them (otherwise those of a sweep that differ)')
      .option('--out <folder>', 'where to write', 'cpca')
      .option('--json', 'one machine-readable object on stdout'),
  )
    .addHelpText(
      'after',
      `
Needs no training. α = 0 is PCA of the target; the larger α, the less of the background’s variance is allowed.

Examples:
  untangle cpca --data mice.csv --where "class in c-SC-s,t-SC-s" --background-where "class = c-CS-s"
  untangle cpca --data grassy-mnist --alphas 0,1,10`,
    )
    .action(async (options) => (await import('./cpca.ts')).cpca(options));
}
