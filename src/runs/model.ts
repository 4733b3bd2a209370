/**
 * `model/`: a trained encoder and decoder as ONNX files that any tool can read, and `model.json`, which says what their inputs
 * and outputs mean. Pictures, measures, exports and the studio know a run's model through these files alone.
 */
import { join } from 'node:path';
import { z } from 'zod';
import { covariateSchema, transformationSchema } from '../data/index.ts';
import { type BeforeChange, recoverFolder, replaceFolder, writeToDisk } from '../disk.ts';
import { UntangleError } from '../errors.ts';
import {
  blockKinds,
  type ModelBlock,
  roles,
  type TableShape,
  type ValueRange,
  withDependencies,
} from '../model/index.ts';
import { checkJson, parseJson, toJson } from './json.ts';
import { listAhead, readListed, settleList } from './manifest.ts';
import { isRunning, readStatus } from './status.ts';

const format = 1;
const numbers = z.array(z.number());

const shapeSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('image'),
    channels: z.int().min(1),
    height: z.int().min(1),
    width: z.int().min(1),
  }),
  z.object({ kind: z.literal('table'), columns: z.array(z.string()).min(1) }) satisfies z.ZodType<TableShape>,
]);

const blockSchema = z.looseObject({
  name: z.string().min(1),
  size: z.int().min(1),
  kind: z.enum(blockKinds),
  role: z.enum(roles),
  dependsOn: z.string().optional(),
  class: z.int().min(0).optional(),
  kl: numbers.optional(),
  neutral: numbers.optional(),
  prior: z.object({ mean: z.array(numbers), logVariance: z.array(numbers) }).optional(),
}) satisfies z.ZodType<ModelBlock>;

const modelSchema = z.looseObject({
  format: z.int().min(1).max(format),
  method: z.string(),
  title: z.string(),
  step: z.int().min(0),
  data: z.looseObject({
    name: z.string(),
    shape: shapeSchema,
    range: z.enum(['binary', 'unit', 'symmetric', 'real']) satisfies z.ZodType<ValueRange>,
    /** The class names of the first variable that labels told. */
    classes: z.array(z.string()).optional(),
    /** All variables that labels told, in the order of the class blocks. */
    variables: z.array(z.object({ name: z.string(), classes: z.array(z.string()) })).optional(),
    /** How a table's rows become the model's numbers and come back. */
    transformation: transformationSchema.optional(),
    /** What the decoder, and perhaps the encoder, is told of each item beside its numbers, in the input `given`. */
    covariates: z.array(covariateSchema).optional(),
  }),
  blocks: z.array(blockSchema).min(1).transform(withDependencies),
  /** Whether there is an encoder; a GAN has none. */
  encodes: z.boolean(),
});

export type ModelFile = z.infer<typeof modelSchema>;

/** A class block with what its classes are called. */
export interface ClassVariable {
  block: ModelBlock;
  /** What labels call the variable, or the block's name. */
  name: string;
  classes: readonly string[];
  /** Whether labels told the names; classes that were found without labels are numbered. */
  isNamed: boolean;
}

/** The class blocks in their order, each with the names of its classes. */
export function classVariables({ blocks, data }: Pick<ModelFile, 'blocks' | 'data'>): ClassVariable[] {
  const known = data.variables ?? (data.classes ? [{ name: 'class', classes: data.classes }] : []);
  return blocks
    .filter(({ role }) => role === 'class')
    .map((block, v) => {
      const variable = known[v]?.classes.length === block.size ? known[v] : undefined;
      return {
        block,
        name: variable?.name ?? block.name,
        classes: variable?.classes ?? Array.from({ length: block.size }, (_, k) => `${block.name} = ${k}`),
        isNamed: variable !== undefined,
      };
    });
}

/** Writes the model's folder whole, or leaves the one that was there. */
export async function writeModel(
  runFolder: string,
  facts: Omit<ModelFile, 'format'>,
  files: { encoder?: Uint8Array; decoder: Uint8Array },
  before?: BeforeChange,
): Promise<void> {
  const path = join(runFolder, 'model');
  const file = checkJson({ format, ...facts }, join(path, 'model.json'), modelSchema);
  const write = async (folder: string) => {
    await writeToDisk(join(folder, 'model.json'), `${toJson(file, 2)}\n`, before);
    await writeToDisk(join(folder, 'decoder.onnx'), files.decoder, before);
    if (files.encoder) await writeToDisk(join(folder, 'encoder.onnx'), files.encoder, before);
    const fresh = {
      'model/model.json': join(folder, 'model.json'),
      'model/decoder.onnx': join(folder, 'decoder.onnx'),
      ...(files.encoder && { 'model/encoder.onnx': join(folder, 'encoder.onnx') }),
    };
    await listAhead(runFolder, fresh, before);
  };
  await replaceFolder(path, write, before);
  await settleList(runFolder, modelNames, before);
}

/** A model as its files hold it. */
export interface ModelFiles {
  file: ModelFile;
  encoder?: Uint8Array;
  decoder: Uint8Array;
}

/**
 * All files of a run's model, each of them what was written; undefined if the run has no model yet. `asIs` looks at the folder as
 * `readModelAsIs` does.
 */
export async function readModelFiles(runFolder: string, { asIs = false } = {}): Promise<ModelFiles | undefined> {
  if ((await (asIs ? readModelAsIs : readModelFile)(runFolder)) === undefined) return undefined;
  // One look at all three, so that a training that writes them anew can't mix two models.
  const found = await readListed(runFolder, modelNames, largest);
  const missing = (name: string) => new UntangleError(`“${join(runFolder, name)}” is missing.`);
  const { 'model/model.json': json, 'model/encoder.onnx': encoder, 'model/decoder.onnx': decoder } = found;
  if (json === undefined) throw missing('model/model.json');
  const file = parseJson(json, join(runFolder, 'model', 'model.json'), modelSchema);
  if (decoder === undefined) throw missing('model/decoder.onnx');
  if (!file.encodes) return { file, decoder };
  if (encoder === undefined) throw missing('model/encoder.onnx');
  return { file, decoder, encoder };
}

const modelNames = ['model/model.json', 'model/encoder.onnx', 'model/decoder.onnx'] as const;
/** The largest network that is read. */
const largest = 2 ** 31;

/** What `model.json` says; undefined if the run has no model yet. */
export async function readModelFile(runFolder: string): Promise<ModelFile | undefined> {
  const found = await readModelAsIs(runFolder);
  if (found !== undefined) return found;
  // A training that was killed while it exchanged folders left the model aside; one that runs is about to put it back.
  const status = await readStatus(runFolder);
  if (status !== undefined && isRunning(status)) return undefined;
  await recoverFolder(join(runFolder, 'model'));
  return await readModelAsIs(runFolder);
}

/** The same of the folder as it stands, which a training may be writing: it is looked at and left alone. */
export async function readModelAsIs(runFolder: string): Promise<ModelFile | undefined> {
  const { 'model/model.json': bytes } = await readListed(runFolder, ['model/model.json'], largest);
  return bytes && parseJson(bytes, join(runFolder, 'model', 'model.json'), modelSchema);
}
