/**
 * A store in an S3-compatible object store. What must be made only once is put with `If-None-Match: *`, which such stores grant to
 * one of many. A folder of files goes there one by one, and counts when the list of them has come after; whoever takes it over
 * gets all of it, or none.
 */
import { rmSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, relative, sep } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { UntangleError } from '../../errors.ts';
import { remove, sha256, writeToDisk } from '../../runs/index.ts';
import { type Credentials, signed } from './signature.ts';
import type { Store } from './store.ts';

/** The list of a folder's files, with their checksums; written when they are all there. No name in it leads out of the folder. */
const listName = '.files.json';
const listSchema = z.record(z.string().regex(/^(?!\.{1,2}(\/|$))[^/\\:]+(\/(?!\.{1,2}(\/|$))[^/\\:]+)*$/), z.string());

/** @example isS3('s3://bucket/sweeps/beta') // true */
export const isS3 = (url: string) => /^s3:\/\//.test(url);

/**
 * The store at an address such as `s3://bucket/sweeps/beta`. Keys, region and endpoint are read from the environment, under the names
 * that Amazon's own tools use.
 */
export function s3Store(url: string, environment: Readonly<Record<string, string | undefined>> = process.env): Store {
  const { bucket, path: root } = /^s3:\/\/(?<bucket>[^/]+)\/?(?<path>.*?)\/*$/.exec(url)?.groups ?? {};
  if (bucket === undefined)
    throw new UntangleError(`“${url}” names no bucket.`, { kind: 'call', hint: 'Write s3://BUCKET/PATH.' });
  const send = sender(bucket, environment);
  const keyOf = (path: string) => [root, path].filter((part) => part !== '').join('/');
  let scratch: Promise<string> | undefined;

  const get = async (path: string): Promise<Uint8Array | undefined> => {
    const answer = await send('GET', keyOf(path));
    return answer.status === 404 ? undefined : answer.body;
  };
  const put = async (path: string, body: Uint8Array, headers?: Record<string, string>) =>
    await send('PUT', keyOf(path), { body, headers });

  /** The names under a prefix; with a delimiter those directly in it, else all. */
  async function names(prefix: string, delimiter?: string): Promise<string[]> {
    const found: string[] = [];
    let token: string | undefined;
    do {
      const query: Record<string, string> = { 'list-type': '2', prefix };
      if (delimiter !== undefined) query.delimiter = delimiter;
      if (token !== undefined) query['continuation-token'] = token;
      const text = new TextDecoder().decode((await send('GET', '', { query })).body);
      const keys = [
        ...text.matchAll(/<Contents>.*?<Key>(.*?)<\/Key>/gs),
        ...text.matchAll(/<CommonPrefixes>.*?<Prefix>(.*?)<\/Prefix>/gs),
      ];
      found.push(...keys.map(([, key]) => unescaped(key).slice(prefix.length).replace(/\/$/, '')));
      token = /<NextContinuationToken>(.*?)<\/NextContinuationToken>/s.exec(text)?.[1];
      if (token !== undefined) token = unescaped(token);
    } while (token !== undefined);
    return found;
  }
  const under = (folder: string) => {
    const key = keyOf(folder);
    return key === '' ? '' : `${key}/`;
  };

  return {
    url: url.replace(/\/+$/, ''),
    read: get,
    async create(path, content) {
      const { status } = await put(path, content, { 'if-none-match': '*' });
      return status !== 412;
    },
    async write(path, content) {
      await put(path, content);
    },
    async list(folder) {
      return (await names(under(folder), '/')).filter((name) => name !== '' && !name.startsWith('.'));
    },
    async remove(path) {
      // Without its list a folder is none, also if this ends half way.
      await send('DELETE', keyOf(`${path}/${listName}`));
      for (const name of await names(under(path))) await send('DELETE', keyOf(`${path}/${name}`));
      await send('DELETE', keyOf(path));
    },
    async checkOut(folder) {
      scratch ??= scratchFolder();
      const here = join(await scratch, folder);
      const bytes = await get(`${folder}/${listName}`);
      const files = bytes ? filesIn(folder, new TextDecoder().decode(bytes)) : {};
      if (bytes) await remove(here);
      await mkdir(here, { recursive: true });
      for (const [name, hash] of Object.entries(files)) {
        const content = await get(`${folder}/${name}`);
        // Somebody has removed it meanwhile, or is doing so.
        if (content === undefined || (await sha256(content)) !== hash) {
          await rm(here, { recursive: true, force: true });
          await mkdir(here, { recursive: true });
          break;
        }
        await mkdir(dirname(join(here, name)), { recursive: true });
        await writeToDisk(join(here, name), content);
      }
      return here;
    },
    async checkIn(folder) {
      scratch ??= scratchFolder();
      const here = join(await scratch, folder);
      const entries = await readdir(here, { recursive: true, withFileTypes: true });
      const files: Record<string, string> = {};
      for (const entry of entries.filter((one) => one.isFile())) {
        const at = join(entry.parentPath, entry.name);
        const name = relative(here, at).split(sep).join('/');
        const content = new Uint8Array(await readFile(at));
        await put(`${folder}/${name}`, content);
        files[name] = await sha256(content);
      }
      await put(`${folder}/${listName}`, new TextEncoder().encode(JSON.stringify(files)));
      await remove(here);
    },
  };
}

