#!/usr/bin/env node
/** The command line: one file a verb, loaded when it is called. */
import { Command, CommanderError, Option } from 'commander';
import { nearest, UntangleError } from '../errors.ts';
import { version } from '../version.ts';
import { defineClasses } from './define-classes.ts';
import { defineContrast } from './define-contrast.ts';
import { defineExport } from './define-export.ts';
import { defineLooking } from './define-looking.ts';
import { defineSharing } from './define-sharing.ts';
import { defineStudio } from './define-studio.ts';
import { defineTraining } from './define-training.ts';
import { withDataFlags } from './flags.ts';
import { defineSweep } from './sweep.ts';
import { tellError } from './terminal.ts';

const program = new Command('untangle')
  .description('Learns disentangled representations of images and tables, and measures them.')
  .version(version, '-v, --version', 'which version of untangle this is')
  .option('--debug', 'show where an error comes from')
  .option(
    '--plugin <file>',
    'code of your own with methods, metrics, datasets or networks; may be given again',
    together,
  )
  .configureHelp({ showGlobalOptions: true })
  .exitOverride()
  .configureOutput({ writeErr: () => {} })
  .showHelpAfterError(false)
  .addHelpText(
    'after',
    `
Examples:
  untangle demo                                       train DIP-VAE-II on MNIST and look at it, in about three minutes
  untangle train beta-vae --data dsprites-small       train a method on data
  untangle picture runs/beta-vae-dsprites-small-1 traversal
  untangle score --codes codes.npy --factors f.npy    measure anybody's codes
  untangle data preview grassy-mnist                  what a dataset looks like
`,
  );

program
  .command('demo')
  .description('train a VAE on MNIST, measure it and draw what it learned')
  .option('--minutes <n>', 'how long to train', '2')
  .option('--seed <n>', 'decides every random draw', '1')
  .option('--out <folder>', 'the folder of runs that it becomes one of', 'runs')
  .option('--json', 'one machine-readable object on stdout')
  .addHelpText('after', '\nExample:\n  untangle demo --minutes 1')
  .action(async (options) => (await import('./demo.ts')).demo(options));

program.hook('preAction', async () => {
  const named: string[] = program.opts().plugin ?? [];
  if (named.length === 0 && process.env.UNTANGLE_PLUGINS === undefined) return;
  const { loadNamedPlugins, loadPlugin } = await import('../plugins/index.ts');
  await loadNamedPlugins();
  for (const path of named) await loadPlugin(path);
});

defineTraining(program);
defineLooking(program);
defineContrast(program);
defineExport(program);
defineClasses(program);
defineStudio(program);
defineSweep(program);
defineSharing(program);

program
  .command('score')
  .description('measure codes against factors: every metric that the input allows')
  .requiredOption('--codes <file>', 'codes, a row an item (.npy, .npz, .csv)')
  .option('--factors <file>', 'known factors, a row an item (.npy, .npz, .csv)')
  .option('--labels <file>', 'a class for each item (.npy, .npz, .csv)')
  .option('--log-variance <file>', 'log variances of the posteriors, shaped like the codes')
  .option('--background <file>', 'codes of a background set')
  .option('--metrics <names>', 'metrics, with commas between them')
  .option('--protocol <name>', 'a preset: disentanglement-lib, dip-vae or parted-vae')
  .option('--set <metric.option=value...>', 'an option of a metric, as in mig.bins=10')
  .option('--seed <n>', 'decides every random draw', '0')
  .addOption(new Option('--jobs <n>', 'metrics measured at once').default(undefined, 'one for each core'))
  .option('--json', 'one machine-readable object on stdout')
  .addHelpText(
    'after',
    `
An .npz may hold codes, factors, labels and logVariance together; then --codes names it alone.

Example:
  untangle score --codes codes.npy --factors factors.npy --protocol disentanglement-lib`,
  )
  .action(async (options) => (await import('./score.ts')).score(options));

