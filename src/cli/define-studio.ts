/** The verb that serves the web app. It loads its work when it is called, so that help stays quick. */
import type { Command } from 'commander';

export function defineStudio(program: Command): void {
  program
    .command('studio [runs]')
    .description('the web app: watch runs, start them, move their factors; on this machine alone')
    .option('--port <n>', 'the port to listen on (otherwise 6480, or a free one)')
    .option('--open', 'open it in the browser')
    .option('--json', 'one machine-readable object on stdout')
    .addHelpText(
      'after',
      '\nThe folder of runs is runs/ if none is given. Ctrl-C stops what the studio trains, with checkpoints.\n\nExample:\n  untangle studio runs --open',
    )
    .action(async (runs, options) => (await import('./studio.ts')).studio(runs, options));
}
