/**
 * A training step: terms, what is minimised, and which optimiser changes which parameters. `planStep` differentiates it,
 * adds the optimisers' updates, and writes the graphs that each worker runs.
 */
import { UntangleError } from '../errors.ts';
import {
  type Between,
  concat,
  type DataType,
  encodeModel,
  phasesOf,
  sizeOf,
  type Tensor,
  writeGraph,
} from '../tensor/index.ts';
import { describeInputs, feedsOf, type PhaseInput, parameterName, type StepFeed } from './sources.ts';
import { type GroupPlan, planUpdates } from './updates.ts';

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

/** Parameters that one optimiser changes. Its learning rate is fed under the name of `learningRateOf`. */
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

export interface PhaseOutput {
  name: string;
  shape: number[];
  type: DataType;
  id: number;
}

export interface Exchange {
  kind: Between;
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

/** All that a worker needs to run a step; plain data, so that it can be sent to a thread. */
export interface StepPlan {
  name: string;
  workers: number;
  phases: PhasePlan[];
  feeds: StepFeed[];
  groups: GroupPlan[];
  /** The norm that gradients are scaled down to, where the updates are apart from the step's graph. */
  clipNorm: number | undefined;
  terms: string[];
  termsId: number;
  assigns: { parameter: string; id: number }[];
}

/** Differentiates a step and writes its graphs, for as many workers as share a batch. */
export function planStep(name: string, step: Step, workers: number): StepPlan {
  const terms = { loss: step.minimises, ...step.terms };
  for (const [term, tensor] of Object.entries(terms)) checkTerm(term, tensor);
  const termVector = concat(
    Object.values(terms).map((term) => term.reshape([1])),
    0,
  ).named('terms');
  const assigns = step.assigns ?? [];
  const common = [termVector, ...assigns.map(({ value }) => value)];
  const { groups, outputs, all } = planUpdates(step, workers);
  return {
    name,
    workers,
    phases: planPhases(name, [...common, ...outputs], workers),
    feeds: feedsOf([...common, ...all], workers),
    groups,
    clipNorm: step.clipNorm,
    terms: Object.keys(terms),
    termsId: termVector.id,
    assigns: assigns.map(({ parameter, value }) => ({ parameter: parameterName(parameter), id: value.id })),
  };
}

function planPhases(name: string, outputs: readonly Tensor[], workers: number): PhasePlan[] {
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
      inputs: describeInputs(written[0], received),
      outputs: phase.results.map((tensor) => ({ ...describe(tensor), name: label(tensor) })),
      exchanges: phase.exchanges.map((node) => ({
        kind: node.op.between!,
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

function checkTerm(name: string, tensor: Tensor): void {
  if (tensor.spread.kind !== 'whole' || tensor.shape.some((dimension) => dimension !== 1)) {
    throw new UntangleError(
      `The term “${name}” must be one number for the whole batch, not of shape [${tensor.shape.join(', ')}].`,
    );
  }
}
