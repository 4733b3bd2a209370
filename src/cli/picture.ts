/** `untangle picture`: draws a trained run, in one kind or in all that its model allows, and says where the pictures are. */
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, extname, join } from 'node:path';
import { type Drawing, encodeApng, encodeGif, rasterise, toPng, toSvg } from '../drawing/index.ts';
import { UntangleError, unknownName } from '../errors.ts';
import {
  type Drawn,
  drawTraversalFrames,
  kinds,
  type PictureOptions,
  type Subject,
  subjectOf,
} from '../pictures/index.ts';
import { findRun, type Run } from '../runs/index.ts';
import { TrainedModel } from '../use/index.ts';
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
  method?: 'tsne' | 'umap';
  colour?: string;
  animate?: boolean;
  seed: string;
  out?: string;
  format?: 'png' | 'svg';
  dataDir?: string;
  json?: boolean;
}

export async function picture(meant: string, kind: string, flags: PictureFlags): Promise<void> {
  if (kind !== 'all' && !Object.hasOwn(kinds, kind))
    throw unknownName('kind of picture', kind, [...Object.keys(kinds), 'all']);
  const options = optionsOf(flags);
  const place = placeOf(flags);
  if (flags.animate && kind !== 'traversal' && kind !== 'all')
    throw new UntangleError(`Only a traversal moves; --animate does not fit ${kind}.`, { kind: 'call' });
  const run = await findRun(meant);
  const model = await TrainedModel.open(run.folder);
  const line = progress();
  try {
    const subject = subjectOf(run, model, {
      onNote: say,
      ...(flags.dataDir !== undefined && { dataDir: flags.dataDir }),
    });
    const asked = { ...options, onNote: say, onProgress: line.at };
    const files: string[] = [];
    const leftOut: { kind: string; why: string }[] = [];
    for (const name of kind === 'all' ? Object.keys(kinds) : [kind]) {
      const lack = kinds[name].lacks(model, asked);
      if (lack !== undefined && kind !== 'all')
        throw new UntangleError(`${model.file.method} ${lack}, which ${name} needs.`, { kind: 'call' });
      if (lack !== undefined) {
        leftOut.push({ kind: name, why: `${model.file.method} ${lack}` });
        continue;
      }
      const base = baseOf(run, name, kind === 'all', place);
      files.push(...(await write(await kinds[name].draw(subject, asked), base, place.format)));
      if (name === 'traversal' && flags.animate) files.push(...(await animate(subject, asked, base)));
    }
    line.end();
    if (flags.json) printJson({ run: run.name, files, ...(kind === 'all' && { leftOut }) });
    else {
      for (const file of files) print(file);
      for (const { kind: name, why } of leftOut) say(`No ${name}: ${why}.`);
    }
  } finally {
    await model.close();
  }
}

interface Place {
  out?: string;
  format: 'png' | 'svg';
}

/** The file that was asked for, and its format: that of its ending, unless one is told. */
function placeOf({ out, format }: PictureFlags): Place {
  const ending = out === undefined ? '' : extname(out).toLowerCase();
  const ended = ending === '.svg' ? 'svg' : ending === '.png' ? 'png' : undefined;
  if (ended !== undefined && format !== undefined && ended !== format)
    throw new UntangleError(`--out ${out} ends in ${ending}, and --format asks for ${format}.`, { kind: 'call' });
  return { ...(out !== undefined && { out }), format: format ?? ended ?? 'png' };
}

/** The path of a kind's picture without its ending. With all kinds, --out is a folder. */
function baseOf(run: Run, kind: string, all: boolean, { out }: Place): string {
  if (out === undefined) return join(run.folder, 'pictures', kind);
  if (all) return join(out, kind);
  return /\.(png|svg)$/i.test(out) ? out.slice(0, -4) : out;
}

/** Writes drawings beside each other, and gives their paths. */
export async function write(drawn: Drawn[], base: string, format: Place['format']): Promise<string[]> {
  await mkdir(dirname(base), { recursive: true });
  const files: string[] = [];
  for (const { name, drawing } of drawn) {
    const suffix = drawn.length === 1 || name === '' ? '' : `-${name.replace(/[^\p{L}\p{N}]+/gu, '-')}`;
    const file = `${base}${suffix}.${format}`;
    await writeFile(file, format === 'svg' ? toSvg(drawing) : toPng(drawing));
    files.push(file);
  }
  return files;
}

async function animate({ model, data }: Subject, options: PictureOptions, base: string): Promise<string[]> {
  const drawings: Drawing[] = await drawTraversalFrames(model, data, options);
  const frames = drawings.map((drawing) => rasterise(drawing, 1));
  const files = [`${base}-animated.png`, `${base}-animated.gif`];
  await writeFile(files[0], encodeApng(frames));
  await writeFile(files[1], encodeGif(frames));
  return files;
}

function optionsOf(flags: PictureFlags): PictureOptions {
  const { from, to, method, colour } = flags;
  const list = (text: string) => text.split(',').map((name) => name.trim());
  const whole = (option: 'items' | 'dimensions' | 'steps', least: number, most: number) => {
    const text = flags[option];
    return text === undefined ? {} : { [option]: wholeNumber(`--${option}`, text, least, most) };
  };
  return {
    seed: wholeNumber('--seed', flags.seed),
    ...(from !== undefined && { from }),
    ...(to !== undefined && { to }),
    ...(flags.corners !== undefined && { corners: list(flags.corners) }),
    ...(flags.blocks !== undefined && { blocks: list(flags.blocks) }),
    ...(flags.class !== undefined && { class: flags.class }),
    ...whole('items', 1, 20_000),
    ...whole('dimensions', 1, 1000),
    ...whole('steps', 2, 100),
    ...(flags.range !== undefined && { range: rangeOf(flags.range) }),
    ...(flags.sigma !== undefined && { sigma: positiveNumber('--sigma', flags.sigma) }),
    ...(method !== undefined && { method }),
    ...(colour !== undefined && { colour }),
  };
}

function rangeOf(text: string): number {
  const value = Number(text);
  if (text.trim() !== '' && value >= 1e-6 && value < 0.5) return value;
  throw new UntangleError(`--range takes the outermost quantile, above 0 and below 0.5, not “${text}”.`, {
    kind: 'call',
    hint: 'As in --range 0.02, for the middle 96 % of the prior.',
  });
}
