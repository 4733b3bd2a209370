/** `untangle export`: a run's model as a folder of its own, with a page that moves it. */

import { findRun } from '../runs/index.ts';
import { quoted } from '../shell.ts';
import { exportRun } from '../use/index.ts';
import { print, printJson, say } from './terminal.ts';

export async function exportModel(meant: string, folder: string, { json }: { json?: boolean }): Promise<void> {
  const run = await findRun(meant);
  const { files, model } = await exportRun(run, folder);
  if (json) {
    printJson({ run: run.name, folder, step: model.step, encodes: model.encodes, files });
    return;
  }
  print(
    `${model.title} on ${model.data.name}, step ${model.step}, is in ${folder}: ${files.filter((file) => !file.includes('page')).join(', ')}.`,
  );
  say(
    `See it:  python3 -m http.server --bind 127.0.0.1 --directory ${quoted(folder)}   and open http://127.0.0.1:8000`,
  );
}
