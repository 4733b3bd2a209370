/**
 * Data as a run's model takes it: the run's own data in its parts, or other data brought to the model's image shape or encoded
 * by the transformation that the model was trained with.
 */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { basename, extname } from 'node:path';
import type { Table } from '../data/index.ts';
import {
  allRows,
  arrayTable,
  type Choice,
  chooseData,
  type Dataset,
  decodeImage,
  framed,
  givenAs,
  greyImage,
  isArrayFile,
  isH5ad,
  openH5ad,
  pictureEndings,
  readArrayFile,
  readTable,
  resizeImage,
  select,
  splitOf,
  subsetWithFields,
  type Transformation,
  tableDataset,
  tableEndings,
  tableTransformation,
} from '../data/index.ts';
import { defined } from '../defined.ts';
import { UntangleError } from '../errors.ts';
import { type ImageShape, itemSize, type ValueRange } from '../model/index.ts';
import type { ModelFile, Run } from '../runs/index.ts';
import { callOf } from '../shell.ts';
import { openRunData } from '../training/index.ts';

export type Part = 'train' | 'validation' | 'test' | 'all';

/** Items of a dataset that are to be encoded. */
export interface ChosenItems {
  data: Dataset;
  items: Uint32Array;
}

export interface ModelData {
  target: ChosenItems;
  background?: ChosenItems;
}

export interface DataRequest {
  /** A dataset's name or a path; the run's own data if there is none. */
  data?: string | undefined;
  /** Which of its items, and how they are read. */
  choice?: Choice;
  /** By default all of other data, and the test part of the run's own. */
  part?: Part | undefined;
  onNote?: (sentence: string) => void;
  onProgress?: (share: number, what: string) => void;
}

export async function dataForModel(run: Run, model: ModelFile, request: DataRequest): Promise<ModelData> {
  const { data: spec, part, onNote = () => {}, onProgress } = request;
  if (spec === undefined) return await ownData(run, model, request);
  const choice: Choice = {
    ...request.choice,
    onProgress: ({ what, done, total }) => onProgress?.(done / total, what),
  };
  const { shape, transformation } = model.data;
  const sets =
    shape.kind === 'image'
      ? await imageSets(spec, choice, run, shape, model.data.range, onNote)
      : await tableSets(spec, choice, transformation, onNote);
  const { seed, validation = 0.1 } = run.file.training;
  const chosen = (data: Dataset): ChosenItems => {
    const split = { seed, validation: Number(validation) };
    const items = part === undefined || part === 'all' ? allRows({ rows: data.length }) : splitOf(data, split)[part];
    return filled({ data, items }, part);
  };
  const { covariates } = model.data;
  // A decoder that alone is told covariates does not keep rows without them from being encoded.
  const told = (data: Dataset) =>
    covariates && run.file.options.givenTo === 'both' ? givenAs(data, covariates) : data;
  return { target: chosen(told(sets.target)), background: sets.background && chosen(told(sets.background)) };
}

async function ownData(
  run: Run,
  model: ModelFile,
  { choice = {}, part = 'test', onNote }: DataRequest,
): Promise<ModelData> {
  const { dataDir, onProgress: _, ...rest } = choice;
  if (Object.keys(rest).length > 0)
    throw new UntangleError(
      'Conditions and the like say which items of DATA are meant; the run’s own data is as it was.',
      {
        kind: 'call',
        hint: `Name the data too, as in: ${callOf('encode', run.folder, run.file.data.target.source)} --where …`,
      },
    );
  const { target, background } = await openRunData(run.file, {
    onNote,
    dataDir,
  });
  const fitted = tableTransformation(target.data);
  const now = fitted && JSON.stringify(fitted);
  const then = model.data.transformation && JSON.stringify(model.data.transformation);
  if (now !== then)
    throw new UntangleError(
      `“${run.file.data.target.source}” has changed, so its rows would be encoded in another way.`,
      {
        hint: `Name it, and its rows are encoded as they were in training: ${callOf('encode', run.folder, run.file.data.target.source)}`,
      },
    );
  const chosen = ({ data, split }: { data: Dataset; split: Record<Exclude<Part, 'all'>, Uint32Array> }) =>
    filled({ data, items: part === 'all' ? allRows({ rows: data.length }) : split[part] }, part);
  return { target: chosen(target), background: background && chosen(background) };
}

function filled(chosen: ChosenItems, part: Part | undefined): ChosenItems {
  if (chosen.items.length > 0) return chosen;
  throw new UntangleError(`${chosen.data.name} has no items${part === undefined ? '' : ` in its ${part} part`}.`, {
    kind: 'call',
    hint: 'Choose another --part.',
  });
}

interface Sets {
  target: Dataset;
  background?: Dataset;
}

