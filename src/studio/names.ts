/** What people call the dimensions of a model (“stroke width”), kept as `names.json` in the run. */
import { join } from 'node:path';
import { z } from 'zod';
import { UntangleError, unknownName } from '../errors.ts';
import { checkJson, type FileBytes, type ModelFile, readBounded, writeAtomically } from '../runs/index.ts';
import { Refusal } from './answers.ts';

const namesSchema = z.looseObject({
  format: z.int().min(1).max(1),
  /** By block, then by dimension. */
  names: z.record(z.string(), z.record(z.string().regex(/^\d{1,6}$/), z.string().max(80))),
});
export type Names = z.infer<typeof namesSchema>['names'];

export const nameRequest = z.strictObject({
  block: z.string().max(200),
  index: z.int().min(0),
  name: z.string().max(80, 'a name has at most 80 characters'),
});

/** The names of a run's dimensions. Plain JSON: a dimension may be called “Infinity”. */
export async function readNames(folder: string): Promise<Names> {
  const path = join(folder, 'names.json');
  const bytes = await readBounded(path, 1_000_000);
  return bytes === undefined ? {} : checkJson(parsed(bytes, path), path, namesSchema).names;
}

/** Names a dimension, or takes its name away if it is empty. */
export async function nameDimension(
  folder: string,
  model: ModelFile | undefined,
  { block, index, name }: z.infer<typeof nameRequest>,
): Promise<Names> {
  if (model === undefined) throw new Refusal(404, 'This run has no model yet, and so no dimensions to name.');
  const found = model.blocks.find((one) => one.name === block);
  if (found === undefined)
    throw unknownName(
      'block',
      block,
      model.blocks.map((one) => one.name),
    );
  if (index >= found.size)
    throw new UntangleError(`${block} has ${found.size} dimensions, so there is no ${block}[${index}].`, {
      kind: 'call',
    });
  return await inTurn(folder, async () => {
    const names = await readNames(folder);
    const { [`${index}`]: _, ...rest } = Object.hasOwn(names, block) ? names[block] : {};
    // biome-ignore lint/suspicious/noControlCharactersInRegex: a name is one line of text
    const plain = name.replace(/[\u0000-\u001f\u007f]+/g, ' ').trim();
    const changed = { ...names, [block]: plain === '' ? rest : { ...rest, [index]: plain } };
    await writeAtomically(join(folder, 'names.json'), `${JSON.stringify({ format: 1, names: changed }, null, 2)}\n`);
    return changed;
  });
}

function parsed(bytes: FileBytes, path: string): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch (cause) {
    throw new UntangleError(`“${path}” is not a JSON file.`, { cause });
  }
}

const turns = new Map<string, Promise<unknown>>();

/** Changes of one run one after the other, so that none is lost. */
export async function inTurn<T>(key: string, work: () => Promise<T>): Promise<T> {
  const mine = (turns.get(key) ?? Promise.resolve()).then(work, work);
  turns.set(key, mine);
  try {
    return await mine;
  } finally {
    if (turns.get(key) === mine) turns.delete(key);
  }
}
