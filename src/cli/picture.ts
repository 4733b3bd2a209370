/** `untangle picture`: draws a trained run, in one kind or in all that its model allows, and says where the pictures are. */
import { extname } from 'node:path';
import { defined } from '../defined.ts';
import { UntangleError } from '../errors.ts';
import { type DrawRunOptions, drawRun, kinds } from '../pictures/index.ts';
import { positiveNumber, wholeNumber } from './numbers.ts';
import { print, printJson, progress, say } from './terminal.ts';

export interface PictureFlags {
  from?: string;
  to?: string;
  corners?: string;
  blocks?: string;
  class?: string;
  items?: string;
  dimensions?: string;
  steps?: string;
  range?: string;
  sigma?: string;
  method?: 'tsne' | 'umap' | 'plain';
  colour?: string;
  animate?: boolean;
  seed: string;
  out?: string;
  format?: 'png' | 'svg';
  dataDir?: string;
  json?: boolean;
}

export async function picture(meant: string, kind: string, flags: PictureFlags): Promise<void> {
  const options = optionsOf(flags);
  const line = progress();
  const { run, files, leftOut } = await drawRun(meant, kind === 'all' ? Object.keys(kinds) : [kind], {
    ...options,
    onNote: say,
    onProgress: line.at,
  });
  line.end();
  if (flags.json) printJson({ run: run.name, files, ...(kind === 'all' && { leftOut }) });
  else {
    for (const file of files) print(file);
    for (const { kind: name, why } of leftOut) say(`No ${name}: ${why}.`);
  }
}

function optionsOf(flags: PictureFlags): DrawRunOptions {
  const { from, to, class: named, method, colour, animate, out, dataDir } = flags;
  const list = (text?: string) => text?.split(',').map((name) => name.trim());
  const whole = (option: 'items' | 'dimensions' | 'steps', least: number, most: number) => {
    const text = flags[option];
    return text === undefined ? undefined : wholeNumber(`--${option}`, text, least, most);
  };
  return {
    seed: wholeNumber('--seed', flags.seed),
    format: formatOf(flags),
    ...defined({
      ...{ from, to, class: named, method, colour, animate, out, dataDir },
      corners: list(flags.corners),
      blocks: list(flags.blocks),
      items: whole('items', 1, 20_000),
      dimensions: whole('dimensions', 1, 1000),
      steps: whole('steps', 2, 100),
      range: flags.range === undefined ? undefined : rangeOf(flags.range),
      sigma: flags.sigma === undefined ? undefined : positiveNumber('--sigma', flags.sigma),
    }),
  };
}

/** The format of the file's ending, unless one is told. */
function formatOf({ out = '', format }: PictureFlags): 'png' | 'svg' {
  const ending = extname(out).toLowerCase();
  const ended = ending === '.svg' ? 'svg' : ending === '.png' ? 'png' : undefined;
  if (ended !== undefined && format !== undefined && ended !== format)
    throw new UntangleError(`--out ${out} ends in ${ending}, and --format asks for ${format}.`, { kind: 'call' });
  return format ?? ended ?? 'png';
}

function rangeOf(text: string): number {
  const value = Number(text);
  if (text.trim() !== '' && value >= 1e-6 && value < 0.5) return value;
  throw new UntangleError(`--range takes the outermost quantile, above 0 and below 0.5, not “${text}”.`, {
    kind: 'call',
    hint: 'As in --range 0.02, for the middle 96 % of the prior.',
  });
}