program
  .command('metrics [name]')
  .description('the metrics, with one line each; or one with its options')
  .option('--json', 'one machine-readable object on stdout')
  .addHelpText('after', '\nExample:\n  untangle metrics sap')
  .action(async (name, options) => (await import('./metrics.ts')).listMetrics(name, options));

const data = program.command('data').description('the datasets: list, show, preview, import');
withDataFlags(data.command('list').description('every dataset, and whether its files are here'), 'dataDir')
  .option('--json', 'one machine-readable object on stdout')
  .addHelpText('after', '\nExample:\n  untangle data list')
  .action(async (options) => (await import('./data.ts')).listData(options));
withDataFlags(
  data.command('show <name>').description('what a dataset is, its licence, where to get it and where to put it'),
  'dataDir',
)
  .option('--json', 'one machine-readable object on stdout')
  .addHelpText('after', '\nExample:\n  untangle data show celeba')
  .action(async (name, options) => (await import('./data.ts')).showData(name, options));
withDataFlags(
  data
    .command('preview <name>')
    .description('a contact sheet of pictures as PNG, or a look at a table’s columns as text and as a page'),
)
  .option('--out <file>', 'the picture or page to write (otherwise <name>.png or .html)')
  .option('--items <n>', 'how many items to show', '48')
  .option('--seed <n>', 'which items', '1')
  .option('--json', 'one machine-readable object on stdout')
  .addHelpText(
    'after',
    '\nExamples:\n  untangle data preview styled-mnist\n  untangle data preview my-photos --where "label in cat,dog"\n  untangle data preview patients.csv --label ill --exclude name,address',
  )
  .action(async (name, options) => (await import('./data.ts')).previewData(name, options));
withDataFlags(
  data
    .command('import <name> <path>')
    .description('check a file or folder that you have and put it where the dataset is looked for'),
  'dataDir',
)
  .option('--json', 'one machine-readable object on stdout')
  .addHelpText(
    'after',
    '\nExample:\n  untangle data import dsprites ~/Downloads/dsprites_ndarray_co1sh3sc6or40x32y32_64x64.npz',
  )
  .action(async (name, path, options) => (await import('./data.ts')).importInto(name, path, options));

/** The command that found a call wrong. */
let called = program;
for (const command of withCommands(program))
  command
    .exitOverride((error) => {
      called = command;
      throw error;
    })
    .configureOutput({ writeErr: () => {} });

// Whoever reads the output may stop reading, as `head` does. Results are then not wanted any more; work that tells how it goes is.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0);
  throw error;
});
process.stderr.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
});

try {
  await program.parseAsync();
} catch (error) {
  const asJson = process.argv.includes('--json');
  if (!(error instanceof CommanderError))
    process.exitCode = tellError(error, { debug: program.opts().debug === true, asJson });
  else if (error.exitCode !== 0) {
    process.exitCode = 2;
    if (error.code === 'commander.help') called.outputHelp({ error: false });
    else tellError(wrongCall(error), { asJson });
  }
}

/** A call that does not parse, as a sentence with the place of its help. */
function wrongCall({ message }: CommanderError): UntangleError {
  const sentence = message
    .replace(/^error: /, '')
    .replace(/\.?$/, '.')
    .replace(/^./, (letter) => letter.toUpperCase());
  const given = /unknown command '([^']+)'/.exec(message)?.[1];
  const names = called.commands.map((command) => command.name());
  const near = given === undefined ? undefined : nearest(given, names);
  const call = wordsOf(called);
  return new UntangleError(sentence, {
    kind: 'call',
    hint: near === undefined ? `See “${call} --help”.` : `Did you mean “${call} ${near}”?`,
  });
}

function withCommands(command: Command): Command[] {
  return [command, ...command.commands.flatMap(withCommands)];
}

/** The values of a flag that is given several times. */
function together(value: string, before: string[] = []): string[] {
  return [...before, value];
}

/** How a command is called. @example wordsOf(preview) // 'untangle data preview' */
function wordsOf(command: Command): string {
  return command.parent === null ? command.name() : `${wordsOf(command.parent)} ${command.name()}`;
}