async function imageSets(
  spec: string,
  choice: Choice,
  run: Run,
  shape: ImageShape,
  range: ValueRange,
  onNote: (sentence: string) => void,
): Promise<Sets> {
  const { crop: trained } = run.file.data.target.options;
  const crop = choice.crop ?? (trained === true || typeof trained === 'number' ? trained : undefined);
  if (isPictureFile(spec)) return { target: await onePicture(spec, shape, range, crop) };
  // Pictures of a folder may differ in size; they are brought to the model's one by one.
  const isFolder = existsSync(spec) && statSync(spec).isDirectory();
  const size = isFolder && shape.height === shape.width ? { size: shape.height } : {};
  if (isFolder && 'size' in size)
    onNote(`Pictures are brought to ${shape.width}×${shape.height} pixels, as the model takes them.`);
  const { opened, warnings } = await chooseData(spec, {
    ...choice,
    ...size,
    ...(isFolder && crop !== undefined && { crop }),
  });
  for (const warning of warnings) onNote(warning);
  const shaped = (data: Dataset) => fitted(data, shape, range, onNote);
  return opened.kind === 'single'
    ? { target: shaped(opened.data) }
    : { target: shaped(opened.target), background: shaped(opened.background) };
}

const isPictureFile = (path: string) =>
  pictureEndings.includes(extname(path).slice(1).toLowerCase()) && existsSync(path) && statSync(path).isFile();

async function onePicture(path: string, shape: ImageShape, range: ValueRange, crop?: number | true): Promise<Dataset> {
  const name = basename(path);
  const bytes = framed(await decodeImage(readFileSync(path), name), shape, crop === undefined ? {} : { crop });
  const convert = conversion('unit', range);
  const values = Float32Array.from(bytes, (byte) => convert(byte / 255));
  return { name, title: name, shape, range, length: 1, fingerprint: '', gather: () => values };
}

/** A set's images in the model's shape and range. */
function fitted(data: Dataset, shape: ImageShape, range: ValueRange, onNote: (sentence: string) => void): Dataset {
  const from = data.shape;
  if (from.kind !== 'image')
    throw new UntangleError(
      `${data.name} is a table; the model takes images of ${shape.width}×${shape.height} pixels.`,
      { kind: 'call' },
    );
  const isScaled = from.height !== shape.height || from.width !== shape.width;
  if (isScaled)
    onNote(
      `The images of ${data.name} are ${from.width}×${from.height}; they are resized to ${shape.width}×${shape.height}, as the model takes them.`,
    );
  if (from.channels === 3 && shape.channels === 1) onNote(`The images of ${data.name} are turned into grey.`);
  const convert = conversion(data.range, range);
  const size = itemSize(shape);
  const plane = shape.height * shape.width;
  return {
    ...data,
    shape,
    range,
    gather(indices, out = new Float32Array(indices.length * size)) {
      for (let i = 0; i < indices.length; i++) {
        let image = data.gather([indices[i]]);
        const isGreyed = from.channels === 3 && shape.channels === 1;
        if (isGreyed) image = greyImage(image, from.height, from.width);
        const planes = isGreyed ? 1 : from.channels;
        if (isScaled) image = resizeImage(image, planes, from.height, from.width, shape.height, shape.width);
        for (let k = 0; k < size; k++) out[i * size + k] = convert(image[planes === 1 ? k % plane : k]);
      }
      return out;
    },
  };
}

/** Values of one range in another; standardised values are left as they are. */
function conversion(from: ValueRange, to: ValueRange): (value: number) => number {
  if (from === 'symmetric' && (to === 'unit' || to === 'binary')) return (value) => (value + 1) / 2;
  if ((from === 'unit' || from === 'binary') && to === 'symmetric') return (value) => 2 * value - 1;
  return (value) => value;
}

async function tableSets(
  spec: string,
  { where, background, backgroundWhere, label, layer }: Choice,
  transformation: Transformation | undefined,
  onNote: (sentence: string) => void,
): Promise<Sets> {
  const open = async (path: string) => {
    if (!isH5ad(path)) return encodedTable(await anyTable(path), transformation, label, onNote);
    return await openH5ad(path, defined({ layer, label }), transformation);
  };
  const narrowed = (data: Dataset, condition: string | undefined) =>
    condition === undefined ? data : subsetWithFields(data, select(data, condition));
  const all = await open(spec);
  const other = background === undefined ? (backgroundWhere === undefined ? undefined : all) : await open(background);
  return { target: narrowed(all, where), background: other && narrowed(other, backgroundWhere) };
}

async function anyTable(path: string): Promise<Table> {
  const isTable = tableEndings.includes(extname(path).slice(1).toLowerCase());
  if ((isTable || isArrayFile(path)) && existsSync(path))
    return isTable ? await readTable(path) : arrayTable(await readArrayFile(path));
  throw new UntangleError(
    existsSync(path) ? `${path} is no table, which the model takes.` : `There is no table ${path}.`,
    { kind: 'call', hint: `Give a file that ends in ${tableEndings.join(', ')}, npy or npz.` },
  );
}

function encodedTable(
  table: Table,
  transformation: Transformation | undefined,
  label: string | undefined,
  onNote: (sentence: string) => void,
): Dataset {
  if (transformation === undefined)
    throw new UntangleError('The model does not say how rows become its numbers, so a table can’t be encoded.');
  const { columns, left } = transformation;
  const known = new Set([...columns, ...left].map(({ name }) => name));
  const unknown = table.columns.map(({ name }) => name).filter((name) => !known.has(name) && name !== label);
  if (unknown.length > 0)
    onNote(`The model does not know these columns, and does not see them: ${unknown.join(', ')}.`);
  const labelled = label ?? left.find(({ why }) => why === 'label')?.name;
  return tableDataset(table, allRows(table), transformation, labelled);
}
