/** The verbs by which models go to others and come from them. */
import type { Command } from 'commander';
import { boolean, text } from '../options/index.ts';
import { type Flags, jsonFlag, withFlags } from './flags.ts';

const pushFlags = { public: boolean('for everybody to see'), ...jsonFlag };
export type PushFlags = Flags<typeof pushFlags>;

const getFlags = {
  out: text('the new run’s folder (otherwise one in runs/)', { title: 'folder' }),
  ...jsonFlag,
};
export type GetFlags = Flags<typeof getFlags>;

const pullFlags = {
  revision: text('a branch, a tag or a commit (otherwise main)', { title: 'name' }),
  ...getFlags,
};
export type PullFlags = Flags<typeof pullFlags>;

export function defineSharing(program: Command): void {
  withFlags(
    program
      .command('push <run> <name>')
      .description('a run’s model to a hub, with a card that it can read; HF_TOKEN is who you are'),
    pushFlags,
  )
    .addHelpText('after', '\nExample:\n  untangle push runs/beta-vae-shapes-1 ann/beta-vae-shapes')
    .action(async (run, name, flags) => (await import('./share.ts')).push(run, name, flags));
  withFlags(program.command('pull <name>').description('a model from a hub, as a run'), pullFlags)
    .addHelpText('after', '\nExample:\n  untangle pull ann/beta-vae-shapes')
    .action(async (name, flags) => (await import('./share.ts')).pull(name, flags));
  const zoo = program.command('zoo').description('small trained models: list, get');
  withFlags(zoo.command('list').description('the models that there are'), jsonFlag)
    .addHelpText('after', '\nExample:\n  untangle zoo list')
    .action(async (flags) => (await import('./share.ts')).listZoo(flags));
  withFlags(zoo.command('get <name>').description('a model of the zoo, as a run'), getFlags)
    .addHelpText('after', '\nExample:\n  untangle zoo get dip-vae-ii-mnist')
    .action(async (name, flags) => (await import('./share.ts')).getModel(name, flags));
}
