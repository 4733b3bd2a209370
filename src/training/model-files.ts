/** Writes what was learned as the run's `model/`: encoder and decoder with their weights, and what they mean. */

import { tableTransformation } from '../data/index.ts';
import type { Method } from '../methods/index.ts';
import { type ModelFile, type Run, type RunClaim, writeModel } from '../runs/index.ts';
import { toOnnx } from '../tensor/index.ts';
import type { RunData } from './data.ts';
import { describeBlocks, type Session } from './session/index.ts';

/** Writes the model of the session as it is now. */
export async function saveModel(
  run: Run,
  method: Method,
  data: RunData,
  session: Session,
  before?: RunClaim['before'],
): Promise<void> {
  const { functions } = session.assembled;
  const state = await session.state();
  const parameters = (name: string) => state.parameters.get(name)!;
  const metadata = { method: method.name, run: run.name, step: `${session.iteration}` };
  const set = data.target.data;
  const facts: Omit<ModelFile, 'format'> = {
    method: method.name,
    title: method.title,
    step: session.iteration,
    data: {
      name: set.name,
      shape: set.shape,
      range: set.range,
      // Classes that were found without labels have no names.
      ...(data.labelled.length > 0 && {
        classes: [...data.variables[0].classes],
        variables: data.variables.map(({ name, classes }) => ({ name, classes: [...classes] })),
      }),
      ...(set.given && { covariates: [...set.given.covariates] }),
      ...(tableTransformation(set) && { transformation: tableTransformation(set) }),
    },
    encodes: functions.encode !== undefined,
    blocks: await describeBlocks(data, session),
  };
  const files = {
    ...(functions.encode && {
      encoder: toOnnx({ name: 'encoder', outputs: functions.encode, parameters, metadata }),
    }),
    decoder: toOnnx({ name: 'decoder', outputs: functions.decode, parameters, metadata }),
  };
  await writeModel(run.folder, facts, files, before);
}
