/** A run's trained model, opened from its files: items to codes, and codes to items. */
import { UntangleError } from '../errors.ts';
import {
  covariatesInput,
  covariatesSize,
  itemSize,
  type ModelBlock,
  outputsOf,
  tensorShape,
  usualRows,
} from '../model/index.ts';
import { findRun, type ModelFile, type Run, readModelFiles } from '../runs/index.ts';
import type { Backend, OpenGraph } from '../runtime/index.ts';
import { nodeBackend } from '../runtime/node/index.ts';

/** A block's code of some items: mean and log variance, or the probabilities of classes, a row for each item. */
export interface BlockCodes {
  block: ModelBlock;
  /** Means, or probabilities. */
  values: Float32Array;
  logVariance?: Float32Array;
}

/** Items are encoded and decoded so many at a time, which bounds the memory of a network's inner layers. */
const atOnce = 256;

/** A trained model, ready to encode and decode. */
export class TrainedModel {
  readonly file: ModelFile;
  private readonly backend: Backend;
  private readonly encoder: OpenGraph | undefined;
  private readonly decoder: OpenGraph;

  private constructor(file: ModelFile, backend: Backend, encoder: OpenGraph | undefined, decoder: OpenGraph) {
    this.file = file;
    this.backend = backend;
    this.encoder = encoder;
    this.decoder = decoder;
  }

  /**
   * Opens the model of a run; `asIs` where a training may be writing it, which is left alone then.
   *
   * @example const model = await TrainedModel.open('runs/beta-vae-dsprites-1')
   */
  static async open(runFolder: string, { threads = 2, asIs = false } = {}): Promise<TrainedModel> {
    const files = await readModelFiles(runFolder, { asIs });
    if (files === undefined)
      throw new UntangleError(`The run “${runFolder}” has no model yet.`, {
        kind: 'call',
        hint: 'A model is written with the first checkpoint of a training.',
      });
    const backend = await nodeBackend();
    const { file, encoder, decoder } = files;
    return new TrainedModel(
      file,
      backend,
      encoder && (await backend.open(encoder, { threads })),
      await backend.open(decoder, { threads }),
    );
  }

  /** How many numbers an item holds. */
  get itemSize(): number {
    return itemSize(this.file.data.shape);
  }

  /**
   * The codes of items that lie one after the other, block by block in the model's order. An encoder that is told covariates takes
   * usual ones where none are given.
   */
  async encode(items: Float32Array, onItems?: (done: number) => void, given?: Float32Array): Promise<BlockCodes[]> {
    if (this.encoder === undefined)
      throw new UntangleError(`${this.file.title} has no encoder: it can only decode.`, { kind: 'call' });
    const n = this.countOf(items, this.itemSize, 'item');
    const sides = tensorShape(this.file.data.shape);
    const codes = this.file.blocks.map((block) => ({
      block,
      outputs: outputsOf(block),
      values: new Float32Array(n * block.size),
      logVariance: block.kind === 'gaussian' ? new Float32Array(n * block.size) : undefined,
    }));
    const names = codes.flatMap(({ outputs }) => Object.values(outputs));
    for (let start = 0; start < n; start += atOnce) {
      const count = Math.min(atOnce, n - start);
      const part = items.slice(start * this.itemSize, (start + count) * this.itemSize);
      const x = this.backend.bind(part, [count, ...sides], 'float32');
      const feeds = { x, ...this.toldOf(this.encoder, start, count, given) };
      const results = await this.encoder.run(feeds, Object.fromEntries(names.map((name) => [name, null])));
      for (const { block, values, logVariance, outputs } of codes) {
        values.set(floats(results[outputs.values].data), start * block.size);
        if (outputs.logVariance) logVariance?.set(floats(results[outputs.logVariance].data), start * block.size);
      }
      onItems?.(start + count);
    }
    return codes.map(({ outputs: _, ...code }) => code);
  }

  /**
   * Items from a code of each block, a row for each item; a block that is not given is at its neutral code, or 0, and covariates that
   * are not told are usual ones.
   */
  async decode(codes: Readonly<Record<string, Float32Array>>, told?: Float32Array): Promise<Float32Array> {
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
      const { x } = await this.decoder.run(
        { ...Object.fromEntries(feeds), ...this.toldOf(this.decoder, start, count, told) },
        { x: null },
      );
      items.set(floats(x.data), start * size);
    }
    return items;
  }

  async close(): Promise<void> {
    await this.encoder?.close();
    await this.decoder.close();
  }

  /** The covariates of a piece of items, where a graph takes any. */
  private toldOf(graph: OpenGraph, start: number, count: number, rows?: Float32Array): Parameters<OpenGraph['run']>[0] {
    const { covariates = [] } = this.file.data;
    if (!graph.inputNames.includes(covariatesInput)) return {};
    const width = covariatesSize(covariates);
    const part = rows ? rows.slice(start * width, (start + count) * width) : usualRows(covariates, count);
    return { [covariatesInput]: this.backend.bind(part, [count, width], 'float32') };
  }

  private countOf(values: Float32Array, size: number, what: string): number {
    const n = values.length / size;
    if (Number.isInteger(n) && n > 0) return n;
    throw new UntangleError(`${values.length} numbers are no whole number of rows of ${size}, one ${what} each.`, {
      kind: 'call',
    });
  }
}

/** The model of a run, which is meant by its folder or its name, opened for as long as some work takes. */
export async function withModel<T>(
  meant: Run | string,
  work: (model: TrainedModel, run: Run) => Promise<T>,
): Promise<T> {
  const run = typeof meant === 'string' ? await findRun(meant) : meant;
  const model = await TrainedModel.open(run.folder);
  try {
    return await work(model, run);
  } finally {
    await model.close();
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
