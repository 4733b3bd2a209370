/** `untangle augment`: generated items of each class, labelled, for other tools to learn from. */
import { augmentToFiles } from '../use/index.ts';
import type { AugmentFlags } from './model-verbs.ts';
import { print, printJson, progress, say } from './terminal.ts';

export async function augment(run: string, flags: AugmentFlags): Promise<void> {
  const { perClass, sigma, seed } = flags;
  const line = progress(1000);
  const request = { perClass, sigma, seed, onNote: say, onProgress: line.at };
  const { out, kind, items, classes } = await augmentToFiles(run, flags.out, request).finally(line.end);
  if (flags.json) printJson({ out, items, perClass, classes, sigma, seed });
  else {
    const what = kind === 'table' ? 'rows' : 'pictures';
    print(`${perClass} ${what} of each of ${classes.length} classes, ${items} in all, are in ${out}.`);
  }
}
