/** The verbs by which models go to others and come from them. */
import type { Command } from 'commander';

export function defineSharing(program: Command): void {
  program
    .command('push <run> <name>')
    .description('a run’s model to a hub, with a card that it can read; HF_TOKEN is who you are')
    .option('--public', 'for everybody to see')
    .option('--json', 'one machine-readable object on stdout')
    .addHelpText('after', '\nExample:\n  untangle push runs/beta-vae-shapes-1 ann/beta-vae-shapes')
    .action(async (run, name, options) => (await import('./share.ts')).push(run, name, options));
  program
    .command('pull <name>')
    .description('a model from a hub, as a run')
    .option('--out <folder>', 'the new run’s folder (otherwise one in runs/)')
    .option('--revision <name>', 'a branch, a tag or a commit (otherwise main)')
    .option('--json', 'one machine-readable object on stdout')
    .addHelpText('after', '\nExample:\n  untangle pull ann/beta-vae-shapes')
    .action(async (name, options) => (await import('./share.ts')).pull(name, options));
  const zoo = program.command('zoo').description('small trained models: list, get');
  zoo
    .command('list')
    .description('the models that there are')
    .option('--json', 'one machine-readable object on stdout')
    .addHelpText('after', '\nExample:\n  untangle zoo list')
    .action(async (options) => (await import('./share.ts')).listZoo(options));
  zoo
    .command('get <name>')
    .description('a model of the zoo, as a run')
    .option('--out <folder>', 'the new run’s folder (otherwise one in runs/)')
    .option('--json', 'one machine-readable object on stdout')
    .addHelpText('after', '\nExample:\n  untangle zoo get dip-vae-ii-mnist')
    .action(async (name, options) => (await import('./share.ts')).getModel(name, options));
}
