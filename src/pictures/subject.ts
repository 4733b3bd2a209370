/** What pictures are drawn from: a trained model, the test items of its data, and images that somebody brings. */
import { readFile } from 'node:fs/promises';
import { decodeImage, greyImage, resizeImage } from '../data/index.ts';
import { defined } from '../defined.ts';
import type { Images } from '../drawing/index.ts';
import { UntangleError } from '../errors.ts';
import type { Codes, ImageShape } from '../model/index.ts';
import { stream } from '../random/index.ts';
import type { Run } from '../runs/index.ts';
import { openRunData, type Parted, type RunData } from '../training/index.ts';
import type { TrainedModel } from '../use/index.ts';
import { codesOf } from './codes.ts';

export interface Subject {
  run: Pick<Run, 'folder' | 'name'>;
  model: TrainedModel;
  /** The run's data, opened when it is first asked for. */
  data(): Promise<RunData>;
}

/** A run as pictures are drawn from it. */
export function subjectOf(
  run: Run,
  model: TrainedModel,
  { onNote = () => {}, dataDir }: { onNote?: (sentence: string) => void; dataDir?: string | undefined } = {},
): Subject {
  let opened: Promise<RunData> | undefined;
  return {
    run,
    model,
    data() {
      opened ??= openRunData(run.file, defined({ onNote, dataDir }));
      return opened;
    },
  };
}

/** How a picture may be asked for; each kind takes what concerns it. */
export interface PictureOptions {
  /** Decides which items and which samples. */
  seed: number;
  items?: number;
  /** Blocks by name or role, or dimensions such as `z[3]`. */
  blocks?: readonly string[];
  /** Where to start: `prior`, an item's place in the test part, `background:` and a place, or an image's path. */
  from?: string;
  to?: string;
  corners?: readonly string[];
  class?: string;
  /** The outermost quantile of the prior. */
  range?: number;
  steps?: number;
  /** How many dimensions at most, those that carry the most. */
  dimensions?: number;
  /** The spread of samples, in deviations of the prior. */
  sigma?: number;
  /** How codes are laid out in the plane; `plain` shows two dimensions as they are. */
  method?: 'tsne' | 'umap' | 'plain';
  colour?: string;
  onNote?(sentence: string): void;
  onProgress?(share: number, what: string): void;
}

/** The items that pictures show: the test part; the validation part or the training part where there is none. */
export function testItems({ split }: Parted): Uint32Array {
  return [split.test, split.validation].find(({ length }) => length > 0) ?? split.train;
}

/** Refuses more images than a picture can hold, before any of them is made. */
export function checkCells(count: number): void {
  if (count <= mostCells) return;
  throw new UntangleError(`The picture would have ${count} images; the limit is ${mostCells}.`, {
    kind: 'call',
    hint: 'Ask for fewer --items, --dimensions or --steps.',
  });
}

const mostCells = 20_000;

/** Items as the picture room takes them; an error for a table. */
export function imagesOf({ file }: TrainedModel, values: Float32Array): Images {
  return { values, shape: imageShape(file), range: file.data.range };
}

function imageShape({ method, data }: TrainedModel['file']): ImageShape {
  if (data.shape.kind === 'image') return data.shape;
  throw new UntangleError(`This ${method} learned from a table, which has no images to show.`, { kind: 'call' });
}

/** Some test items by the seed, of as many different labels as there are. */
export function someItems(parted: Parted, count: number, seed: number): Uint32Array {
  const items = testItems(parted);
  const order = stream(seed, 'items of a picture').permutation(items.length);
  const { labels } = parted.data;
  if (!labels) return order.subarray(0, count).map((place) => items[place]);
  const seen = new Map<number, number>();
  const turns = Array.from(order, (place) => {
    const label = labels.values[items[place]];
    const turn = seen.get(label) ?? 0;
    seen.set(label, turn + 1);
    return { item: items[place], turn, label };
  });
  turns.sort((a, b) => a.turn - b.turn || a.label - b.label);
  return Uint32Array.from(turns.slice(0, count), ({ item }) => item);
}

/** One item with its code. */
export interface Start {
  name: string;
  values: Float32Array;
  codes: Codes;
}

/**
 * The item that somebody means.
 *
 * @example await startAt(model, data, 'background:3')
 */
export async function startAt(
  model: TrainedModel,
  data: () => Promise<RunData>,
  meant: string,
  onNote?: (sentence: string) => void,
): Promise<Start> {
  const place = /^(?:(target|background):)?(\d+)$/.exec(meant);
  if (place === null) {
    const values = await imageFrom(model, meant, onNote);
    return { name: meant, values, codes: await codesOf(model, values) };
  }
  const set = place[1] === 'background' ? 'background' : 'target';
  const parted = (await data())[set];
  if (parted === undefined)
    throw new UntangleError(`${model.file.method} has learned without a background; “${meant}” is not there.`, {
      kind: 'call',
    });
  const items = testItems(parted);
  const index = Number(place[2]);
  if (index >= items.length)
    throw new UntangleError(`There is no item ${index} among the ${items.length} test items of ${parted.data.name}.`, {
      kind: 'call',
      hint: `They are numbered from 0 to ${items.length - 1}.`,
    });
  const values = parted.data.gather([items[index]]);
  const name = `${set === 'background' ? 'background item' : 'item'} ${index}`;
  return { name, values, codes: await codesOf(model, values, set) };
}

/** Reads a picture and brings it to the shape and range that the model takes, with a note where it had to be changed. */
async function imageFrom(
  { file }: TrainedModel,
  path: string,
  onNote?: (sentence: string) => void,
): Promise<Float32Array> {
  const shape = imageShape(file);
  if (file.data.range === 'real')
    throw new UntangleError(`The pictures of ${file.data.name} were standardised; a file’s pixels can’t be.`, {
      kind: 'call',
      hint: 'Start from an item of the data by its number.',
    });
  let bytes: Uint8Array;
  try {
    bytes = await readFile(path);
  } catch (cause) {
    throw new UntangleError(`“${path}” is neither the number of a test item nor a picture that can be read.`, {
      kind: 'call',
      hint: 'Give a number such as 12, background:12 for an item of the background, or the path of an image.',
      cause,
    });
  }
  const { channels, height, width, data } = await decodeImage(bytes, path);
  let image = Float32Array.from(data, (value) => value / 255);
  if (channels === 3 && shape.channels === 1) {
    image = new Float32Array(greyImage(image, height, width));
    onNote?.(`“${path}” was turned into grey, which the model has learned from.`);
  }
  if (channels === 1 && shape.channels === 3) image = Float32Array.from([...image, ...image, ...image]);
  if (height !== shape.height || width !== shape.width) {
    image = new Float32Array(resizeImage(image, shape.channels, height, width, shape.height, shape.width));
    onNote?.(`“${path}” was resized from ${width} × ${height} to ${shape.width} × ${shape.height} pixels.`);
  }
  return file.data.range === 'symmetric' ? image.map((value) => 2 * value - 1) : image;
}

/** A title for a picture of a model. */
export function titled({ file }: Pick<TrainedModel, 'file'>, what: string): string {
  return `${file.title} on ${file.data.name}: ${what}`;
}
