/** The verbs that use a trained model. */
import type { Command } from 'commander';
import { boolean, choice, dataOptions, integer, list, number, required, text } from '../options/index.ts';
import { type Flags, jsonFlag, seedFlag, withFlags } from './flags.ts';

const { where, background, backgroundWhere, crop, label, layer, skipBad, dataDir } = dataOptions;
const part = choice('which items (otherwise test of the run’s own data, all of other data)', [
  'train',
  'validation',
  'test',
  'all',
]);

const pictureFlags = {
  from: text('start from prior, a test item’s number, background:NUMBER or an image file', { title: 'item' }),
  to: text('where an interpolation ends', { title: 'item' }),
  corners: list('four items, or two: an interpolation over a square', { of: 'text', title: 'items' }),
  blocks: list('only these blocks: names, roles or dimensions as in z,salient,u[3]', { of: 'text' }),
  class: text('the class that a traversal from the prior is in', { title: 'name' }),
  items: integer('how many items or samples', { min: 1, max: 20_000 }),
  dimensions: integer('how many dimensions at most, those that carry the most', { min: 1, max: 1000 }),
  steps: integer('steps of a traversal, interpolation or prior', { min: 2, max: 100 }),
  range: number('the outermost quantile of the prior in a traversal (otherwise 0.02)', {
    min: 1e-6,
    max: 0.49,
    schedulable: false,
  }),
  sigma: number('spread of samples, in deviations of the prior (otherwise 1)', { above: 0, schedulable: false }),
  method: choice('of an embedding', ['tsne', 'umap', 'plain']),
  colour: text('colour an embedding by a label, factor or column', { title: 'name' }),
  animate: boolean('a traversal as an animation too, APNG and GIF'),
  seed: seedFlag('which items and samples', 1),
  out: text('the picture to write; a folder for all (otherwise RUN/pictures/KIND.png)', { title: 'file' }),
  format: choice('of the picture', ['png', 'svg']),
  dataDir,
  ...jsonFlag,
};
export type PictureFlags = Flags<typeof pictureFlags>;

const encodeFlags = {
  ...{ where, background, backgroundWhere, crop, label, layer, skipBad, dataDir },
  out: text('where to write: .npz, .csv, .npy or .parquet; .h5ad for a copy of DATA with the codes in it', {
    title: 'file',
    default: 'codes.npz',
  }),
  part,
  ...jsonFlag,
};
export type EncodeFlags = Flags<typeof encodeFlags>;

const decodeFlags = {
  out: text('a folder for pictures, an .npy, or a .csv for tables (otherwise decoded, decoded.csv)', { title: 'path' }),
  ...jsonFlag,
};
export type DecodeFlags = Flags<typeof decodeFlags>;

const classifyFlags = {
  ...{ crop, label, skipBad, dataDir },
  out: text('write the classes of all items', { title: 'file.csv' }),
  part,
  ...jsonFlag,
};
export type ClassifyFlags = Flags<typeof classifyFlags>;

const augmentFlags = {
  perClass: required(integer('how many items of each class', { min: 1, max: 1_000_000 })),
  sigma: number('spread of the latent, in deviations of the prior', { above: 0, default: 1, schedulable: false }),
  out: text('the folder to write, or a .csv for tables (otherwise augmented, augmented.csv)', { title: 'path' }),
  seed: seedFlag('decides every random draw', 1),
  ...jsonFlag,
};
export type AugmentFlags = Flags<typeof augmentFlags>;

const studioFlags = {
  port: integer('the port to listen on (otherwise 6480, or a free one)', { min: 0, max: 65_535 }),
  open: boolean('open it in the browser'),
  dataRoot: list('the folders in which pages may name data (otherwise this one)', { of: 'text' }),
  ...jsonFlag,
};
export type StudioFlags = Flags<typeof studioFlags>;

