/** Graphs of every kind that the project writes: each op with its gradients, a training step, exports, a worker's share. */

import { grad } from '../grad.ts';
import type { GraphOptions } from '../onnx.ts';
import { softmax, tanh } from '../ops/activation.ts';
import { input, parameter } from '../ops/leaf.ts';
import { product } from '../ops/matmul.ts';
import { allSum, ownRows, rowsInput, wholeBatch } from '../ops/rows.ts';
import { inOrder } from '../passes/order.ts';
import { sizeOf } from '../shape.ts';
import type { Tensor } from '../tensor.ts';
import { batchFormulas, batchInputs, formulas } from './formulas.ts';
import { exportedPair, trainingStep } from './training-step.ts';

export function representativeGraphs(): [string, GraphOptions][] {
  const graphs: Record<string, Omit<GraphOptions, 'name'>> = {};
  for (const [name, [formula, ...variables]] of Object.entries(formulas)) {
    const inputs = variables.map(({ shape }, i) => input(`variable ${i}`, shape));
    const output = formula(...inputs);
    graphs[`${name} with its gradients`] = { outputs: numbered([output, ...grad(scalarOf(output), inputs)]) };
  }
  for (const [name, formula] of Object.entries(batchFormulas))
    graphs[`${name} with a free batch`] = { outputs: { result: formula(...batchInputs('batch')) } };
  graphs['a training step'] = { outputs: trainingStep({ size: 4, workers: 1 }) };
  const { encoder, decoder } = exportedPair();
  const parameters = (name: string) => new Float32Array(sizeOf(shapeOf(name, encoder, decoder))).fill(0.1);
  graphs['an encoder'] = { outputs: encoder, parameters, metadata: { method: 'vae' } };
  graphs['a decoder'] = { outputs: decoder, parameters };
  graphs['an encoder that is fed its parameters'] = { outputs: encoder };
  graphs['a worker’s share of a step'] = workersShare();
  return Object.entries(graphs).map(([name, options]) => [name, { ...options, name }]);
}

/** The second of two workers' gradients of a loss in which rows meet, after the exchanges it needs. */
function workersShare(): Omit<GraphOptions, 'name'> {
  const w = parameter('w', [3, 2]);
  const hidden = tanh(product(rowsInput('codes', [3], { size: 8, workers: 2 }), w));
  const all = wholeBatch(hidden);
  const loss = hidden
    .times(ownRows(softmax(all, 0), hidden))
    .sum()
    .plus(w.square().sum());
  const [gradient] = grad(loss, [w]);
  const given = new Map<Tensor, string>();
  for (const tensor of inOrder([gradient]))
    if (tensor === all || tensor.op.name === 'allSum') given.set(tensor, `exchange ${given.size}`);
  return { outputs: { 'gradient of w': gradient }, given, worker: 1, workers: 2 };
}

const scalarOf = (output: Tensor) => allSum(output).square().sum();

function numbered(tensors: readonly Tensor[]): Record<string, Tensor> {
  return Object.fromEntries(tensors.map((tensor, i) => [`output ${i}`, tensor]));
}

function shapeOf(name: string, ...outputs: Record<string, Tensor>[]) {
  const tensors = inOrder(outputs.flatMap((record) => Object.values(record)));
  return tensors.find(({ label, op }) => label === name && op.name === 'parameter')?.shape ?? [];
}
