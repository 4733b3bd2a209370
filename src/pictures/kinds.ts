/** The kinds of pictures that a run can be drawn as: what each shows, what it needs of a model, and how it is drawn. */
import { join } from 'node:path';
import type { Drawing } from '../drawing/index.ts';
import { blocksOf, type TrainedModel } from '../use/index.ts';
import { drawCurves, drawKl } from './charts.ts';
import { drawClassKl } from './class-kl.ts';
import { drawClasses } from './classes.ts';
import { drawEmbeddings, embeddedBlocks } from './embedding.ts';
import { drawInterpolation } from './interpolation.ts';
import { drawPriors, learnedPriors } from './prior.ts';
import { drawReconstruction } from './reconstruction.ts';
import { drawSamples } from './samples.ts';
import type { PictureOptions, Subject } from './subject.ts';
import { drawTableReconstruction, drawTableTraversal } from './tables.ts';
import { drawSwap, drawSynthesis, drawTransfer, transferredBlocks } from './transfer.ts';
import { drawTraversal } from './traversal.ts';

/** A drawing; `name` tells it from others of its kind. */
export interface Drawn {
  name: string;
  drawing: Drawing;
}

export interface PictureKind {
  about: string;
  /** What this model lacks for it, if anything. @example 'has no salient block' */
  lacks(model: TrainedModel, options: PictureOptions): string | undefined;
  draw(subject: Subject, options: PictureOptions): Promise<Drawn[]>;
}

export const kinds: Readonly<Record<string, PictureKind>> = {
  reconstruction: {
    about: 'test items and what the model makes of them',
    lacks: (model) => lacksEncoder(model) ?? lacksContinuous(model),
    draw: async ({ model, data }, options) =>
      one(await (isTable(model) ? drawTableReconstruction : drawReconstruction)(model, await data(), options)),
  },
  traversal: {
    about: 'each dimension moved alone through its prior, the one that carries the most first',
    lacks: (model, { from = 'prior' }) =>
      lacksContinuous(model) ?? (from === 'prior' ? undefined : lacksEncoder(model)),
    draw: async ({ model, data }, options) =>
      one(await (isTable(model) ? drawTableTraversal : drawTraversal)(model, data, options)),
  },
  samples: {
    about: 'samples from the prior, a row for each class where there are classes',
    lacks: (model) => lacksImages(model) ?? lacksContinuous(model),
    draw: async ({ model }, options) => one(await drawSamples(model, options)),
  },
  interpolation: {
    about: 'from one item to another in a block, along a line or over a square',
    lacks: (model) => lacksImages(model) ?? lacksEncoder(model) ?? lacksContinuous(model),
    draw: async ({ model, data }, options) => one(await drawInterpolation(model, data, options)),
  },
  embedding: {
    about: 'codes in the plane by t-SNE or UMAP, coloured by a label or factor',
    lacks: (model, { blocks }) =>
      lacksEncoder(model) ??
      (blocks === undefined && embeddedBlocks(model).length === 0
        ? 'has no block of two dimensions or more'
        : undefined),
    draw: async ({ model, data }, options) => await drawEmbeddings(model, await data(), options),
  },
  transfer: {
    about: 'attributes of the items above given to the items at the left',
    lacks: (model, { blocks }) =>
      lacksImages(model) ??
      lacksEncoder(model) ??
      lacksContinuous(model) ??
      (transferredBlocks(model, blocks).length === 0
        ? 'has neither a salient nor a class block to tell what to move (--blocks z[0] would)'
        : undefined),
    draw: async ({ model, data }, options) => one(await drawTransfer(model, await data(), options)),
  },
  swap: {
    about: 'target items whole, without what is salient, and with nothing else',
    lacks: (model) => lacksImages(model) ?? lacksEncoder(model) ?? lacksSalient(model),
    draw: async ({ model, data }, options) => one(await drawSwap(model, await data(), options)),
  },
  synthesis: {
    about: 'new salient codes on real background items, a column for each code',
    lacks: (model) => lacksImages(model) ?? lacksEncoder(model) ?? lacksSalient(model),
    draw: async ({ model, data }, options) => one(await drawSynthesis(model, await data(), options)),
  },
  classes: {
    about: 'what varies inside each class',
    lacks: (model) =>
      lacksImages(model) ??
      lacksContinuous(model) ??
      (blocksOf(model, 'class').length === 0 ? 'has no class block' : undefined),
    draw: async ({ model, data }, options) => one(await drawClasses(model, data, options)),
  },
  prior: {
    about: 'the learned prior of a class-related dimension, with pictures along it',
    lacks: (model) =>
      lacksImages(model) ??
      (learnedPriors(model).length === 0 ? 'has no class-related block with a learned prior' : undefined),
    draw: async ({ model }, options) => await drawPriors(model, options),
  },
  curves: {
    about: 'the loss and its terms over the steps, and the KL of each dimension',
    lacks: () => undefined,
    draw: async ({ model, run }, options) => await drawCurves(model, join(run.folder, 'log.jsonl'), options),
  },
  kl: {
    about: 'how much each dimension carries, by block',
    lacks: (model) =>
      model.file.blocks.some(({ kl }) => kl !== undefined) ? undefined : 'has no block whose KL was measured',
    draw: async ({ model }, options) => one(drawKl(model, options)),
  },
  'class-kl': {
    about: 'how much each class-related dimension carries in items of each class',
    lacks: (model) =>
      lacksEncoder(model) ??
      (model.file.blocks.some((block) => block.class !== undefined) ? undefined : 'has no block for a single class'),
    draw: async ({ model, data }, options) => one(await drawClassKl(model, await data(), options)),
  },
};

const one = (drawing: Drawing): Drawn[] => [{ name: '', drawing }];
const isTable = ({ file }: TrainedModel) => file.data.shape.kind === 'table';
const lacksImages = (model: TrainedModel) => (isTable(model) ? 'learned from a table, not from images' : undefined);
const lacksEncoder = ({ file }: TrainedModel) => (file.encodes ? undefined : 'has no encoder');
const lacksContinuous = ({ file }: TrainedModel) =>
  file.blocks.some(({ kind }) => kind === 'gaussian') ? undefined : 'has no continuous block to decode';
const lacksSalient = (model: TrainedModel) =>
  blocksOf(model, 'salient').length === 0 ? 'has no salient block' : undefined;
