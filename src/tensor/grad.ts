/**
 * Reverse-mode differentiation. `grad` walks a graph from a scalar back to its sources and gives the derivatives as
 * symbolic tensors again, so that a derivative can itself be differentiated or be part of a loss.
 */
import { UntangleError } from '../errors.ts';
import { expand } from './ops/layout.ts';
import { constant, isConstant, isParameter } from './ops/leaf.ts';
import { allSum, asPart } from './ops/rows.ts';
import { inOrder } from './passes/order.ts';
import { show } from './spread.ts';
import type { Tensor } from './tensor.ts';

/**
 * The derivative of a scalar in each of `sources`: ∂y/∂x. A source that the scalar does not depend on gets zeros.
 *
 * In a step whose rows are shared by workers, the derivative in a tensor that all of them hold (a parameter) is left as
 * each worker's summand: its `spread` says so, and the runtime adds the summands.
 *
 * @example const [dw, db] = grad(loss, [w, b])
 */
export function grad(scalar: Tensor, sources: readonly Tensor[]): Tensor[] {
  if (scalar.shape.some((dimension) => dimension !== 1) || scalar.type !== 'float32')
    throw new UntangleError(`grad: ${show(scalar)} is not a scalar.`);
  if (scalar.spread.kind === 'rows') {
    throw new UntangleError(`grad: ${show(scalar)} still belongs to one row.`, {
      hint: 'Take its mean over the batch.',
    });
  }
  for (const source of sources) {
    if (isConstant(source.op))
      throw new UntangleError(`grad: ${show(source)} is a constant, which formulas fold away.`);
  }
  const order = pathsTo(scalar, new Set(sources));
  const gradients = new Map<Tensor, Contributions>();
  const seed = constant([1], scalar.shape.map(Number));
  if (order.length > 0) accumulate(gradients, scalar, seed);
  for (const node of order) {
    const contributions = gradients.get(node);
    if (contributions === undefined || node.op.gradient === undefined) continue;
    const outputGradient = isWeight(node) ? summand(contributions) : settle(node, contributions);
    node.op.gradient(node, outputGradient).forEach((gradient, i) => {
      if (gradient === undefined) return;
      // A derivative can be a tensor of the formula itself, which keeps its own name.
      if (gradient.id > seed.id) gradient.named(`d ${node.inputs[i].label ?? node.inputs[i].op.name}`);
      accumulate(gradients, node.inputs[i], gradient);
    });
  }
  return sources.map((source) => {
    const contributions = gradients.get(source);
    if (contributions === undefined) return expand(constant([0], []), source);
    return source.spread.kind === 'whole' ? summand(contributions) : settle(source, contributions);
  });
}

/**
 * Whether a tensor is a parameter or made linearly of one, such as a masked weight: the gradient in it may stay each
 * worker's summand until it reaches the parameter, and need not be exchanged on the way.
 */
function isWeight({ op, inputs }: Tensor): boolean {
  if (isParameter(op)) return true;
  return op.linear === true && inputs.every((input) => isConstant(input.op) || isWeight(input));
}

/** What has flowed into a tensor so far: what every worker knows whole, and what each has only a summand of. */
interface Contributions {
  settled?: Tensor;
  part?: Tensor;
}

function accumulate(gradients: Map<Tensor, Contributions>, target: Tensor, gradient: Tensor): void {
  const contributions = gradients.get(target) ?? {};
  const kind = gradient.spread.kind === 'part' && target.spread.kind === 'whole' ? 'part' : 'settled';
  contributions[kind] = contributions[kind]?.plus(gradient) ?? gradient;
  gradients.set(target, contributions);
}

/** The whole gradient in a tensor: summands are added across workers where there are any. */
function settle(node: Tensor, { settled, part }: Contributions): Tensor {
  if (part === undefined) return settled!;
  const summed = allSum(part.named(`d ${node.label ?? node.op.name}`));
  return settled === undefined ? summed : settled.plus(summed);
}

/** A worker's summand of the gradient: of what every worker knows whole, each takes an equal share. */
function summand({ settled, part }: Contributions): Tensor {
  if (part === undefined || settled === undefined) return part ?? settled!;
  return part.plus(asPart(settled, part.spread.kind === 'part' ? part.spread.workers : 1));
}

/** The nodes between the scalar and the sources, each before its inputs. */
function pathsTo(scalar: Tensor, sources: Set<Tensor>): Tensor[] {
  const leads = new Set<Tensor>();
  for (const node of inOrder([scalar], ({ op }) => op.gradient === undefined)) {
    const passes = node.op.gradient !== undefined && node.inputs.some((input) => leads.has(input));
    if (passes || sources.has(node)) leads.add(node);
  }
  return [...leads].reverse();
}
