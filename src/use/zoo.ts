/**
 * The zoo: small trained models to look at and to build on. They lie in a folder or at an address (`UNTANGLE_ZOO`), in the package
 * `untangle-zoo`, or beside the sources; each is a run folder without its checkpoint, and an index says what files it has.
 */
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { z } from 'zod';
import { exists, safeJoin } from '../disk.ts';
import { UntangleError, unknownName } from '../errors.ts';
import type { Run } from '../runs/index.ts';
import { checked, isShared, receiveRun } from './shared-files.ts';

const zooSchema = z.array(
  z.object({
    name: z.string().regex(/^[\w-]+$/),
    about: z.string(),
    /** The words of the call of `untangle train` that makes it. */
    train: z.array(z.string()),
    /** Files and their checksums (SHA-256). */
    files: z.record(z.string(), z.string()),
  }),
);

export type ZooModel = z.infer<typeof zooSchema>[number];

/** The models that there are. */
export async function listZoo(): Promise<ZooModel[]> {
  const home = zooHome();
  const found = zooSchema.safeParse(JSON.parse((await bytesAt(home, 'zoo.json')).toString('utf8')));
  if (found.success) return found.data;
  throw new UntangleError(`The zoo’s index in ${home} is of another form than this version knows.`);
}

/**
 * Puts a model of the zoo into a folder, as a run.
 *
 * @example await getModel('dip-vae-ii-mnist', 'runs/dip-vae-ii-mnist')
 */
export async function getModel(name: string, folder: string): Promise<Run> {
  const models = await listZoo();
  const model = models.find((one) => one.name === name);
  if (model === undefined)
    throw unknownName(
      'model of the zoo',
      name,
      models.map((one) => one.name),
    );
  const files = new Map<string, Uint8Array>();
  for (const [path, sum] of Object.entries(model.files)) {
    if (!isShared(path)) throw new UntangleError(`The zoo’s index names “${path}”, which is no file of a run.`);
    files.set(path, await checked(path, await bytesAt(zooHome(), `${name}/${path}`), sum));
  }
  return await receiveRun(folder, files);
}

/** A folder, or an address that begins with http. */
function zooHome(): string {
  const named = process.env.UNTANGLE_ZOO;
  if (named) return /^https?:/.test(named) ? named.replace(/\/*$/, '/') : resolve(named);
  for (const from of [pathToFileURL(join(process.cwd(), 'package.json')), import.meta.url]) {
    try {
      return dirname(createRequire(from).resolve('untangle-zoo/zoo.json'));
    } catch {
      // Not installed there.
    }
  }
  const beside = fileURLToPath(new URL('../../zoo', import.meta.url));
  if (existsSync(join(beside, 'zoo.json'))) return beside;
  throw new UntangleError('The models of the zoo are not here.', {
    hint: 'They are a package of their own: npm install untangle-zoo. Or name a folder or an address by UNTANGLE_ZOO.',
  });
}

async function bytesAt(home: string, path: string): Promise<Buffer> {
  if (!/^https?:/.test(home)) {
    const file = await safeJoin(home, path);
    if (await exists(file)) return await readFile(file);
    throw new UntangleError(`The zoo has no file “${file}”.`);
  }
  const response = await fetch(new URL(path, home)).catch((cause) => {
    throw new UntangleError(`The zoo at ${home} can’t be reached.`, { cause });
  });
  if (!response.ok) throw new UntangleError(`The zoo at ${home} answered ${response.status} for “${path}”.`);
  return Buffer.from(await response.arrayBuffer());
}
