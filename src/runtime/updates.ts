/**
 * How a step's optimisers change parameters: inside the step's graph for one worker, in a graph apart for several, which each
 * of them runs on its share.
 */
import {
  allSum,
  asPart,
  concat,
  constant,
  encodeModel,
  grad,
  input,
  minimum,
  sizeOf,
  type Tensor,
  writeGraph,
} from '../tensor/index.ts';
import { describeInputs, type PhaseInput, parameterName } from './sources.ts';
import type { Group, Step } from './step.ts';

export interface GroupPlan {
  name: string;
  parameters: string[];
  slots: string[];
  /** How many numbers each worker updates; the last share may run past the end. */
  share: number;
  update: InsideUpdate | ApartUpdate;
}

/** An update in the step's own graph: ids of the new values. */
export interface InsideUpdate {
  kind: 'inside';
  parameterId: number;
  slotIds: number[];
}

/** An update in a graph of its own, which every worker runs on its share, piece by piece. */
export interface ApartUpdate {
  kind: 'apart';
  /** Ids of the gradients, in the order of the parameters. */
  gradientIds: number[];
  model: Uint8Array;
  piece: number;
  inputs: PhaseInput[];
  /** The new parameters first, then the slots. */
  outputs: string[];
}

/** Numbers that are updated at a time: few enough for all of an update's values to stay in a core's cache. */
const pieceSize = 2 ** 16;

/** Plans the updates of a step's groups. */
export function planUpdates(step: Step, workers: number): Updates {
  const gradients = gradientsOf(step);
  return workers === 1 ? updatesInside(step, gradients) : updatesApart(step, gradients, workers);
}

/** The gradients in each group's parameters. */
function gradientsOf(step: Step): Tensor[][] {
  const all = grad(
    step.minimises,
    step.groups.flatMap((group) => group.parameters),
  );
  let next = 0;
  return step.groups.map((group) => group.parameters.map(() => all[next++]));
}

export interface Updates {
  groups: GroupPlan[];
  /** What the step's graph has to compute for them. */
  outputs: Tensor[];
  /** All formulas, whichever graph they are in. */
  all: Tensor[];
}

/** One worker: the updates are part of the step's graph. */
function updatesInside(step: Step, gradients: readonly Tensor[][]): Updates {
  const flat = gradients.map((list) => {
    const parts = list.map((gradient) => asPart(gradient, 1).reshape([sizeOf(gradient.shape)]));
    return allSum(concat(parts, 0));
  });
  const scale = step.clipNorm === undefined ? undefined : clipScale(flat, step.clipNorm);
  const outputs: Tensor[] = [];
  const groups = step.groups.map((group, i): GroupPlan => {
    const share = Number(flat[i].shape[0]);
    const [parameter, ...slots] = updateOf(group, i, scale === undefined ? flat[i] : flat[i].times(scale), share);
    outputs.push(parameter, ...slots);
    const update = { kind: 'inside', parameterId: parameter.id, slotIds: slots.map(({ id }) => id) } as const;
    return { ...describeGroup(group), share, update };
  });
  return { groups, outputs, all: outputs };
}

/** Several workers: each gives its summands of the gradients, and updates its share of the parameters by a graph apart. */
function updatesApart(step: Step, gradients: readonly Tensor[][], workers: number): Updates {
  const outputs: Tensor[] = [];
  const all: Tensor[] = [];
  const groups = step.groups.map((group, i): GroupPlan => {
    const summands = gradients[i].map((gradient) => asPart(gradient, workers));
    const size = summands.reduce((sum, { shape }) => sum + sizeOf(shape), 0);
    const pieces = Math.ceil(size / workers / pieceSize);
    const piece = Math.ceil(size / workers / pieces);
    const gradient = vectorOf(group, i, 'gradient', piece);
    const scaled = step.clipNorm === undefined ? gradient : gradient.times(gradientScale());
    const results = updateOf(group, i, scaled, piece);
    outputs.push(...summands);
    all.push(...summands, ...results);
    const names = ['parameters', ...group.optimiser.slots].map((vector) => `new ${vector}`);
    const written = writeGraph({
      name: `update of ${group.name}`,
      outputs: Object.fromEntries(names.map((name, k) => [name, results[k]])),
    });
    const update: ApartUpdate = {
      kind: 'apart',
      gradientIds: summands.map(({ id }) => id),
      model: encodeModel(written),
      piece,
      inputs: describeInputs(written, new Map()),
      outputs: names,
    };
    return { ...describeGroup(group), share: piece * pieces, update };
  });
  return { groups, outputs, all };
}

/** A group's new parameters and slots, as formulas over vectors of a size. */
function updateOf(group: Group, index: number, gradient: Tensor, size: number): Tensor[] {
  const { name, optimiser } = group;
  const { parameter, slots } = optimiser.update({
    parameter: vectorOf(group, index, 'parameters', size),
    gradient,
    slots: Object.fromEntries(optimiser.slots.map((slot) => [slot, vectorOf(group, index, slot, size)])),
    rate: input(learningRateOf(name), [], { is: { kind: 'learning rate' } }),
    count: input('step count', [], { is: { kind: 'step count' } }),
  });
  return [parameter, ...optimiser.slots.map((slot) => slots[slot])];
}

function vectorOf({ name }: Group, group: number, vector: string, size: number): Tensor {
  return input(`${name} ${vector}`, [size], { is: { kind: 'vector', group, vector } });
}

const gradientScale = () => input('gradient scale', [], { is: { kind: 'gradient scale' } });

/** The name that a group's learning rate is fed under. */
export function learningRateOf(group: string): string {
  return `${group} learning rate`;
}

function describeGroup({ name, parameters, optimiser }: Group) {
  return { name, parameters: parameters.map(parameterName), slots: [...optimiser.slots] };
}

/** What gradients are scaled by, so that their common norm is at most `limit`. */
function clipScale(gradients: Tensor[], limit: number): Tensor {
  const squares = gradients.map((gradient) => gradient.square().sum());
  const norm = squares.reduce((total, square) => total.plus(square)).sqrt();
  return minimum(constant([limit], []).over(norm.plus(clipEpsilon)), 1);
}

/** What PyTorch adds to the norm before it divides by it. */
export const clipEpsilon = 1e-6;
