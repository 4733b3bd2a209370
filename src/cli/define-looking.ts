/** The verbs that show what runs have learned. Each loads its work when it is called, so that help stays quick. */
import { type Command, Option } from 'commander';

export function defineLooking(program: Command): void {
  program
    .command('picture <run> <kind>')
    .description('draw a run: reconstruction, traversal, samples, transfer … or all that its model allows')
    .option('--from <item>', 'start from prior, a test item’s number, background:NUMBER or an image file')
    .option('--to <item>', 'where an interpolation ends')
    .option('--corners <items>', 'four items, or two, with commas between them: an interpolation over a square')
    .option('--blocks <names>', 'only these blocks: names, roles or dimensions as in z,salient,u[3]')
    .option('--class <name>', 'the class that a traversal from the prior is in')
    .option('--items <n>', 'how many items or samples')
    .option('--dimensions <n>', 'how many dimensions at most, those that carry the most')
    .option('--steps <n>', 'steps of a traversal, interpolation or prior')
    .option('--range <quantile>', 'the outermost quantile of the prior in a traversal (otherwise 0.02)')
    .option('--sigma <n>', 'spread of samples, in deviations of the prior (otherwise 1)')
    .addOption(new Option('--method <name>', 'of an embedding').choices(['tsne', 'umap', 'plain']))
    .option('--colour <name>', 'colour an embedding by a label, factor or column')
    .option('--animate', 'a traversal as an animation too, APNG and GIF')
    .option('--seed <n>', 'which items and samples', '1')
    .option('--out <file>', 'the picture to write; a folder for all (otherwise RUN/pictures/KIND.png)')
    .addOption(new Option('--format <name>', 'of the picture').choices(['png', 'svg']))
    .addOption(new Option('--data-dir <folder>', 'where data files lie (otherwise UNTANGLE_DATA, or the user cache)'))
    .option('--json', 'one machine-readable object on stdout')
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
    .action(async (run, kind, options) => (await import('./picture.ts')).picture(run, kind, options));

  program
    .command('verify <run>')
    .description('read a whole run again, and name every file that is not what was written')
    .option('--json', 'one machine-readable object on stdout')
    .addHelpText('after', '\nExample:\n  untangle verify runs/beta-vae-dsprites-small-1')
    .action(async (run, options) => (await import('./verify.ts')).verify(run, options));
}
