/** Writes what was learned as the run's `model/`: encoder and decoder with their weights, and what they mean. */

import type { Transformation } from '../data/index.ts';
import type { Method } from '../methods/index.ts';
import { type ModelFile, type Run, writeModel } from '../runs/index.ts';
import { toOnnx } from '../tensor/index.ts';
import type { RunData } from './data.ts';
import type { Session } from './session.ts';

/** Held-out items that the KL of each dimension is measured on. */
const measured = 512;

/** Writes the model of the session as it is now. */
export async function saveModel(run: Run, method: Method, data: RunData, session: Session): Promise<void> {
  const { functions, program, model } = session.assembled;
  const state = await session.state();
  const parameters = (name: string) => state.parameters.get(name)!;
  const metadata = { method: method.name, run: run.name, step: `${session.iteration}` };
  const constants = Object.keys(functions.constants).length > 0 ? await program.run('constants', {}) : {};
  const kl = await klOf(data, session);
  const set = data.target.data;
  const facts: Omit<ModelFile, 'format'> = {
    method: method.name,
    title: method.title,
    step: session.iteration,
    data: {
      name: set.name,
      shape: set.shape,
      range: set.range,
      ...(data.variables.length > 0 && { classes: [...data.variables[0].classes] }),
      ...(transformationOf(set) && { transformation: transformationOf(set) }),
    },
    encodes: functions.encode !== undefined,
    blocks: model.blocks.map((block) => {
      const mean = constants[`${block.name} prior mean`];
      const logVariance = constants[`${block.name} prior log variance`];
      const neutral = constants[`${block.name} neutral`];
      return {
        ...block,
        ...(kl[block.name] && { kl: kl[block.name] }),
        ...(neutral && { neutral: [...neutral] }),
        ...(mean && { prior: { mean: rowsOf(mean, block.size), logVariance: rowsOf(logVariance, block.size) } }),
      };
    }),
  };
  await writeModel(run.folder, facts, {
    ...(functions.encode && {
      encoder: toOnnx({ name: 'encoder', outputs: functions.encode, parameters, metadata }),
    }),
    decoder: toOnnx({ name: 'decoder', outputs: functions.decode, parameters, metadata }),
  });
}

/** Mean KL(q ‖ N(0, 1)) of each dimension of each Gaussian block, over held-out items. */
export async function klOf(data: RunData, { assembled }: Session): Promise<Record<string, number[]>> {
  const { program, functions, model } = assembled;
  if (functions.encode === undefined) return {};
  const { split, data: set } = data.target;
  const items = (split.validation.length > 0 ? split.validation : split.train).subarray(0, measured);
  const codes = await program.run('encode', { x: set.gather(items) });
  const gaussian = model.blocks.filter(({ kind }) => kind === 'gaussian');
  return Object.fromEntries(
    gaussian.map(({ name, size }) => {
      const [mean, logVariance] = [codes[`${name} mean`], codes[`${name} log variance`]];
      const kl = new Array<number>(size).fill(0);
      for (let i = 0; i < mean.length; i++)
        kl[i % size] += (mean[i] ** 2 + Math.exp(logVariance[i]) - logVariance[i] - 1) / 2 / items.length;
      return [name, kl];
    }),
  );
}

function transformationOf(set: object): Transformation | undefined {
  // Tables alone have one; `model.json`'s schema checks it when it is written.
  return 'transformation' in set ? (set.transformation as Transformation) : undefined;
}

function rowsOf(values: Float32Array, size: number): number[][] {
  return Array.from({ length: values.length / size }, (_, row) => [...values.subarray(row * size, (row + 1) * size)]);
}