export function defineModel(program: Command): void {
  withFlags(
    program
      .command('picture <run> <kind>')
      .description('draw a run: reconstruction, traversal, samples, transfer … or all that its model allows'),
    pictureFlags,
  )
    .addHelpText(
      'after',
      `
Kinds:
  reconstruction   test items and what the model makes of them
  traversal        each dimension moved alone through its prior
  samples          from the prior; a row for each class where there are classes
  interpolation    from one item to another in a block
  embedding        codes in the plane, by t-SNE, UMAP, or as they are (plain)
  transfer         attributes of the items above given to those at the left
  swap             target items whole, without what is salient, and with nothing else
  synthesis        new salient codes on real background items
  classes          what varies inside each class
  prior            the learned prior of a class-related dimension
  curves           the loss and its terms over the steps
  kl               how much each dimension carries
  class-kl         the same of class-related dimensions, in items of each class
  all              every kind that applies

Examples:
  untangle picture runs/beta-vae-dsprites-small-1 traversal --from 12 --animate
  untangle picture runs/contrastive embedding --blocks salient --colour label
  untangle picture runs/contrastive interpolation --from 3 --to 17
  untangle picture runs/n-vae-mnist-1 samples --sigma 1.4 --format svg`,
    )
    .action(async (run, kind, flags) => (await import('./picture.ts')).picture(run, kind, flags));

  withFlags(
    program.command('encode <run> [data]').description('the codes of data, as a run’s encoder gives them'),
    encodeFlags,
  )
    .addHelpText(
      'after',
      `
DATA is a dataset’s name or a path; without it, the data that the run was trained on is encoded.

Examples:
  untangle encode runs/beta-vae-dsprites-small-1            then: untangle score --codes codes.npz
  untangle encode runs/photos ./new-photos --out codes.csv`,
    )
    .action(async (run, data, flags) => (await import('./encode.ts')).encode(run, data, flags));

  withFlags(
    program.command('decode <run> <codes>').description('pictures or rows of a table from codes (.npz, .npy, .csv)'),
    decodeFlags,
  )
    .addHelpText(
      'after',
      `
An .npz holds an array for each block by its name; an .npy or .csv all blocks side by side, in the model’s order.

Example:
  untangle decode runs/beta-vae-dsprites-small-1 codes.csv --out pictures`,
    )
    .action(async (run, codes, flags) => (await import('./decode.ts')).decode(run, codes, flags));

  withFlags(
    program
      .command('classify <run> [data]')
      .description('the class of each item, with confidence; accuracy and confusions where labels are known'),
    classifyFlags,
  )
    .addHelpText(
      'after',
      `
DATA is an image, a folder of images, a table or a dataset’s name; without it, the test part of the run’s own data.

Examples:
  untangle classify runs/n-vae-mnist-1
  untangle classify runs/n-vae-mnist-1 digit.png
  untangle classify runs/photos ./new-photos --out classes.csv`,
    )
    .action(async (run, data, flags) => (await import('./classify.ts')).classify(run, data, flags));

  withFlags(
    program
      .command('augment <run>')
      .description('generated items of each class: a labelled folder of pictures, or rows of a table'),
    augmentFlags,
  )
    .addHelpText(
      'after',
      `
The folder has a sub-folder for each class and a labels.csv, as “untangle train --data FOLDER” and other tools take it.

Example:
  untangle augment runs/n-vae-mnist-1 --per-class 500 --sigma 1.4 --out more-digits`,
    )
    .action(async (run, flags) => (await import('./augment.ts')).augment(run, flags));

  withFlags(
    program
      .command('export <run> <folder>')
      .description('encoder and decoder as ONNX, a model card, and a page with sliders that runs by itself'),
    jsonFlag,
  )
    .addHelpText('after', '\nExample:\n  untangle export runs/beta-vae-dsprites-small-1 site')
    .action(async (run, folder, flags) => (await import('./export.ts')).exportModel(run, folder, flags));

  withFlags(
    program
      .command('studio [runs]')
      .description('the web app: watch runs, start them, move their factors; on this machine alone'),
    studioFlags,
  )
    .addHelpText(
      'after',
      '\nThe folder of runs is runs/ if none is given. Ctrl-C stops what the studio trains, with checkpoints.\n\nExample:\n  untangle studio runs --open',
    )
    .action(async (runs, flags) => (await import('./studio.ts')).studio(runs, flags));
}
