/**
 * What of a hub’s protocol is needed to send and to fetch a model: Hugging Face’s, or of a server that speaks it. Large files go by
 * Git LFS’s batch interface, small ones inside of the commit. A token goes to the hub alone, and into no message.
 */
import { UntangleError } from '../errors.ts';

/** A file to be sent. */
export interface Outgoing {
  path: string;
  bytes: Uint8Array;
  sha256: string;
}

export interface HubFile {
  path: string;
  size?: number;
  /** Of a file that is stored by LFS. */
  sha256?: string;
}

export class HubClient {
  private readonly home: string;
  private readonly token: string | undefined;

  constructor(
    endpoint = process.env.HF_ENDPOINT || 'https://huggingface.co',
    token = process.env.HF_TOKEN || undefined,
  ) {
    this.home = endpoint.replace(/\/+$/, '');
    this.token = token;
  }

  /** Makes a repository if there is none. */
  async create(repo: string, isPrivate: boolean): Promise<void> {
    const [organization, name] = repo.split('/');
    const response = await this.ask('/api/repos/create', { name, organization, type: 'model', private: isPrivate });
    if (response.status !== 409) await this.accepted(response, repo);
  }

  /** The paths that go by LFS; the others go inside of the commit. */
  async large(repo: string, files: readonly Outgoing[]): Promise<ReadonlySet<string>> {
    const sample = (bytes: Uint8Array) => Buffer.from(bytes.subarray(0, 512)).toString('base64');
    const asked = files.map(({ path, bytes }) => ({ path, size: bytes.length, sample: sample(bytes) }));
    const response = await this.ask(`/api/models/${repo}/preupload/main`, { files: asked });
    const told = await this.json<{ files: { path: string; uploadMode: string }[] }>(response, repo);
    return new Set(told.files.filter(({ uploadMode }) => uploadMode === 'lfs').map(({ path }) => path));
  }

  /** Sends what the hub has not got yet; tells how many files those were. What was sent before a break is not sent again. */
  async upload(repo: string, files: readonly Outgoing[], onSent?: (path: string) => void): Promise<number> {
    const objects = files.map(({ sha256, bytes }) => ({ oid: sha256, size: bytes.length }));
    const response = await this.ask(
      `/${repo}.git/info/lfs/objects/batch`,
      { operation: 'upload', transfers: ['basic', 'multipart'], hash_algo: 'sha_256', ref: { name: 'main' }, objects },
      'application/vnd.git-lfs+json',
    );
    const told = await this.json<{ objects: LfsObject[] }>(response, repo);
    let sent = 0;
    for (const { oid, actions, error } of told.objects) {
      const file = files.find(({ sha256 }) => sha256 === oid);
      if (error || file === undefined) throw new UntangleError(`The hub refused a file: ${error?.message ?? oid}.`);
      if (actions?.upload === undefined) continue;
      await this.send(file, actions.upload);
      if (actions.verify) {
        const { href, header } = actions.verify;
        await this.accepted(await this.reach(href, post({ oid, size: file.bytes.length }, header)), repo);
      }
      onSent?.(file.path);
      sent++;
    }
    return sent;
  }

  /** One commit with all files; the address of it. */
  async commit(repo: string, summary: string, files: readonly Outgoing[], large: ReadonlySet<string>): Promise<string> {
    const lines = [
      { key: 'header', value: { summary, description: '' } },
      ...files.map(({ path, bytes, sha256 }) =>
        large.has(path)
          ? { key: 'lfsFile', value: { path, algo: 'sha256', oid: sha256, size: bytes.length } }
          : { key: 'file', value: { path, encoding: 'base64', content: Buffer.from(bytes).toString('base64') } },
      ),
    ];
    const body = lines.map((line) => JSON.stringify(line)).join('\n');
    const headers = { ...this.ours(), 'content-type': 'application/x-ndjson' };
    const response = await this.reach(`${this.home}/api/models/${repo}/commit/main`, { method: 'POST', body, headers });
    const { commitUrl } = await this.json<{ commitUrl?: string }>(response, repo);
    return commitUrl ?? `${this.home}/${repo}`;
  }

  /** The files of a repository, and the commit at which they are so. */
  async list(repo: string, revision: string): Promise<{ commit: string; files: HubFile[] }> {
    const address = `${this.home}/api/models/${repo}/revision/${encodeURIComponent(revision)}?blobs=true`;
    const response = await this.reach(address, { headers: this.ours() });
    const { sha, siblings } = await this.json<Listing>(response, repo);
    return {
      commit: sha,
      files: siblings.map(({ rfilename, size, lfs }) => ({
        path: rfilename,
        ...(size !== undefined && { size }),
        ...(lfs?.sha256 && { sha256: lfs.sha256 }),
      })),
    };
  }

