/** `untangle picture`: draws a trained run, in one kind or in all that its model allows, and says where the pictures are. */
import { extname } from 'node:path';
import { UntangleError } from '../errors.ts';
import { type DrawRunOptions, drawRun, kinds } from '../pictures/index.ts';
import type { PictureFlags } from './model-verbs.ts';
import { print, printJson, progress, say } from './terminal.ts';

export async function picture(meant: string, kind: string, flags: PictureFlags): Promise<void> {
  const options = optionsOf(flags);
  const line = progress();
  const { run, files, leftOut } = await drawRun(meant, kind === 'all' ? Object.keys(kinds) : [kind], {
    ...options,
    onNote: say,
    onProgress: line.at,
  });
  line.end();
  if (flags.json) printJson({ run: run.name, files, leftOut: kind === 'all' ? leftOut : undefined });
  else {
    for (const file of files) print(file);
    for (const { kind: name, why } of leftOut) say(`No ${name}: ${why}.`);
  }
}

function optionsOf({ json: _, ...flags }: PictureFlags): DrawRunOptions {
  return { ...flags, format: formatOf(flags) };
}

/** The format of the file's ending, unless one is told. */
function formatOf({ out = '', format }: Pick<PictureFlags, 'out' | 'format'>): 'png' | 'svg' {
  const ending = extname(out).toLowerCase();
  const ended = ending === '.svg' ? 'svg' : ending === '.png' ? 'png' : undefined;
  if (ended !== undefined && format !== undefined && ended !== format)
    throw new UntangleError(`--out ${out} ends in ${ending}, and --format asks for ${format}.`, { kind: 'call' });
  return format ?? ended ?? 'png';
}
