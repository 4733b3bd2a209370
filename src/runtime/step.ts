/**
 * A training step: terms, what is minimised, and which optimiser changes which parameters. `planStep` differentiates it,
 * adds the optimisers' updates, and writes the graphs that each worker runs.
 */
import { UntangleError } from '../errors.ts';
import {
  asPart,
  concat,
  constant,
  type DataType,
  encodeModel,
  grad,
  input,
  isInput,
  isParameter,
  minimum,
  pad,
  sizeOf,
  sumShare,
  type Tensor,
  writeGraph,
} from '../tensor/index.ts';
import { phasesOf } from './phases.ts';

/** How an optimiser changes parameters, as a formula over one flat vector of them. */
export interface Optimiser {
  name: string;
  /** What it remembers of each parameter, starting at zero. */
  slots: readonly string[];
  /** New values of parameters and slots; `count` is 1 in the first step. */
  update(now: { parameter: Tensor; gradient: Tensor; slots: Record<string, Tensor>; rate: Tensor; count: Tensor }): {
    parameter: Tensor;
    slots: Record<string, Tensor>;
  };
}

/** Parameters that one optimiser changes. Its learning rate is fed as `<name> learning rate`. */
export interface Group {
  name: string;
  parameters: readonly Tensor[];
  optimiser: Optimiser;
}

export interface Step {
  /** The scalar whose gradient the optimisers follow. */
  minimises: Tensor;
  /** Scalars to report, by name. */
  terms: Record<string, Tensor>;
  groups: readonly Group[];
  /** Scales gradients down to this norm, taken over all groups together. */
  clipNorm?: number;
  /** Other state that the step sets, such as running statistics. */
  assigns?: readonly { parameter: Tensor; value: Tensor }[];
}

/** Where a phase's input comes from. */
export type Source =
  | { kind: 'feed'; name: string }
  | { kind: 'parameter'; name: string }
  | { kind: 'share'; group: number; slot: string | undefined }
  | { kind: 'count' }
  | { kind: 'value'; id: number };

export interface PhaseInput {
  name: string;
  shape: number[];
  type: DataType;
  source: Source;
}

export interface PhaseOutput {
  name: string;
  shape: number[];
  type: DataType;
  id: number;
}

export interface Exchange {
  kind: 'allSum' | 'wholeBatch' | 'sumShare';
  from: number;
  to: number;
  /** How many numbers a worker gives. */
  size: number;
}

export interface PhasePlan {
  /** The ONNX file of each worker. */
  models: Uint8Array[];
  inputs: PhaseInput[];
  outputs: PhaseOutput[];
  exchanges: Exchange[];
  /** Shape of each exchanged value, as later phases take it. */
  received: PhaseOutput[];
}

export interface FeedPlan {
  name: string;
  type: DataType;
  /** The shape of the whole feed, all rows of the batch. */
  shape: number[];
  /** Whether workers get their own rows of it, or all of it. */
  rows: boolean;
}

export interface GroupPlan {
  name: string;
  parameters: string[];
  slots: string[];
  /** How many numbers each worker updates; the last share may run past the end. */
  share: number;
  /** Ids of the new values. */
  parameterId: number;
  slotIds: number[];
}

/** All that a worker needs to run a step; plain data, so that it can be sent to a thread. */
export interface StepPlan {
  name: string;
  workers: number;
  phases: PhasePlan[];
  feeds: FeedPlan[];
  groups: GroupPlan[];
  terms: string[];
  termsId: number;
  assigns: { parameter: string; id: number }[];
}

const rateOf = (group: string) => `${group} learning rate`;

/** Differentiates a step and writes its graphs, for as many workers as share a batch. */
export function planStep(name: string, step: Step, workers: number): StepPlan {
  const terms = { loss: step.minimises, ...step.terms };
  for (const [term, tensor] of Object.entries(terms)) checkTerm(term, tensor);
  const count = input('step count', []);
  const shares = groupShares(step, workers);
  const scale =
    step.clipNorm === undefined
      ? undefined
      : clipScale(
          shares.map(({ gradient }) => gradient),
          step.clipNorm,
        );
  const updates = step.groups.map((group, i) => {
    const { gradient, size } = shares[i];
    const share = (slot: string) => input(`${group.name} ${slot}`, [size / workers], { spread: gradient.spread });
    return group.optimiser.update({
      parameter: share('parameters'),
      gradient: scale === undefined ? gradient : gradient.times(scale),
      slots: Object.fromEntries(group.optimiser.slots.map((slot) => [slot, share(slot)])),
      rate: input(rateOf(group.name), []),
      count,
    });
  });
  const termVector = concat(
    Object.values(terms).map((term) => term.reshape([1])),
    0,
  ).named('terms');
  const assigns = step.assigns ?? [];
  const outputs = [
    termVector,
    ...updates.flatMap((update, i) => [
      update.parameter,
      ...step.groups[i].optimiser.slots.map((slot) => update.slots[slot]),
    ]),
    ...assigns.map(({ value }) => value),
  ];
  const phases = planPhases(name, step, outputs, workers);
  return {
    name,
    workers,
    phases,
    feeds: feedsOf(outputs, step, workers),
    groups: step.groups.map((group, i) => ({
      name: group.name,
      parameters: group.parameters.map(parameterName),
      slots: [...group.optimiser.slots],
      share: shares[i].size / workers,
      parameterId: updates[i].parameter.id,
      slotIds: group.optimiser.slots.map((slot) => updates[i].slots[slot].id),
    })),
    terms: Object.keys(terms),
    termsId: termVector.id,
    assigns: assigns.map(({ parameter, value }) => ({ parameter: parameterName(parameter), id: value.id })),
  };
}

