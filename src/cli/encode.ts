/** `untangle encode`: the codes of data, in arrays that `untangle score` and other programs read. */
import { type Novelty, novelty, noveltyCsv, noveltySentences } from '../contrast/index.ts';
import { isH5ad } from '../data/index.ts';
import { UntangleError } from '../errors.ts';
import { classVariables, findRun, writeAtomically } from '../runs/index.ts';
import { callOf, flagsOf } from '../shell.ts';
import { type Encoded, encodeToFile, encodeToH5ad } from '../use/index.ts';
import { dataChoice } from './flags.ts';
import type { EncodeFlags } from './model-verbs.ts';
import { print, printJson, progress, say } from './terminal.ts';

export async function encode(meant: string, data: string | undefined, flags: EncodeFlags): Promise<void> {
  const { out, part, json } = flags;
  const line = progress(2000);
  const request = { data, part, choice: dataChoice(flags), onNote: say, onProgress: line.at };
  if (isH5ad(out)) {
    const { files, data: name, items } = await encodeToH5ad(meant, out, request).finally(line.end);
    if (json) printJson({ files, data: name, items });
    else print(`The codes of ${items} cells are in ${files.codes}, in obsm and varm under “untangle_…”.`);
    return;
  }
  const { files, encoded } = await encodeToFile(meant, out, request).finally(line.end);
  const told = data === undefined ? undefined : await noveltyBeside(meant, files, encoded);
  report(files, encoded, json, told);
}

/** How unlike the background each row is, in a file beside the codes, for a model that sets a target against one. */
async function noveltyBeside(
  meant: string,
  files: Record<string, string>,
  { model, target }: Encoded,
): Promise<Novelty | undefined> {
  if (!model.blocks.some(({ role }) => role === 'salient')) return undefined;
  try {
    const found = await novelty(await findRun(meant), target);
    files.salience = files.codes.replace(/\.[^.]*$/, '.salience.csv');
    await writeAtomically(files.salience, noveltyCsv(found));
    return found;
  } catch (error) {
    if (!(error instanceof UntangleError)) throw error;
    say(`Rows have no salience, for which the run’s own background is needed: ${error.message}`);
    return undefined;
  }
}

function report(
  files: Record<string, string>,
  { model, target }: Encoded,
  json: boolean | undefined,
  told: Novelty | undefined,
): void {
  const items = target.items.length;
  const dimensions = model.blocks.reduce((sum, { size }) => sum + size, 0);
  if (json) {
    printJson({
      files,
      data: target.data,
      items,
      dimensions,
      ...(told && { novelty: { references: told.references, calibration: told.calibration } }),
      blocks: model.blocks.map((block) => {
        const { name, size, role } = block;
        const classes = classVariables(model).find((variable) => variable.block === block)?.classes;
        return { name, size, role, classes };
      }),
    });
    return;
  }
  print(`The codes of ${items} items of ${target.data}, ${dimensions} numbers each, are in ${files.codes}.`);
  if (told) print([...noveltySentences(told), `Each row’s salience and p-value are in ${files.salience}.`].join('\n'));
  const { salience: _, ...measured } = files;
  say(`Measure them:  ${callOf('score', ...flagsOf(measured))}`);
}
