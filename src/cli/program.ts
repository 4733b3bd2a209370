/** All verbs with their flags and help: one file a verb, loaded when it is called. */
import { Command } from 'commander';
import { setMostMemory } from '../memory.ts';
import { version } from '../version.ts';
import { defineData } from './data-verbs.ts';
import { defineMeasuring } from './measuring-verbs.ts';
import { defineModel } from './model-verbs.ts';
import { defineSharing } from './sharing-verbs.ts';
import { defineTraining } from './training-verbs.ts';

/** The command line as it is before it reads a call. */
export function untangleProgram(): Command {
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
  return program;
}

/** The values of a flag that is given several times. */
function together(value: string, before: string[] = []): string[] {
  return [...before, value];
}
