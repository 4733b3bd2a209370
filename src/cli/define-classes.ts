/** The verbs of models with classes: classify and augment. Each loads its work when it is called, so that help stays quick. */
import { type Command, Option } from 'commander';
import { withDataFlags } from './flags.ts';

export function defineClasses(program: Command): void {
  withDataFlags(
    program
      .command('classify <run> [data]')
      .description('the class of each item, with confidence; accuracy and confusions where labels are known'),
    ...(['crop', 'label', 'skipBad', 'dataDir'] as const),
  )
    .option('--out <file.csv>', 'write the classes of all items')
    .addOption(
      new Option('--part <part>', 'which items')
        .choices(['train', 'validation', 'test', 'all'])
        .default(undefined, 'test of the run’s own data, all of other data'),
    )
    .option('--json', 'one machine-readable object on stdout')
    .addHelpText(
      'after',
      `
DATA is an image, a folder of images, a table or a dataset’s name; without it, the test part of the run’s own data.

Examples:
  untangle classify runs/n-vae-mnist-1
  untangle classify runs/n-vae-mnist-1 digit.png
  untangle classify runs/photos ./new-photos --out classes.csv`,
    )
    .action(async (run, data, options) => (await import('./classify.ts')).classify(run, data, options));

  program
    .command('augment <run>')
    .description('generated items of each class: a labelled folder of pictures, or rows of a table')
    .requiredOption('--per-class <n>', 'how many items of each class')
    .option('--sigma <n>', 'spread of the latent, in deviations of the prior', '1')
    .option('--out <path>', 'the folder to write, or a .csv for tables (otherwise augmented, augmented.csv)')
    .option('--seed <n>', 'decides every random draw', '1')
    .option('--json', 'one machine-readable object on stdout')
    .addHelpText(
      'after',
      `
The folder has a sub-folder for each class and a labels.csv, as “untangle train --data FOLDER” and other tools take it.

Example:
  untangle augment runs/n-vae-mnist-1 --per-class 500 --sigma 1.4 --out more-digits`,
    )
    .action(async (run, options) => (await import('./augment.ts')).augment(run, options));
}