/** Each group's gradient as one vector, of which every worker has a share. */
function groupShares(step: Step, workers: number): { gradient: Tensor; size: number }[] {
  const all = step.groups.flatMap((group) => group.parameters);
  const gradients = grad(step.minimises, all);
  let next = 0;
  return step.groups.map((group) => {
    const flat = group.parameters.map((parameter) => {
      const gradient = gradients[next++];
      const part = gradient.spread.kind === 'part' ? gradient : asPart(gradient, workers);
      return part.reshape([sizeOf(parameter.shape)]);
    });
    const joined = concat(flat, 0);
    const size = Math.ceil(Number(joined.shape[0]) / workers) * workers;
    const padded = pad(joined, { 0: [0, size - Number(joined.shape[0])] }).named(`gradient of ${group.name}`);
    return { gradient: sumShare(padded), size };
  });
}

/** What gradients are scaled by, so that their common norm is at most `limit`. */
function clipScale(gradients: Tensor[], limit: number): Tensor {
  const squares = gradients.map((gradient) => gradient.square().sum());
  const norm = squares.reduce((total, square) => total.plus(square)).sqrt();
  return minimum(constant([limit], []).over(norm.plus(1e-6)), 1);
}

function planPhases(name: string, step: Step, outputs: readonly Tensor[], workers: number): PhasePlan[] {
  const received = new Map<Tensor, string>();
  return phasesOf(outputs, workers).map((phase, index, all) => {
    const last = index === all.length - 1;
    const label = (tensor: Tensor) => `${tensor.label ?? tensor.op.name} #${tensor.id}`;
    const named = Object.fromEntries(phase.results.map((tensor) => [label(tensor), tensor]));
    const written = Array.from({ length: workers }, (_, worker) =>
      writeGraph({ name: last ? name : `${name} ${index}`, outputs: named, given: received, worker, workers }),
    );
    const plan: PhasePlan = {
      models: written.map(encodeModel),
      inputs: [...written[0].sources].map(([inputName, tensor]) => ({
        name: inputName,
        shape: tensor.shape.map(Number),
        type: tensor.type,
        source: sourceOf(tensor, received, step),
      })),
      outputs: phase.results.map((tensor) => ({ ...describe(tensor), name: label(tensor) })),
      exchanges: phase.exchanges.map((node) => ({
        kind: exchangeKind(node),
        from: node.inputs[0].id,
        to: node.id,
        size: sizeOf(node.inputs[0].shape),
      })),
      received: phase.exchanges.map((node) => ({ ...describe(node), name: label(node) })),
    };
    for (const tensor of [...phase.results, ...phase.exchanges]) received.set(tensor, label(tensor));
    return plan;
  });
}

function describe(tensor: Tensor): { shape: number[]; type: DataType; id: number } {
  return { shape: tensor.shape.map(Number), type: tensor.type, id: tensor.id };
}

function exchangeKind(node: Tensor): Exchange['kind'] {
  const { name } = node.op;
  if (name === 'allSum' || name === 'wholeBatch' || name === 'sumShare') return name;
  throw new UntangleError(`“${name}” is not an exchange between workers.`);
}

function sourceOf(tensor: Tensor, received: ReadonlyMap<Tensor, string>, step: Step): Source {
  if (received.has(tensor)) return { kind: 'value', id: tensor.id };
  if (isParameter(tensor.op)) return { kind: 'parameter', name: tensor.op.parameter };
  if (!isInput(tensor.op)) throw new UntangleError(`“${tensor.label}” has no source.`);
  const { input: name } = tensor.op;
  if (name === 'step count') return { kind: 'count' };
  for (const [group, { name: groupName, optimiser }] of step.groups.entries()) {
    if (name === `${groupName} parameters`) return { kind: 'share', group, slot: undefined };
    const slot = optimiser.slots.find((one) => name === `${groupName} ${one}`);
    if (slot !== undefined) return { kind: 'share', group, slot };
  }
  return { kind: 'feed', name };
}

/** What a caller has to feed: all inputs but those that the program keeps itself. */
function feedsOf(outputs: readonly Tensor[], step: Step, workers: number): FeedPlan[] {
  const feeds = new Map<string, FeedPlan>();
  const seen = new Set<Tensor>();
  const stack = [...outputs];
  while (stack.length > 0) {
    const tensor = stack.pop()!;
    if (seen.has(tensor)) continue;
    seen.add(tensor);
    stack.push(...tensor.inputs);
    if (!isInput(tensor.op)) continue;
    const source = sourceOf(tensor, new Map(), step);
    if (source.kind !== 'feed') continue;
    const rows = tensor.spread.kind === 'rows';
    const [first, ...rest] = tensor.shape.map(Number);
    const shape = rows ? [first * workers, ...rest] : tensor.shape.map(Number);
    feeds.set(source.name, { name: source.name, type: tensor.type, shape, rows });
  }
  return [...feeds.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}

function parameterName(tensor: Tensor): string {
  if (!isParameter(tensor.op)) throw new UntangleError(`“${tensor.label ?? tensor.op.name}” is not a parameter.`);
  return tensor.op.parameter;
}

function checkTerm(name: string, tensor: Tensor): void {
  if (tensor.spread.kind !== 'whole' || tensor.shape.some((dimension) => dimension !== 1)) {
    throw new UntangleError(
      `The term “${name}” must be one number for the whole batch, not of shape [${tensor.shape.join(', ')}].`,
    );
  }
}
