/** Writes what was learned as the run's `model/`: encoder and decoder with their weights, and what they mean. */

import { type Transformation, tableTransformation } from '../data/index.ts';
import type { Method } from '../methods/index.ts';
import type { Covariate, ModelBlock } from '../model/index.ts';
import { type ModelFile, type Run, type RunClaim, toJson, writeModel } from '../runs/index.ts';
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
  const set = data.target.data;
  const facts = {
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
      covariates: set.given && [...set.given.covariates],
      transformation: tableTransformation(set),
    },
    encodes: functions.encode !== undefined,
    blocks: await describeBlocks(data, session),
  } satisfies Omit<ModelFile, 'format'>;
  const metadata = metadataOf(facts, run.name);
  const files = {
    ...(functions.encode && {
      encoder: toOnnx({ name: 'encoder', outputs: functions.encode, parameters, metadata }),
    }),
    decoder: toOnnx({ name: 'decoder', outputs: functions.decode, parameters, metadata }),
  };
  await writeModel(run.folder, facts, files, before);
}

interface Facts {
  method: string;
  step: number;
  blocks: readonly ModelBlock[];
  data: Pick<ModelFile['data'], 'shape' | 'range' | 'classes'> & {
    covariates?: readonly Covariate[] | undefined;
    transformation?: Transformation | undefined;
  };
}

/** What a reader of the ONNX files alone needs to know: `metadata_props`, whose values are texts, and JSON where they have parts. */
function metadataOf({ method, step, blocks, data }: Facts, run: string): Record<string, string> {
  const { shape, range, classes, transformation, covariates } = data;
  return {
    ...{ method, run, step: `${step}`, range },
    ...Object.fromEntries(
      Object.entries({ blocks, shape, classes, transformation, covariates }).flatMap(([name, value]) =>
        value === undefined ? [] : [[name, toJson(value)]],
      ),
    ),
  };
}
