/** `untangle encode`: the codes of data, in arrays that `untangle score` and other programs read. */
import { isH5ad } from '../data/index.ts';
import { classVariables } from '../runs/index.ts';
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
  report(files, encoded, json);
}

function report(files: Record<string, string>, { model, target }: Encoded, json: boolean | undefined): void {
  const items = target.items.length;
  const dimensions = model.blocks.reduce((sum, { size }) => sum + size, 0);
  if (json) {
    printJson({
      files,
      data: target.data,
      items,
      dimensions,
      blocks: model.blocks.map((block) => {
        const { name, size, role } = block;
        const classes = classVariables(model).find((variable) => variable.block === block)?.classes;
        return { name, size, role, classes };
      }),
    });
    return;
  }
  print(`The codes of ${items} items of ${target.data}, ${dimensions} numbers each, are in ${files.codes}.`);
  say(`Measure them:  ${callOf('score', ...flagsOf(files))}`);
}
