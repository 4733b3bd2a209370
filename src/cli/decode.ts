/** `untangle decode`: pictures, or rows of a table in their own units, from codes. */
import { basename } from 'node:path';
import { decodeToFiles } from '../use/index.ts';
import type { DecodeFlags } from './model-verbs.ts';
import { print, printJson, progress, say } from './terminal.ts';

export async function decode(run: string, path: string, flags: DecodeFlags): Promise<void> {
  const line = progress(2000);
  const options = { out: flags.out, onNote: say, onProgress: line.at };
  const { out, kind, items } = await decodeToFiles(run, path, options).finally(line.end);
  if (flags.json) printJson({ out, kind, items });
  else print(`${items} ${kind === 'table' ? 'rows' : 'pictures'} from ${basename(path)} are in ${out}.`);
}
