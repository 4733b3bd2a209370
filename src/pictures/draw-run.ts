/** Pictures of a run as files: of one kind, or of all that its model allows. */
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { checkWritable, safeJoin } from '../disk.ts';
import { encodeApng, encodeGif, rasterise, toPng, toSvg } from '../drawing/index.ts';
import { UntangleError, unknownName } from '../errors.ts';
import type { Run } from '../runs/index.ts';
import { withModel } from '../use/index.ts';
import { type Drawn, kinds } from './kinds.ts';
import { type PictureOptions, type Subject, subjectOf } from './subject.ts';
import { drawTraversalFrames } from './traversal.ts';

export interface DrawRunOptions extends PictureOptions {
  /** The picture's file, by default of the kind's name in the run; of several kinds, their folder. */
  out?: string;
  format?: 'png' | 'svg';
  /** A traversal as an animation, too. */
  animate?: boolean;
  dataDir?: string;
}

/** The files that were written, and why a kind was not drawn. */
export interface DrawnRun {
  run: Run;
  files: string[];
  leftOut: { kind: string; why: string }[];
}

/**
 * Draws a run. One kind alone has to apply; of several, those are left out that do not.
 *
 * @example const { files } = await drawRun('runs/beta-vae-dsprites-1', ['traversal'], { seed: 1, from: '12' })
 */
export async function drawRun(
  meant: Run | string,
  asked: readonly string[],
  { out, format = 'png', animate = false, dataDir, ...options }: DrawRunOptions,
): Promise<DrawnRun> {
  const unknown = asked.find((kind) => !Object.hasOwn(kinds, kind));
  if (unknown !== undefined) throw unknownName('kind of picture', unknown, [...Object.keys(kinds), 'all']);
  if (animate && !asked.includes('traversal'))
    throw new UntangleError(`Only a traversal moves; --animate does not fit ${asked.join(', ')}.`, { kind: 'call' });
  return await withModel(meant, async (model, run) => {
    const subject = subjectOf(run, model, { onNote: options.onNote, dataDir });
    const drawn: DrawnRun = { run, files: [], leftOut: [] };
    for (const kind of asked) {
      const lack = kinds[kind].lacks(model, options);
      if (lack !== undefined && asked.length === 1)
        throw new UntangleError(`${model.file.method} ${lack}, which ${kind} needs.`, { kind: 'call' });
      if (lack !== undefined) {
        drawn.leftOut.push({ kind, why: `${model.file.method} ${lack}` });
        continue;
      }
      const base = baseOf(run, kind, asked.length > 1, out);
      await checkPlace(run, base, out);
      drawn.files.push(...(await write(await kinds[kind].draw(subject, options), base, format)));
      if (kind === 'traversal' && animate) drawn.files.push(...(await writeAnimations(subject, options, base)));
    }
    return drawn;
  });
}

/** The path of a kind's picture without its ending. */
function baseOf(run: Run, kind: string, isOneOfSeveral: boolean, out: string | undefined): string {
  if (out === undefined) return join(run.folder, 'pictures', kind);
  if (isOneOfSeveral) return join(out, kind);
  return /\.(png|svg)$/i.test(out) ? out.slice(0, -4) : out;
}

/** Before a picture is computed: that it can be written, and that a run's own folder of pictures is not a link to elsewhere. */
async function checkPlace(run: Run, base: string, out: string | undefined): Promise<void> {
  if (out === undefined) await safeJoin(run.folder, relative(run.folder, base));
  await checkWritable(dirname(base));
}

/** Writes drawings beside each other, and gives their paths. */
async function write(drawn: readonly Drawn[], base: string, format: 'png' | 'svg'): Promise<string[]> {
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

async function writeAnimations({ model, data }: Subject, options: PictureOptions, base: string): Promise<string[]> {
  const drawings = await drawTraversalFrames(model, data, options);
  const frames = drawings.map((drawing) => rasterise(drawing, 1));
  const files = [`${base}-animated.png`, `${base}-animated.gif`];
  await writeFile(files[0], encodeApng(frames));
  await writeFile(files[1], encodeGif(frames));
  return files;
}
