/**
 * Cuts a step into phases: the graphs that a worker runs one after the other, with values exchanged or solved between them.
 * With one worker there is nothing to exchange, and a step without anything to solve is one phase.
 */
import { isConstant, isInput, isParameter } from '../ops/leaf.ts';
import type { Tensor } from '../tensor.ts';
import { inOrder } from './order.ts';

export interface Phase {
  /** What the phase computes for exchanges, later phases and the outside. */
  results: Tensor[];
  /** Ops that are exchanged or solved after this phase, which computes their inputs. */
  exchanges: Tensor[];
}

/** The phases of a graph with these outputs. */
export function phasesOf(outputs: readonly Tensor[], workers: number): Phase[] {
  const order = inOrder(outputs);
  const isCut = ({ op }: Tensor) => op.between === 'partners' || (workers > 1 && op.between !== undefined);
  if (!order.some(isCut)) return [{ results: [...new Set(outputs)], exchanges: [] }];
  const level = levelsOf(order, isCut);
  delay(order, level, new Set(outputs), isCut);
  const phases: Phase[] = [];
  const results: Set<Tensor>[] = [];
  const phaseAt = (index: number) => {
    while (phases.length <= index) {
      phases.push({ results: [], exchanges: [] });
      results.push(new Set());
    }
    return phases[index];
  };
  for (const output of outputs) {
    phaseAt(level.get(output)!);
    if (!isCut(output)) results[level.get(output)!].add(output);
  }
  for (const node of order) {
    const exchanged = isCut(node);
    for (const input of node.inputs) {
      const made = level.get(input)!;
      phaseAt(made);
      if (exchanged) phases[made].exchanges.push(node);
      if (exchanged || (level.get(node)! > made && !isCut(input) && !isAtHand(input))) results[made].add(input);
    }
  }
  return phases.map((phase, i) => ({ ...phase, results: [...results[i]] }));
}

/** The phase in which each tensor can first be computed: one after that of an exchange it depends on. */
function levelsOf(order: readonly Tensor[], isCut: (tensor: Tensor) => boolean): Map<Tensor, number> {
  const level = new Map<Tensor, number>();
  for (const node of order) {
    const inputs = node.inputs.reduce((highest, input) => Math.max(highest, level.get(input)!), 0);
    level.set(node, isCut(node) ? inputs + 1 : inputs);
  }
  return level;
}

/** Moves ops on a single value to the phase that needs them, so that only that value has to be kept. */
function delay(
  order: readonly Tensor[],
  level: Map<Tensor, number>,
  outputs: ReadonlySet<Tensor>,
  isCut: (tensor: Tensor) => boolean,
): void {
  const needed = new Map<Tensor, number>();
  for (const node of [...order].reverse()) {
    const first = needed.get(node);
    const single = node.inputs.filter((input) => !isAtHand(input)).length <= 1;
    const isLater = first !== undefined && first > level.get(node)!;
    if (isLater && single && node.op.cheap && !outputs.has(node)) level.set(node, first);
    const at = isCut(node) ? level.get(node)! - 1 : level.get(node)!;
    for (const input of node.inputs) needed.set(input, Math.min(needed.get(input) ?? Number.POSITIVE_INFINITY, at));
  }
}

/** Whether every phase has a tensor without computing it: fed, constant, a parameter, or another view of one. */
function isAtHand({ op, inputs }: Tensor): boolean {
  return isInput(op) || isParameter(op) || isConstant(op) || (op.view === true && inputs.every(isAtHand));
}
