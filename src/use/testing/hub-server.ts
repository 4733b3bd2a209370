/** A hub of models on this machine, in memory, that speaks as Hugging Face’s does: repositories, LFS in one piece or in parts, commits. */
import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface HubServer {
  url: string;
  /** Files of a repository, as they were committed last. */
  repositories: Map<string, Map<string, Buffer>>;
  isPrivate: Map<string, boolean>;
  /** Every request, as `METHOD path`. */
  requests: string[];
  /** How many objects may still be stored before the connection breaks. */
  breaksAfter: number;
  /** How many bytes of the next large file are sent before the connection breaks, once. */
  cutsAt: number | undefined;
  close(): Promise<void>;
}

/** Files above this many bytes go by LFS, those above `partSize` in parts. */
const [large, partSize] = [500, 4000];

export async function openHub(token: string): Promise<HubServer> {
  const objects = new Map<string, Buffer>();
  const parts = new Map<string, Buffer[]>();
  // Large files lie at another address, as a hub's do.
  let storeUrl = '';
  const servers = [0, 1].map(() => createServer((request, response) => handle(request, response)));
  const hub: HubServer = {
    url: '',
    repositories: new Map(),
    isPrivate: new Map(),
    requests: [],
    breaksAfter: Number.POSITIVE_INFINITY,
    cutsAt: undefined,
    close: () =>
      Promise.all(
        servers.map(
          (server) =>
            new Promise<void>((done) => {
              server.close(() => done());
              server.closeAllConnections();
            }),
        ),
      ).then(() => {}),
  };

  const handle = async (request: IncomingMessage, response: ServerResponse) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://hub');
    hub.requests.push(`${request.method} ${pathname}`);
    const body = await bodyOf(request);
    const answer = (value: unknown, status = 200) => response.writeHead(status).end(JSON.stringify(value));

    // The store knows its addresses, not the token, which must not come here.
    if (pathname.startsWith('/store/')) {
      if (request.headers.authorization !== undefined) return answer({}, 400);
      return store(pathname, searchParams, request, response, body);
    }
    if (request.headers.authorization !== `Bearer ${token}`) return answer({ error: 'Invalid credentials' }, 401);
    const json = () => JSON.parse(body.toString('utf8'));

    if (pathname === '/api/repos/create') {
      const { organization, name, private: isPrivate } = json();
      const repo = `${organization}/${name}`;
      if (hub.repositories.has(repo)) return answer({ error: 'You already created this model repo' }, 409);
      hub.repositories.set(repo, new Map());
      hub.isPrivate.set(repo, isPrivate);
      return answer({ url: `${hub.url}/${repo}` });
    }
    const [, repo, rest] =
      /^\/(?:api\/models\/)?([\w.-]+\/[\w-]+(?:\.\w+)*?)(?:\.git)?\/(preupload|info|commit|revision|resolve)\b/.exec(
        pathname,
      ) ?? [];
    const files = hub.repositories.get(repo);
    if (files === undefined) return answer({ error: 'Repository not found' }, 404);
    if (rest === 'preupload') {
      const asked: { path: string; size: number }[] = json().files;
      return answer({ files: asked.map(({ path, size }) => ({ path, uploadMode: size > large ? 'lfs' : 'regular' })) });
    }
    if (rest === 'info') {
      const asked: { oid: string; size: number }[] = json().objects;
      return answer({
        transfer: 'basic',
        objects: asked.map((one) => ({ ...one, ...(!objects.has(one.oid) && { actions: actionsFor(one) }) })),
      });
    }
    if (rest === 'commit') {
      for (const line of body.toString('utf8').split('\n')) {
        const { key, value } = JSON.parse(line);
        if (key === 'file') files.set(value.path, Buffer.from(value.content, 'base64'));
        if (key !== 'lfsFile') continue;
        const found = objects.get(value.oid);
        if (found === undefined) return answer({ error: 'The object is not there' }, 400);
        files.set(value.path, found);
      }
      return answer({ commitUrl: `${hub.url}/${repo}/commit/1` });
    }
    if (rest === 'revision') {
      const siblings = [...files].map(([rfilename, bytes]) => ({
        rfilename,
        size: bytes.length,
        ...(bytes.length > large && { lfs: { sha256: sumOf(bytes) } }),
      }));
      return answer({ sha: 'c0ffee', siblings: [{ rfilename: '.gitattributes', size: 3 }, ...siblings] });
    }
    const path = decodeURIComponent(pathname.split('/resolve/c0ffee/')[1] ?? '');
    const bytes = files.get(path);
    if (bytes === undefined) return answer({ error: 'Entry not found' }, 404);
    // Large files lie elsewhere.
    if (bytes.length > large) return response.writeHead(302, { location: `${storeUrl}/store/${sumOf(bytes)}` }).end();
    return response.end(bytes);
  };

  function actionsFor({ oid, size }: { oid: string; size: number }) {
    const verify = { href: `${storeUrl}/store/verify` };
    if (size <= partSize) return { upload: { href: `${storeUrl}/store/${oid}` }, verify };
    const count = Math.ceil(size / partSize);
    const addresses = Array.from({ length: count }, (_, i) => [`${i + 1}`, `${storeUrl}/store/${oid}?part=${i + 1}`]);
    return {
      upload: {
        href: `${storeUrl}/store/${oid}?whole=${count}`,
        header: { chunk_size: `${partSize}`, ...Object.fromEntries(addresses) },
      },
    };
  }

  function store(
    path: string,
    search: URLSearchParams,
    request: IncomingMessage,
    response: ServerResponse,
    body: Buffer,
  ) {
    const oid = path.slice('/store/'.length);
    if (request.method === 'GET') {
      const bytes = objects.get(oid) ?? Buffer.alloc(0);
      const from = Number(/bytes=(\d+)-/.exec(request.headers.range ?? '')?.[1] ?? 0);
      response.writeHead(from > 0 ? 206 : 200, { 'content-length': bytes.length - from });
      if (hub.cutsAt === undefined) return response.end(bytes.subarray(from));
      response.write(bytes.subarray(from, from + hub.cutsAt), () => setTimeout(() => request.socket.destroy(), 50));
      hub.cutsAt = undefined;
      return;
    }
    if (oid === 'verify') return response.end('{}');
    if (hub.breaksAfter-- <= 0) return request.socket.destroy();
    const part = search.get('part');
    if (part !== null) {
      const held = parts.get(oid) ?? [];
      held[Number(part) - 1] = body;
      parts.set(oid, held);
      return response.writeHead(200, { etag: `"${part}"` }).end();
    }
    const whole = search.has('whole') ? Buffer.concat(parts.get(oid) ?? []) : body;
    if (sumOf(whole) !== oid) return response.writeHead(400).end();
    objects.set(oid, whole);
    return response.end('{}');
  }

  const addresses = servers.map(async (server) => {
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  hub.url = await addresses[0];
  storeUrl = await addresses[1];
  return hub;
}

const sumOf = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece);
  return Buffer.concat(pieces);
}
