/** A studio on a free port over a folder of its own, and calls to it: as its pages make them, and as strangers would. */
import { mkdtemp, rm } from 'node:fs/promises';
import { request as httpRequest } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openStudio, type StudioOptions } from '../server.ts';

export interface Answer {
  status: number;
  headers: Record<string, string>;
  text: string;
}

export type TestStudio = Awaited<ReturnType<typeof testStudio>>;

export async function testStudio(options: Partial<StudioOptions> = {}) {
  const root = options.root ?? (await mkdtemp(join(tmpdir(), 'untangle-studio-')));
  const dataRoots = [tmpdir(), process.cwd()];
  const { address, port, key, close } = await openStudio({ port: 0, dataRoots, ...options, root });
  const cookie = `untangle-${port}=${key}`;
  const url = (path: string) => new URL(path, address);
  const { token } = JSON.parse(await (await fetch(url('/api/session'), { headers: { cookie } })).text());

  /** A call of the studio's own page. */
  async function call(method: string, path: string, body?: unknown, headers: Record<string, string> = {}) {
    const response = await fetch(url(path), {
      method,
      headers: {
        cookie,
        'x-untangle-token': token,
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, body: text === '' ? undefined : JSON.parse(text) };
  }

  return {
    root,
    address,
    port,
    key,
    cookie,
    token,
    url,
    call,
    get: async (path: string) => (await call('GET', path)).body,
    /** A call whose path and headers go out as they are, as one who knows the key unless another cookie is given. */
    raw(path: string, { method = 'GET', headers: given = {}, body }: RawOptions = {}): Promise<Answer> {
      const headers = { cookie, ...given };
      return new Promise((resolve, reject) => {
        const request = httpRequest({ host: '127.0.0.1', port, path, method, headers, agent: false }, (response) => {
          const chunks: Buffer[] = [];
          response.on('data', (chunk: Buffer) => chunks.push(chunk));
          response.on('error', reject);
          response.on('end', () =>
            resolve({
              status: response.statusCode ?? 0,
              headers: Object.fromEntries(
                Object.entries(response.headers).map(([name, value]) => [name, String(value)]),
              ),
              text: Buffer.concat(chunks).toString('utf8'),
            }),
          );
        });
        request.on('error', reject);
        if (body !== undefined) request.write(body);
        request.end();
      });
    },
    /** The events of a stream as they come; ends when `signal` aborts. */
    async *events(path: string, signal: AbortSignal, headers: Record<string, string> = {}) {
      const response = await fetch(url(path), { signal, headers: { cookie, ...headers } });
      const decoder = new TextDecoder();
      let rest = '';
      for await (const chunk of response.body ?? []) {
        rest += decoder.decode(chunk, { stream: true });
        const whole = rest.split('\n\n');
        rest = whole.pop() ?? '';
        for (const message of whole) {
          const fields = Object.fromEntries(
            message.split('\n').map((line) => /^(\w*): ?(.*)$/s.exec(line)?.slice(1) ?? []),
          );
          if (fields.event !== undefined)
            yield { event: String(fields.event), data: JSON.parse(fields.data), at: performance.now() };
        }
      }
    },
    /** Ends the server and leaves the folder. */
    end: close,
    async close() {
      await close();
      await rm(root, { recursive: true, force: true });
    },
  };
}

interface RawOptions {
  method?: string;
  headers?: Record<string, string>;
  body?: string | Buffer;
}

/** Waits until something holds, and gives it back. */
export async function until<T>(look: () => Promise<T | undefined | false>, seconds = 40): Promise<T> {
  const end = performance.now() + 1000 * seconds;
  for (;;) {
    const found = await look();
    if (found !== undefined && found !== false) return found;
    if (performance.now() > end) throw new Error(`It did not come about in ${seconds} s.`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
