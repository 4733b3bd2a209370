/** The verbs that make and measure runs. Each loads its work when it is called, so that help stays quick. */
import { type Command, Option } from 'commander';
import { trainOptions } from '../options/index.ts';
import { withDataFlags, withFlags } from './flags.ts';

export function defineTraining(program: Command): void {
  const { method: _, ...asked } = trainOptions;
  withFlags(
    program.command('train [method]').description('train a method on data; Ctrl-C stops, --resume goes on'),
    asked,
  )
    .option(
      '--config <file>',
      'settings from a YAML or JSON file, each of these flags and options by name; flags go before them',
    )
    .option('--set <key=value...>', 'any option of the method or the training, as in beta=linear:0:4:10000')
    .option('--from <run.json>', 'repeat the run that this file describes')
    .option('--resume [run]', 'go on with a run from its last checkpoint')
    .option('--json', 'one machine-readable object on stdout')
    .addHelpText(
      'after',
      `
Examples:
  untangle train beta-vae --data dsprites-small --set beta=4 --steps 20000
  untangle train dip-vae-ii --data ./photos --size 64 --crop --epochs 20 --out runs/photos
  untangle train contrastive-correct --data scans --where "label = ill" --background-where "label = well"
  untangle train --resume runs/photos`,
    )
    .action(async (method, options) => (await import('./train.ts')).train(method, options));

  program
    .command('evaluate <run>')
    .description('measure a run on its data’s held-out part: every metric that applies, or those named')
    .option('--metrics <names>', 'metrics, with commas between them')
    .option('--protocol <name>', 'a preset: disentanglement-lib, dip-vae or parted-vae')
    .option('--set <metric.option=value...>', 'an option of a metric, as in mig.bins=10')
    .addOption(
      new Option('--part <part>', 'which part of the data')
        .choices(['test', 'validation', 'held-out', 'train', 'all'])
        .default('test'),
    )
    .option('--items <n>', 'measure at most so many items', '20000')
    .option('--with <runs...>', 'other runs on the same data, for measures over several models')
    .option('--seed <n>', 'decides every random draw', '0')
    .addOption(new Option('--jobs <n>', 'metrics measured at once').default(undefined, 'one for each core'))
    .option('--out <file>', 'the file that the numbers go to (otherwise evaluation.json in the run)')
    .option('--json', 'one machine-readable object on stdout')
    .addHelpText('after', '\nExample:\n  untangle evaluate runs/beta-vae-dsprites-small-1 --metrics sap,mig,dci')
    .action(async (run, options) => (await import('./evaluate.ts')).evaluate(run, options));

  program
    .command('methods [name]')
    .description('the methods, with one line each; or one with its options and presets')
    .option('--json', 'one machine-readable object on stdout')
    .addHelpText('after', '\nExample:\n  untangle methods dip-vae-ii')
    .action(async (name, options) => (await import('./methods.ts')).listMethods(name, options));

  program
    .command('compare <run...>')
    .description('runs side by side: the settings that differ, the last terms, the metrics')
    .option('--json', 'one machine-readable object on stdout')
    .addHelpText('after', '\nExample:\n  untangle compare runs/vae-mnist-1 runs/beta-vae-mnist-1')
    .action(async (runs, options) => (await import('./compare.ts')).compare(runs, options));

  withDataFlags(
    program
      .command('reproduce [study]')
      .description('run a paper’s table or figure again, ours beside theirs; goes on from what is there'),
    'dataDir',
  )
    .option('--list', 'the studies that there are')
    .addOption(
      new Option('--budget <how>', 'minutes, a night on two cores, or the paper’s whole protocol')
        .choices(['quick', 'standard', 'paper'])
        .default('quick'),
    )
    .option('--jobs <n>', 'runs at once (otherwise one for each core)')
    .option('--executor <address>', 'who trains: redis://HOST:PORT, or slurm (otherwise this machine)')
    .option('--arms <names>', 'only these rows, with commas between them')
    .option('--seeds <numbers>', 'other seeds than the budget’s, such as 1..5 or 1,3; five or more settle claims')
    .option('--set <key=value...>', 'settings over the study’s')
    .option('--runs <folder>', 'where runs are kept, and shared by studies', 'runs/studies')
    .option('--out <folder>', 'where the report goes (otherwise beside the runs)')
    .option('--results <folder>', 'where the record of rows and claims goes, as STUDY.json', 'results')
    .option('--json', 'one machine-readable object on stdout')
    .addHelpText(
      'after',
      '\nExamples:\n  untangle reproduce --list\n  untangle reproduce contrastive-table-1 --budget standard --seeds 1..5',
    )
    .action(async (study, options) => (await import('./reproduce.ts')).reproduce(study, options));
}
