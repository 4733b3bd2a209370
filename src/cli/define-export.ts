/** The verbs that use a trained model: encode, decode, export. Each loads its work when it is called, so that help stays quick. */
import { type Command, Option } from 'commander';
import { withDataFlags } from './flags.ts';

export function defineExport(program: Command): void {
  withDataFlags(
    program.command('encode <run> [data]').description('the codes of data, as a run’s encoder gives them'),
    ...(['where', 'background', 'backgroundWhere', 'crop', 'label', 'skipBad', 'dataDir'] as const),
  )
    .option('--out <file>', 'where to write: .npz, .csv or .npy', 'codes.npz')
    .addOption(
      new Option('--part <part>', 'which items')
        .choices(['train', 'validation', 'test', 'all'])
        .default(undefined, 'test of the run’s own data, all of other data'),
    )
    .option('--json', 'one machine-readable object on stdout')
    .addHelpText(
      'after',
      `
DATA is a dataset’s name or a path; without it, the data that the run was trained on is encoded.

Examples:
  untangle encode runs/beta-vae-dsprites-small-1            then: untangle score --codes codes.npz
  untangle encode runs/photos ./new-photos --out codes.csv`,
    )
    .action(async (run, data, options) => (await import('./encode.ts')).encode(run, data, options));

  program
    .command('decode <run> <codes>')
    .description('pictures or rows of a table from codes (.npz, .npy, .csv)')
    .option('--out <path>', 'a folder for pictures, an .npy, or a .csv for tables (otherwise decoded, decoded.csv)')
    .option('--json', 'one machine-readable object on stdout')
    .addHelpText(
      'after',
      `
An .npz holds an array for each block by its name; an .npy or .csv all blocks side by side, in the model’s order.

Example:
  untangle decode runs/beta-vae-dsprites-small-1 codes.csv --out pictures`,
    )
    .action(async (run, codes, options) => (await import('./decode.ts')).decode(run, codes, options));

  program
    .command('export <run> <folder>')
    .description('encoder and decoder as ONNX, a model card, and a page with sliders that runs by itself')
    .option('--json', 'one machine-readable object on stdout')
    .addHelpText('after', '\nExample:\n  untangle export runs/beta-vae-dsprites-small-1 site')
    .action(async (run, folder, options) => (await import('./export.ts')).exportModel(run, folder, options));
}
