/** An object store in memory that speaks as much of S3 as ours does, for tests; it checks signatures, and can be in trouble. */
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { signed } from '../store/signature.ts';

export interface S3Server {
  /** What a client needs to find it. */
  env: NodeJS.ProcessEnv;
  objects: Map<string, Uint8Array>;
  /** How many of the next requests are answered by 503. */
  busy: number;
  /** While this is so every connection is cut. */
  isCut: boolean;
  requests: number;
  close(): void;
}

const credentials = { key: 'tester', secret: 'a secret' };

/** @param page how many names a list has at most before it says that there are more */
export async function startS3(page = 1000): Promise<S3Server> {
  const objects = new Map<string, Uint8Array>();
  const server = createServer(async (request, response) => {
    const body = new Uint8Array(Buffer.concat(await request.toArray()));
    state.requests++;
    if (state.isCut) return void request.socket.destroy();
    const answer = (status: number, content: string | Uint8Array = '') => response.writeHead(status).end(content);
    if (state.busy > 0) {
      state.busy--;
      return answer(503, '<Error><Code>SlowDown</Code></Error>');
    }
    const url = new URL(request.url ?? '/', `http://${request.headers.host}`);
    if (!isSigned(request, url, body)) return answer(403, '<Error><Code>SignatureDoesNotMatch</Code></Error>');
    const [, bucket, ...rest] = decodeURIComponent(url.pathname).split('/');
    if (bucket !== 'bucket') return answer(404, '<Error><Code>NoSuchBucket</Code></Error>');
    const key = rest.join('/');
    if (request.method === 'PUT') {
      if (request.headers['if-none-match'] === '*' && objects.has(key)) return answer(412);
      objects.set(key, body);
      return answer(200);
    }
    if (request.method === 'DELETE') {
      objects.delete(key);
      return answer(204);
    }
    if (key !== '') return objects.has(key) ? answer(200, objects.get(key)) : answer(404);
    return answer(200, listed([...objects.keys()].sort(), url.searchParams, page));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const state: S3Server = {
    env: {
      AWS_ACCESS_KEY_ID: credentials.key,
      AWS_SECRET_ACCESS_KEY: credentials.secret,
      AWS_ENDPOINT_URL: `http://127.0.0.1:${port}`,
    },
    objects,
    busy: 0,
    isCut: false,
    requests: 0,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
  return state;
}

/** Signs what came once more, with the headers that it says it has signed, and compares. */
function isSigned({ method = '', headers }: IncomingMessage, url: URL, body: Uint8Array): boolean {
  const names = /SignedHeaders=([^,]+)/.exec(headers.authorization ?? '')?.[1].split(';') ?? [];
  const own = ['host', 'x-amz-content-sha256', 'x-amz-date'];
  const others = names.filter((name) => !own.includes(name)).map((name) => [name, `${headers[name]}`]);
  const time = `${headers['x-amz-date']}`.replace(/^(....)(..)(..T..)(..)(..)Z$/, '$1-$2-$3:$4:$5Z');
  const again = signed(
    { method, url, headers: Object.fromEntries(others), body },
    credentials,
    'us-east-1',
    new Date(time),
  );
  return again.authorization === headers.authorization;
}

/** ListObjectsV2. */
function listed(keys: readonly string[], query: URLSearchParams, page: number): string {
  const prefix = query.get('prefix') ?? '';
  const delimiter = query.get('delimiter');
  const shown = new Set<string>();
  for (const key of keys.filter((one) => one.startsWith(prefix))) {
    const end = delimiter === null ? -1 : key.indexOf(delimiter, prefix.length);
    shown.add(end < 0 ? key : key.slice(0, end + 1));
  }
  const all = [...shown].filter((name) => name > (query.get('continuation-token') ?? ''));
  const some = all.slice(0, page);
  const entries = some.map((name) =>
    delimiter !== null && name.endsWith(delimiter)
      ? `<CommonPrefixes><Prefix>${name}</Prefix></CommonPrefixes>`
      : `<Contents><Key>${name}</Key></Contents>`,
  );
  const more = some.length < all.length ? `<NextContinuationToken>${some.at(-1)}</NextContinuationToken>` : '';
  return `<ListBucketResult>${entries.join('')}${more}</ListBucketResult>`;
}
