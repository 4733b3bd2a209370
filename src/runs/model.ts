/**
 * `model/`: a trained encoder and decoder as ONNX files that any tool can read, and `model.json`, which says what their inputs
 * and outputs mean. Pictures, measures, exports and the studio know a run's model through these files alone.
 */
import { join } from 'node:path';
import { z } from 'zod';
import { covariateSchema, transformationSchema } from '../data/index.ts';
import { recoverFolder, replaceFolder, writeToDisk } from '../disk.ts';
import {
  blockKinds,
  type ModelBlock,
  roles,
  type TableShape,
  type ValueRange,
  withDependencies,
} from '../model/index.ts';
import { checkJson, readJson, toJson } from './json.ts';
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
): Promise<void> {
  const path = join(runFolder, 'model');
  const file = checkJson({ format, ...facts }, join(path, 'model.json'), modelSchema);
  await replaceFolder(path, async (folder) => {
    await writeToDisk(join(folder, 'model.json'), `${toJson(file, 2)}\n`);
    await writeToDisk(join(folder, 'decoder.onnx'), files.decoder);
    if (files.encoder) await writeToDisk(join(folder, 'encoder.onnx'), files.encoder);
  });
}

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
  return await readJson(join(runFolder, 'model', 'model.json'), modelSchema);
}
