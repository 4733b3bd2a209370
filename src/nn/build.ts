/**
 * What a model is built with: it hands out parameters by name, inputs with one row for each item, and noise, and remembers
 * what it handed out. Built for training, a batch lies over workers; built for use, its size is free and there is no noise.
 */
import { UntangleError } from '../errors.ts';
import { stream } from '../random/index.ts';
import {
  type Batch,
  type DataType,
  type Distribution,
  type InputKind,
  input,
  isInput,
  parameter,
  rowsInput,
  type Shape,
  showShape,
  type Tensor,
} from '../tensor/index.ts';
import type { Initialiser } from './initialisers.ts';

/** A parameter as a model declares it. */
export interface Declared {
  tensor: Tensor;
  initial: Initialiser;
  /** False for state that no optimiser changes, such as running statistics. */
  trainable: boolean;
}

export interface Build {
  /** The batch of a training step; undefined when the model is built for use. */
  readonly batch: Batch | undefined;
  /** The parameter of this name under the current path, declared at its first use. */
  parameter(name: string, shape: Shape, initial: Initialiser, options?: { trainable?: boolean }): Tensor;
  /** A fed value with one row for each item. */
  rows(name: string, item: Shape, type?: DataType): Tensor;
  /** Noise with one row for each item, drawn anew in each step from the stream that its name addresses. Only in training. */
  noise(name: string, item: Shape, distribution: Distribution): Tensor;
  /** State that the step sets to a new value. */
  assign(parameter: Tensor, value: Tensor): void;
  /** The same build, with names below `path`. @example build.at('encoder').parameter('weight', …) // 'encoder.weight' */
  at(path: string): Build;
  /** The same build, with inputs and noise of another number of rows; the batch's own where none is given. */
  sized(rows: number | undefined): Build;
  /** What was handed out. */
  readonly declared: ReadonlyMap<string, Declared>;
  readonly assigns: readonly { parameter: Tensor; value: Tensor }[];
}

/** Starts a build: for a training step over `batch`, or for use without one. */
export function build(batch?: Batch): Build {
  const declared = new Map<string, Declared>();
  const inputs = new Map<string, Tensor>();
  const assigns: { parameter: Tensor; value: Tensor }[] = [];

  function under(path: string, own: Batch | undefined): Build {
    function fed(name: string, item: Shape, type: DataType, is: InputKind): Tensor {
      const known = inputs.get(name);
      if (known !== undefined) {
        if (isInput(known.op) && JSON.stringify(known.op.is) === JSON.stringify(is)) return known;
        throw new UntangleError(`The input “${name}” is asked for as two different things.`, {
          hint: 'Give the noise a name of its own.',
        });
      }
      const made =
        own === undefined ? input(name, ['batch', ...item], { type, is }) : rowsInput(name, item, own, type, is);
      inputs.set(name, made);
      return made;
    }
    const full = (name: string) => (path === '' ? name : `${path}.${name}`);
    return {
      batch: own,
      parameter(name, shape, initial, { trainable = true } = {}) {
        const known = declared.get(full(name));
        if (known === undefined) {
          const tensor = parameter(full(name), shape);
          declared.set(full(name), { tensor, initial, trainable });
          return tensor;
        }
        if (showShape(known.tensor.shape) !== showShape(shape)) {
          throw new UntangleError(
            `The parameter “${full(name)}” has shape ${showShape(known.tensor.shape)} in one place and ${showShape(shape)} in another.`,
          );
        }
        return known.tensor;
      },
      rows: (name, item, type = 'float32') => fed(name, item, type, { kind: 'data' }),
      noise(name, item, distribution) {
        if (own === undefined)
          throw new UntangleError(`A model that is built for use draws no noise (“${full(name)}”).`);
        const type = distribution === 'permutation' ? 'int64' : 'float32';
        return fed(full(name), item, type, { kind: 'noise', distribution });
      },
      assign: (target, value) => {
        assigns.push({ parameter: target, value });
      },
      at: (below) => under(full(below), own),
      sized: (size) => under(path, own && { ...own, size: size ?? own.size }),
      declared,
      assigns,
    };
  }
  return under('', batch);
}

/** The first values of declared parameters, each from a stream of its own: adding one changes no other. */
export function initialValues(declared: ReadonlyMap<string, Declared>, seed: number) {
  return [...declared].map(([name, { tensor, initial }]) => ({
    name,
    shape: tensor.shape,
    initial: initial(tensor.shape.map(Number), stream(seed, `initial ${name}`)),
  }));
}
