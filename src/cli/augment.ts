/** `untangle augment`: generated items of each class, labelled, for other tools to learn from. */
import { augmentToFiles } from '../use/index.ts';
import { positiveNumber, wholeNumber } from './numbers.ts';
import { print, printJson, progress, say } from './terminal.ts';

interface Flags {
  perClass: string;
  sigma: string;
  seed: string;
  out?: string;
  json?: boolean;
}

export async function augment(run: string, flags: Flags): Promise<void> {
  const perClass = wholeNumber('--per-class', flags.perClass, 1, 1_000_000);
  const sigma = positiveNumber('--sigma', flags.sigma);
  const seed = wholeNumber('--seed', flags.seed);
  const line = progress(1000);
  const request = { perClass, sigma, seed, onNote: say, onProgress: line.at };
  const { out, kind, items, classes } = await augmentToFiles(run, flags.out, request).finally(line.end);
  if (flags.json) printJson({ out, items, perClass, classes, sigma, seed });
  else {
    const what = kind === 'table' ? 'rows' : 'pictures';
    print(`${perClass} ${what} of each of ${classes.length} classes, ${items} in all, are in ${out}.`);
  }
}
