/**
 * Codes of test items in the plane, by t-SNE or UMAP: a picture for each block, coloured by the label, by a factor or column
 * by name, or by the set where there is a target and a background (contrastive paper, Fig. 4).
 */
import { tsne, umap } from '../analysis/index.ts';
import type { Dataset } from '../data/index.ts';
import { fieldsOf } from '../data/index.ts';
import { type Colouring, type Drawing, pointMap } from '../drawing/index.ts';
import { UntangleError, unknownName } from '../errors.ts';
import type { ModelBlock } from '../model/index.ts';
import { stream } from '../random/index.ts';
import type { Parted, RunData } from '../training/index.ts';
import type { TrainedModel } from '../use/index.ts';
import { chooseBlocks } from './codes.ts';
import { type PictureOptions, testItems, titled } from './subject.ts';

/** The blocks that can be shown: those with two or more numbers that belong to no single class. */
export function embeddedBlocks(model: TrainedModel, names?: readonly string[]): ModelBlock[] {
  const blocks = names ? chooseBlocks(model, names).map(({ block }) => block) : model.file.blocks;
  return blocks.filter((block) => block.size >= 2 && block.kind === 'gaussian' && (names || block.class === undefined));
}

export async function drawEmbeddings(
  model: TrainedModel,
  data: RunData,
  options: PictureOptions,
): Promise<{ name: string; drawing: Drawing }[]> {
  const { items = 2000, seed, method = 'tsne', colour } = options;
  const blocks = embeddedBlocks(model, options.blocks);
  if (blocks.length === 0)
    throw new UntangleError('None of these blocks has two dimensions or more to be laid out in the plane.', {
      kind: 'call',
    });
  const two = data.background !== undefined && colour === undefined;
  const sets: Parted[] = two && data.background ? [data.target, data.background] : [data.target];
  const chosen = sets.map((set) => someOf(testItems(set), Math.ceil(items / sets.length), seed));
  const n = chosen.reduce((sum, { length }) => sum + length, 0);
  if (n < 4) throw new UntangleError(`${n} items are too few to be laid out in the plane.`, { kind: 'call' });
  const colouring = two ? setColours(chosen) : colourOf(data.target.data, chosen[0], colour);
  const codes = await Promise.all(sets.map((set, i) => model.encode(set.data.gather(chosen[i]))));
  const by = colouring?.kind === 'factor' ? `, coloured by ${colouring.name}` : '';
  return blocks.map((block, done) => {
    const place = model.file.blocks.findIndex(({ name }) => name === block.name);
    const x = new Float32Array(n * block.size);
    let at = 0;
    for (const set of codes) {
      x.set(set[place].values, at);
      at += set[place].values.length;
    }
    const onProgress = (share: number) =>
      options.onProgress?.((done + share) / blocks.length, `embedding of ${block.name}`);
    return {
      name: block.name,
      drawing: pointMap({
        points: layOut(method, { x, n, d: block.size, seed }, onProgress),
        colour: colouring,
        title: titled(model, `${block.name} (${block.role}) in the plane`),
        caption: `${captions[method]} of ${n} test items${by}.`,
      }),
    };
  });
}

const captions = { tsne: 't-SNE of the codes', umap: 'UMAP of the codes', plain: 'The codes' };

function layOut(
  method: NonNullable<PictureOptions['method']>,
  points: { x: Float32Array; n: number; d: number; seed: number },
  onProgress: (share: number) => void,
): Float64Array {
  if (method === 'plain') {
    if (points.d === 2) return Float64Array.from(points.x);
    throw new UntangleError(`A block of ${points.d} dimensions can’t be shown as it is.`, {
      kind: 'call',
      hint: 'Choose --method tsne or umap, or a block of two dimensions.',
    });
  }
  if (method === 'tsne')
    return tsne({ ...points, onProgress: ({ iteration }) => onProgress(iteration / 1000) }).embedding;
  return umap({
    ...points,
    neighbours: Math.min(15, points.n - 1),
    onProgress: ({ epoch, epochs }) => onProgress(epoch / epochs),
  }).embedding;
}

function someOf(items: Uint32Array, count: number, seed: number): Uint32Array {
  return stream(seed, 'items of an embedding')
    .permutation(items.length)
    .subarray(0, count)
    .map((place) => items[place])
    .sort();
}

/** The names are too long to be written over points: those of a target that lies around its background would mislead. */
function setColours(chosen: Uint32Array[]): Colouring {
  return {
    kind: 'label',
    names: ['target', 'background'].map((name, set) => `${name}, ${chosen[set].length} items`),
    values: chosen.flatMap((items, set) => [...items].map(() => set)),
  };
}

/** By the label, unless a factor or a column is named. */
function colourOf(data: Dataset, items: Uint32Array, name?: string): Colouring | undefined {
  const fields = fieldsOf(data);
  const field = fields.find((one) => one.name === (name ?? 'label'));
  if (field === undefined) {
    if (name === undefined) return undefined;
    if (fields.length === 0)
      throw new UntangleError(`Nothing is known of the items of ${data.name} that could colour them.`, {
        kind: 'call',
      });
    throw unknownName(
      'label, factor or column',
      name,
      fields.map((one) => one.name),
    );
  }
  const values = Array.from(items, field.at);
  if (field.kind === 'number') return { kind: 'factor', name: field.name, values };
  const missing = values.some((value) => value < 0);
  const names = missing ? [...field.categories, 'missing'] : [...field.categories];
  return { kind: 'label', names, values: values.map((value) => (value < 0 ? names.length - 1 : value)) };
}
