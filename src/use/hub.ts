/** A run to a hub of models, and back: the run folder without its checkpoint, with a card that the hub can read. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { refuseFull, sha256 } from '../disk.ts';
import { UntangleError } from '../errors.ts';
import type { Run } from '../runs/index.ts';
import { cardOf } from './export.ts';
import { HubClient, type Outgoing } from './hub-client.ts';
import { checked, isShared, receiveRun, sharedFiles } from './shared-files.ts';

export interface HubOptions {
  /** The hub’s address; otherwise HF_ENDPOINT, or Hugging Face’s. */
  endpoint?: string;
  /** Otherwise HF_TOKEN. */
  token?: string;
  onNote?: (sentence: string) => void;
}

export interface Pushed {
  address: string;
  files: string[];
  /** How many files the hub had not got yet. */
  sent: number;
}

export interface Pulled {
  run: Run;
  commit: string;
}

/**
 * Sends a run to a hub as one commit. Nobody else sees the repository unless it is public.
 *
 * @example await push(await findRun('beta-vae-shapes-1'), 'ann/beta-vae-shapes')
 */
export async function push(run: Run, repo: string, options: HubOptions & { isPublic?: boolean } = {}): Promise<Pushed> {
  const name = repoNamed(repo);
  const client = new HubClient(options.endpoint, options.token);
  const card = Buffer.from(await cardOf(run));
  const paths = (await sharedFiles(run.folder)).filter((path) => path !== 'README.md');
  const contents = await Promise.all(paths.map((path) => readFile(join(run.folder, path))));
  const files: Outgoing[] = [];
  for (const [path, bytes] of [['README.md', card] as const, ...paths.map((path, i) => [path, contents[i]] as const)])
    files.push({ path, bytes, sha256: await sha256(bytes) });

  await client.create(name, options.isPublic !== true);
  const large = await client.large(name, files);
  const sent = await client.upload(
    name,
    files.filter(({ path }) => large.has(path)),
    (path) => options.onNote?.(`${path} is sent.`),
  );
  const address = await client.commit(name, `${run.name} by untangle`, files, large);
  return { address, files: files.map(({ path }) => path), sent };
}

/** Fetches a run from a hub into a new folder; other files of the repository are left where they are. */
export async function pull(
  repo: string,
  folder: string,
  options: HubOptions & { revision?: string } = {},
): Promise<Pulled> {
  const name = repoNamed(repo);
  await refuseFull(folder);
  const client = new HubClient(options.endpoint, options.token);
  const { commit, files: listed } = await client.list(name, options.revision ?? 'main');
  const files = new Map<string, Uint8Array>();
  for (const { path, size, sha256: sum } of listed) {
    if (!isShared(path)) continue;
    const bytes = await client.fetch(name, commit, path, size);
    if (size !== undefined && bytes.length !== size)
      throw new UntangleError(`“${path}” has ${bytes.length} bytes in place of ${size}.`, { hint: 'Try again.' });
    files.set(path, sum === undefined ? bytes : await checked(path, bytes, sum));
    options.onNote?.(`${path} is here.`);
  }
  return { run: await receiveRun(folder, files), commit };
}

function repoNamed(repo: string): string {
  if (/^[\w.-]+\/[\w.-]+$/.test(repo) && !repo.includes('..')) return repo;
  throw new UntangleError(`“${repo}” is no name of a model on a hub.`, {
    kind: 'call',
    hint: 'As in: ann/beta-vae-shapes',
  });
}
