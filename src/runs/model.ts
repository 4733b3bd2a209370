/**
 * `model/`: a trained encoder and decoder as ONNX files that any tool can read, and `model.json`, which says what their inputs
 * and outputs mean. Pictures, measures, exports and the studio know a run's model through these files alone.
 */
import { join } from 'node:path';
import { z } from 'zod';
import type { TableShape, ValueRange } from '../data/index.ts';
import { transformationSchema } from '../data/transformation.ts';
import { UntangleError } from '../errors.ts';
import { type Backend, nodeBackend, type Session } from '../runtime/index.ts';
import { readBounded, recoverFolder, replaceFolder, writeToDisk } from './files.ts';
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
  kind: z.enum(['gaussian', 'categorical']),
  role: z.enum(['shared', 'salient', 'class', 'class-related']),
  /** The class whose factors it holds, if it belongs to one. */
  class: z.int().min(0).optional(),
  /** Mean KL of each dimension on held-out items, in nats: how much it carries. */
  kl: numbers.optional(),
  /** The code of items that lack what the block stands for. */
  neutral: numbers.optional(),
  /** A learned prior, with a row for each class; N(0, I) if there is none. */
  prior: z.object({ mean: z.array(numbers), logVariance: z.array(numbers) }).optional(),
});

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
  }),
  blocks: z.array(blockSchema).min(1),
  /** Whether there is an encoder; a GAN has none. */
  encodes: z.boolean(),
});

export type ModelFile = z.infer<typeof modelSchema>;
export type ModelBlock = ModelFile['blocks'][number];

/** A block's code of some items: mean and log variance, or the probabilities of classes, a row for each item. */
export interface BlockCodes {
  block: ModelBlock;
  /** Means, or probabilities. */
  values: Float32Array;
  logVariance?: Float32Array;
}

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
  const path = join(runFolder, 'model', 'model.json');
  const found = await readJson(path, modelSchema);
  if (found !== undefined) return found;
  // A training that was killed while it exchanged folders left the model aside; one that runs is about to put it back.
  const status = await readStatus(runFolder);
  if (status !== undefined && isRunning(status)) return undefined;
  await recoverFolder(join(runFolder, 'model'));
  return await readJson(path, modelSchema);
}

const largest = 2 ** 31;
/** Items are encoded and decoded so many at a time, which bounds the memory of a network's inner layers. */
const atOnce = 256;

/** A trained model, ready to encode and decode. */
export class TrainedModel {
  readonly file: ModelFile;
  private readonly backend: Backend;
  private readonly encoder: Session | undefined;
  private readonly decoder: Session;

  private constructor(file: ModelFile, backend: Backend, encoder: Session | undefined, decoder: Session) {
    this.file = file;
    this.backend = backend;
    this.encoder = encoder;
    this.decoder = decoder;
  }

  /**
   * Opens the model of a run.
   *
   * @example const model = await TrainedModel.open('runs/beta-vae-dsprites-1')
   */
  static async open(runFolder: string, { threads = 2 } = {}): Promise<TrainedModel> {
    const file = await readModelFile(runFolder);
    if (file === undefined)
      throw new UntangleError(`The run “${runFolder}” has no model yet.`, {
        kind: 'call',
        hint: 'A model is written with the first checkpoint of a training.',
      });
    const backend = await nodeBackend();
    const open = async (name: string) => {
      const bytes = await readBounded(join(runFolder, 'model', name), largest);
      if (bytes === undefined) throw new UntangleError(`“${join(runFolder, 'model', name)}” is missing.`);
      return await backend.open(bytes, { threads });
    };
    return new TrainedModel(
      file,
      backend,
      file.encodes ? await open('encoder.onnx') : undefined,
      await open('decoder.onnx'),
    );
  }

  /** How many numbers an item holds. */
  get itemSize(): number {
    const { shape } = this.file.data;
    return shape.kind === 'image' ? shape.channels * shape.height * shape.width : shape.columns.length;
  }