function filesIn(folder: string, text: string): Record<string, string> {
  const list = listSchema.safeParse(JSON.parse(text));
  if (list.success) return list.data;
  throw new UntangleError(`The list of the files of “${folder}” in the object store is none of ours.`, {
    hint: 'Look who else writes to the bucket.',
    cause: list.error,
  });
}

async function scratchFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'untangle-store-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

interface Answer {
  status: number;
  body: Uint8Array;
}

type Send = (
  method: string,
  key: string,
  how?: { query?: Record<string, string>; headers?: Record<string, string>; body?: Uint8Array },
) => Promise<Answer>;

/** Sends signed requests; what fails by the network or by the store's being busy is sent again for a minute or two. */
function sender(bucket: string, environment: Readonly<Record<string, string | undefined>>): Send {
  const { AWS_ACCESS_KEY_ID: key, AWS_SECRET_ACCESS_KEY: secret, AWS_SESSION_TOKEN: token } = environment;
  const region = environment.AWS_REGION ?? environment.AWS_DEFAULT_REGION ?? 'us-east-1';
  const endpoint = environment.AWS_ENDPOINT_URL_S3 ?? environment.AWS_ENDPOINT_URL;
  if (key === undefined || secret === undefined)
    throw new UntangleError('The keys of the object store are missing.', {
      kind: 'call',
      hint: 'Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, and AWS_ENDPOINT_URL where it is not Amazon’s.',
    });
  const credentials: Credentials = { key, secret, token };
  const base =
    endpoint === undefined
      ? `https://${bucket}.s3.${region}.amazonaws.com/`
      : `${endpoint.replace(/\/$/, '')}/${bucket}/`;
  return async (method, path, { query = {}, headers, body } = {}) => {
    const url = new URL(base + path.split('/').map(encodeURIComponent).join('/'));
    // A space is %20 in what is signed.
    url.search = Object.entries(query)
      .map((pair) => pair.map(encodeURIComponent).join('='))
      .join('&');
    let trouble = '';
    for (let attempt = 0; attempt < mostAttempts; attempt++) {
      if (attempt > 0) await sleep(Math.min(20_000, 200 * 2 ** attempt));
      let answer: Answer;
      try {
        const response = await fetch(url, {
          method,
          headers: signed({ method, url, headers, body }, credentials, region, new Date()),
          ...(body && { body: new Uint8Array(body) }),
          signal: AbortSignal.timeout(120_000),
        });
        answer = { status: response.status, body: new Uint8Array(await response.arrayBuffer()) };
      } catch (error) {
        trouble =
          error instanceof Error ? `${error.cause instanceof Error ? error.cause.message : error.message}` : `${error}`;
        continue;
      }
      const { status } = answer;
      if (status < 300 || status === 412 || (status === 404 && path !== '')) return answer;
      const said = /<Code>(.*?)<\/Code>/.exec(new TextDecoder().decode(answer.body))?.[1] ?? '';
      trouble = `${status} ${said}`.trim();
      // Two who make the same at once: one of them is asked to come again.
      if (status < 500 && status !== 409 && status !== 429) break;
    }
    throw new UntangleError(`The object store does not take “${method} ${bucket}/${path}”: ${trouble}.`, {
      hint: `Look at the bucket’s name, the keys, the region (${region}) and the endpoint (${endpoint ?? 'Amazon’s'}).`,
      code: 'ENETUNREACH',
    });
  };
}

const mostAttempts = 9;

const unescaped = (text: string) =>
  text.replace(/&(amp|lt|gt|quot|apos|#\d+);/g, (_, name: string) =>
    name.startsWith('#') ? String.fromCodePoint(Number(name.slice(1))) : entities[name],
  );

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };
