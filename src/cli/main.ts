#!/usr/bin/env node
/** The command line: one file a verb, loaded when it is called. */
import { Command, CommanderError } from 'commander';
import { nearest, UntangleError } from '../errors.ts';
import { setMostMemory } from '../memory.ts';
import { version } from '../version.ts';
import { defineData } from './data-verbs.ts';
import { defineMeasuring } from './measuring-verbs.ts';
import { defineModel } from './model-verbs.ts';
import { defineSharing } from './sharing-verbs.ts';
import { tellError } from './terminal.ts';
import { defineTraining } from './training-verbs.ts';

const program = new Command('untangle')
  .description('Learns disentangled representations of images and tables, and measures them.')
  .version(version, '-v, --version', 'which version of untangle this is')
  .option('--debug', 'show where an error comes from')
  .option('--max-memory <size>', 'the most that reading data may take, as in 4G (otherwise half of the machine’s)')
  .hook('preAction', (_, command) => {
    const { maxMemory } = command.optsWithGlobals();
    if (maxMemory !== undefined) setMostMemory(String(maxMemory));
  })
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

program.hook('preAction', async () => {
  const named: string[] = program.opts().plugin ?? [];
  if (named.length === 0 && process.env.UNTANGLE_PLUGINS === undefined) return;
  const { loadNamedPlugins, loadPlugin } = await import('../plugins/index.ts');
  await loadNamedPlugins();
  for (const path of named) await loadPlugin(path);
});

defineTraining(program);
defineMeasuring(program);
defineModel(program);
defineData(program);
defineSharing(program);

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