  /** The bytes of a file, no more than were announced. A transfer that breaks off goes on where it was, up to three times. */
  async fetch(repo: string, commit: string, path: string, size = largest): Promise<Uint8Array> {
    if (size > largest) throw new UntangleError(`“${path}” of ${repo} is larger than any file of a run.`);
    const address = `${this.home}/${repo}/resolve/${commit}/${path.split('/').map(encodeURIComponent).join('/')}`;
    const parts: Uint8Array[] = [];
    let have = 0;
    for (let breaks = 0; ; ) {
      const headers = { ...this.ours(), ...(have > 0 && { range: `bytes=${have}-` }) };
      const response = await this.accepted(await this.reach(address, { headers }), repo);
      // A server that knows no ranges begins anew.
      if (response.status !== 206) [parts.length, have] = [0, 0];
      try {
        for await (const part of response.body ?? []) {
          parts.push(part);
          have += part.length;
          if (have > size) throw new UntangleError(`“${path}” of ${repo} is longer than was said.`);
        }
        return Buffer.concat(parts);
      } catch (cause) {
        if (cause instanceof UntangleError) throw cause;
        if (++breaks > 3)
          throw new UntangleError(`“${path}” of ${repo} could not be fetched: the connection breaks off.`, { cause });
      }
    }
  }

  private async send(file: Outgoing, { href, header = {} }: LfsAction): Promise<void> {
    const { chunk_size: chunk, ...rest } = header;
    if (chunk === undefined) {
      await this.stored(file, await this.reach(href, { method: 'PUT', body: bodyOf(file.bytes), headers: rest }));
      return;
    }
    const size = Number(chunk);
    const parts: { partNumber: number; etag: string }[] = [];
    for (const [number, address] of Object.entries(rest)
      .filter(([name]) => /^\d+$/.test(name))
      .sort(([a], [b]) => Number(a) - Number(b))) {
      const partNumber = Number(number);
      const body = bodyOf(file.bytes.subarray((partNumber - 1) * size, partNumber * size));
      const response = await this.stored(file, await this.reach(address, { method: 'PUT', body }));
      parts.push({ partNumber, etag: response.headers.get('etag') ?? '' });
    }
    await this.stored(file, await this.reach(href, post({ oid: file.sha256, parts })));
  }

  private async stored(file: Outgoing, response: Response): Promise<Response> {
    if (response.ok) return response;
    throw new UntangleError(`The hub’s store answered ${response.status} for “${file.path}”.`, { hint: again });
  }

  private ask(path: string, body: object, type = 'application/json'): Promise<Response> {
    return this.reach(`${this.home}${path}`, post(body, { ...this.ours(), accept: type, 'content-type': type }));
  }

  private ours(): Record<string, string> {
    return this.token === undefined ? {} : { authorization: `Bearer ${this.token}` };
  }

  private async reach(address: string, init: RequestInit): Promise<Response> {
    try {
      return await fetch(address, init);
    } catch (cause) {
      throw new UntangleError(`The connection to ${new URL(address).host} broke off, or there is none.`, {
        cause,
        hint: again,
      });
    }
  }

  private async accepted(response: Response, repo: string): Promise<Response> {
    if (response.ok) return response;
    const { status } = response;
    if (status === 401 || status === 403)
      throw new UntangleError(
        this.token === undefined
          ? `The hub wants to know who asks for ${repo}.`
          : `The hub does not accept this token for ${repo}.`,
        {
          kind: 'call',
          hint: `A token with the right to ${response.url.includes('/resolve/') ? 'read' : 'write'} goes into the environment as HF_TOKEN.`,
        },
      );
    if (status === 404)
      throw new UntangleError(`The hub has no model “${repo}”, or does not show it to you.`, { kind: 'call' });
    throw new UntangleError(`The hub answered ${status} for ${repo}.`, { hint: again });
  }

  private async json<T>(response: Response, repo: string): Promise<T> {
    // What the hub answers is what its protocol says.
    return (await (await this.accepted(response, repo)).json()) as T;
  }
}

/** Nothing of a run that is passed on comes near this. */
const largest = 2 ** 30;
const again = 'The same call goes on with what is missing.';

interface LfsAction {
  href: string;
  header?: Record<string, string>;
}

interface LfsObject {
  oid: string;
  actions?: { upload?: LfsAction; verify?: LfsAction };
  error?: { message: string };
}

interface Listing {
  sha: string;
  siblings: { rfilename: string; size?: number; lfs?: { sha256?: string } }[];
}

const post = (body: object, headers: Record<string, string> = {}): RequestInit => ({
  method: 'POST',
  body: JSON.stringify(body),
  headers: { 'content-type': 'application/json', ...headers },
});

const bodyOf = (bytes: Uint8Array) => new Blob([new Uint8Array(bytes)]);
