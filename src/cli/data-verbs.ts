/** The verbs of `untangle data`. */
import type { Command } from 'commander';
import { dataOptions, integer, text } from '../options/index.ts';
import { type Flags, jsonFlag, seedFlag, withFlags } from './flags.ts';

const placeFlags = { dataDir: dataOptions.dataDir, ...jsonFlag };
export type PlaceFlags = Flags<typeof placeFlags>;

const previewFlags = {
  ...dataOptions,
  out: text('the picture or page to write (otherwise <name>.png or .html)', { title: 'file' }),
  items: integer('how many items to show', { min: 1, max: 2000, default: 48 }),
  seed: seedFlag('which items', 1),
  ...jsonFlag,
};
export type PreviewFlags = Flags<typeof previewFlags>;

export function defineData(program: Command): void {
  const data = program.command('data').description('the datasets: list, show, preview, import');
  withFlags(data.command('list').description('every dataset, and whether its files are here'), placeFlags)
    .addHelpText('after', '\nExample:\n  untangle data list')
    .action(async (flags) => (await import('./data.ts')).listData(flags));
  withFlags(
    data.command('show <name>').description('what a dataset is, its licence, where to get it and where to put it'),
    placeFlags,
  )
    .addHelpText('after', '\nExample:\n  untangle data show celeba')
    .action(async (name, flags) => (await import('./data.ts')).showData(name, flags));
  withFlags(
    data
      .command('preview <name>')
      .description('a contact sheet of pictures as PNG, or a look at a table’s columns as text and as a page'),
    previewFlags,
  )
    .addHelpText(
      'after',
      '\nExamples:\n  untangle data preview styled-mnist\n  untangle data preview my-photos --where "label in cat,dog"\n  untangle data preview patients.csv --label ill --exclude name,address',
    )
    .action(async (name, flags) => (await import('./data.ts')).previewData(name, flags));
  withFlags(
    data
      .command('import <name> <path>')
      .description('check a file or folder that you have and put it where the dataset is looked for'),
    placeFlags,
  )
    .addHelpText(
      'after',
      '\nExample:\n  untangle data import dsprites ~/Downloads/dsprites_ndarray_co1sh3sc6or40x32y32_64x64.npz',
    )
    .action(async (name, path, flags) => (await import('./data.ts')).importInto(name, path, flags));
}