  /** The codes of items that lie one after the other, block by block in the model's order. */
  async encode(items: Float32Array, onItems?: (done: number) => void): Promise<BlockCodes[]> {
    if (this.encoder === undefined)
      throw new UntangleError(`${this.file.title} has no encoder: it can only decode.`, { kind: 'call' });
    const n = this.countOf(items, this.itemSize, 'item');
    const { shape } = this.file.data;
    const itemShape = shape.kind === 'image' ? [shape.channels, shape.height, shape.width] : [shape.columns.length];
    const codes = this.file.blocks.map((block): BlockCodes & { outputs: string[] } => ({
      block,
      values: new Float32Array(n * block.size),
      ...(block.kind === 'gaussian' && { logVariance: new Float32Array(n * block.size) }),
      outputs:
        block.kind === 'gaussian'
          ? [`${block.name} mean`, `${block.name} log variance`]
          : [`${block.name} probabilities`],
    }));
    for (let start = 0; start < n; start += atOnce) {
      const count = Math.min(atOnce, n - start);
      const part = items.slice(start * this.itemSize, (start + count) * this.itemSize);
      const x = this.backend.bind(part, [count, ...itemShape], 'float32');
      const fetches = Object.fromEntries(codes.flatMap(({ outputs }) => outputs.map((name) => [name, null])));
      const results = await this.encoder.run({ x }, fetches);
      for (const { block, values, logVariance, outputs } of codes) {
        values.set(floats(results[outputs[0]].data), start * block.size);
        logVariance?.set(floats(results[outputs[1]].data), start * block.size);
      }
      onItems?.(start + count);
    }
    return codes.map(({ outputs: _, ...code }) => code);
  }

  /** Items from a code of each block, a row for each item; a block that is not given is at its neutral code, or 0. */
  async decode(codes: Readonly<Record<string, Float32Array>>): Promise<Float32Array> {
    const { blocks } = this.file;
    const given = blocks.find(({ name }) => codes[name] !== undefined);
    if (given === undefined) throw new UntangleError('No block’s codes were given to decode.', { kind: 'call' });
    const n = this.countOf(codes[given.name], given.size, `code of ${given.name}`);
    const size = this.itemSize;
    const items = new Float32Array(n * size);
    for (let start = 0; start < n; start += atOnce) {
      const count = Math.min(atOnce, n - start);
      const feeds = blocks
        .filter(({ name }) => this.decoder.inputNames.includes(name))
        .map((block) => {
          const all = codes[block.name];
          if (all !== undefined && all.length !== n * block.size)
            throw new UntangleError(
              `The codes of ${block.name} hold ${all.length} numbers; ${n} items need ${n * block.size}.`,
              { kind: 'call' },
            );
          const part = all ? all.slice(start * block.size, (start + count) * block.size) : repeated(block, count);
          return [block.name, this.backend.bind(part, [count, block.size], 'float32')];
        });
      const { x } = await this.decoder.run(Object.fromEntries(feeds), { x: null });
      items.set(floats(x.data), start * size);
    }
    return items;
  }

  async close(): Promise<void> {
    await this.encoder?.close();
    await this.decoder.close();
  }

  private countOf(values: Float32Array, size: number, what: string): number {
    const n = values.length / size;
    if (Number.isInteger(n) && n > 0) return n;
    throw new UntangleError(`${values.length} numbers are no whole number of rows of ${size}, one ${what} each.`, {
      kind: 'call',
    });
  }
}

function repeated({ size, neutral }: ModelBlock, count: number): Float32Array {
  const rows = new Float32Array(count * size);
  if (neutral) for (let i = 0; i < count; i++) rows.set(neutral, i * size);
  return rows;
}

function floats(data: unknown): Float32Array {
  if (data instanceof Float32Array) return data;
  throw new UntangleError('The model’s files give values that are not numbers.');
}
