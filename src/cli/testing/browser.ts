/**
 * A real browser for tests: Chromium without a window, spoken to by the DevTools protocol over two pipes, so that no port is
 * opened and nothing but the browser itself is needed. And the small static server that a page is opened from.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { extname, join, normalize, resolve } from 'node:path';
import type { Readable, Writable } from 'node:stream';

/** Where the browser is: CHROMIUM, or Debian's. Undefined if there is none. */
export function chromium(): string | undefined {
  return [process.env.CHROMIUM ?? '', '/usr/bin/chromium'].find((path) => path !== '' && existsSync(path));
}

export interface Page {
  /** The value of a JavaScript expression in the page; a promise is waited for. */
  evaluate<T>(expression: string): Promise<T>;
  /** Waits until the expression is true. */
  until(expression: string): Promise<void>;
  /** The size of the window, and whether colours are dark. */
  look(width: number, height: number, colours?: 'light' | 'dark'): Promise<void>;
  press(key: string): Promise<void>;
  /** Gives files to an `<input type="file">`. */
  choose(selector: string, ...files: string[]): Promise<void>;
  screenshot(): Promise<Buffer>;
  goto(url: string): Promise<void>;
  /** Every address that was asked for since the browser began. */
  readonly requests: string[];
  /** What went wrong in the page, in its console's words. */
  readonly errors: string[];
  close(): Promise<void>;
}

export async function openBrowser(executable: string): Promise<Page> {
  const profile = await mkdtemp(join(tmpdir(), 'untangle-browser-'));
  const child = spawn(
    executable,
    [
      ...['--headless=new', '--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking'],
      ...['--disable-component-update', '--disable-sync', '--hide-scrollbars', '--remote-debugging-pipe'],
      `--user-data-dir=${profile}`,
      'about:blank',
    ],
    { stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'] },
  );
  const { send, on } = speak(child);
  const { targetInfos } = await send('Target.getTargets', {});
  const target = targetInfos.find(({ type }) => type === 'page');
  const { sessionId } = await send('Target.attachToTarget', { targetId: target?.targetId, flatten: true });
  const ask = <M extends keyof Answers & string>(method: M, params: object = {}) => send(method, params, sessionId);
  const requests: string[] = [];
  const errors: string[] = [];
  on('Network.requestWillBeSent', ({ request }) => requests.push(request.url));
  on('Runtime.exceptionThrown', ({ exceptionDetails: { text, exception } }) =>
    errors.push(exception?.description ?? text),
  );
  on('Log.entryAdded', ({ entry }) => entry.level === 'error' && errors.push(`${entry.text} ${entry.url ?? ''}`));
  for (const domain of ['Page', 'Runtime', 'Network', 'Log', 'DOM']) await ask(`${domain}.enable`);

  // Without a window no page has the focus, and none would hear of elements that get it.
  await ask('Emulation.setFocusEmulationEnabled', { enabled: true });

  async function evaluate<T>(expression: string): Promise<T> {
    const { result, exceptionDetails } = await ask('Runtime.evaluate', {
      expression,
      awaitPromise: true,
      returnByValue: true,
    });
    if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
    // The caller says what its expression gives.
    return result.value as T;
  }

  async function until(expression: string): Promise<void> {
    for (const end = Date.now() + 30_000; !(await evaluate(expression)); await pause(30))
      if (Date.now() > end) throw new Error(`Never true: ${expression}; ${errors.join('; ')}`);
  }

  return {
    evaluate,
    until,
    requests,
    errors,
    async look(width, height, colours = 'light') {
      await ask('Emulation.setDeviceMetricsOverride', { width, height, deviceScaleFactor: 1, mobile: width < 600 });
      await ask('Emulation.setEmulatedMedia', { features: [{ name: 'prefers-color-scheme', value: colours }] });
    },
    async press(key) {
      const windowsVirtualKeyCode = { Tab: 9, ArrowRight: 39, ArrowLeft: 37, Enter: 13 }[key] ?? 0;
      await ask('Input.dispatchKeyEvent', { type: 'rawKeyDown', key, code: key, windowsVirtualKeyCode });
      await ask('Input.dispatchKeyEvent', { type: 'keyUp', key, code: key, windowsVirtualKeyCode });
    },
    async choose(selector, ...files) {
      const { root } = await ask('DOM.getDocument');
      const { nodeId } = await ask('DOM.querySelector', { nodeId: root.nodeId, selector });
      await ask('DOM.setFileInputFiles', { nodeId, files });
    },
    async screenshot() {
      const { data } = await ask('Page.captureScreenshot', { format: 'png' });
      return Buffer.from(data, 'base64');
    },
    async goto(url) {
      await ask('Page.navigate', { url });
      await until(`location.href === ${JSON.stringify(url)} && document.readyState === 'complete'`);
    },
    async close() {
      const gone = new Promise((done) => child.once('exit', done));
      await send('Browser.close', {}).catch(() => {});
      await gone;
      await rm(profile, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** Serves a folder on this machine alone. */
export async function serve(folder: string): Promise<{ url: string; close: () => Promise<void> }> {
  const types: Record<string, string> = {
    '.html': 'text/html',
    '.js': 'text/javascript',
    '.mjs': 'text/javascript',
    '.css': 'text/css',
    '.json': 'application/json',
    '.wasm': 'application/wasm',
  };
  const root = resolve(folder);
  const server: Server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://127.0.0.1');
    const path = join(root, normalize(pathname.endsWith('/') ? `${pathname}index.html` : pathname));
    try {
      const bytes = await readFile(path);
      response.writeHead(200, { 'content-type': types[extname(path)] ?? 'application/octet-stream' }).end(bytes);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/`,
    close: () =>
      new Promise((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
}

/** The answers that are looked at, by what they answer; those of other messages are not. */
interface Answers {
  [other: string]: unknown;
  'Target.getTargets': { targetInfos: { type: string; targetId: string }[] };
  'Target.attachToTarget': { sessionId: string };
  'Runtime.evaluate': { result: { value?: unknown }; exceptionDetails?: Exception };
  'DOM.getDocument': { root: { nodeId: number } };
  'DOM.querySelector': { nodeId: number };
  'Page.captureScreenshot': { data: string };
}

interface Events {
  'Network.requestWillBeSent': { request: { url: string } };
  'Runtime.exceptionThrown': { exceptionDetails: Exception };
  'Log.entryAdded': { entry: { level: string; text: string; url?: string } };
}

interface Exception {
  text: string;
  exception?: { description?: string };
}

/** The protocol: JSON messages with a zero byte behind each, out on the third pipe and in on the fourth. */
function speak(child: ChildProcess) {
  const [out, back] = [child.stdio[3] as Writable, child.stdio[4] as Readable];
  const waiting = new Map<number, { done: (result: unknown) => void; failed: (error: Error) => void }>();
  const listeners = new Map<string, (params: unknown) => void>();
  let id = 0;
  let held = Buffer.alloc(0);
  back.on('data', (piece: Buffer) => {
    held = Buffer.concat([held, piece]);
    for (let end = held.indexOf(0); end >= 0; end = held.indexOf(0)) {
      const message = JSON.parse(held.subarray(0, end).toString('utf8'));
      held = held.subarray(end + 1);
      if (message.id === undefined) listeners.get(message.method)?.(message.params);
      else {
        const { done, failed } = waiting.get(message.id)!;
        waiting.delete(message.id);
        if (message.error) failed(new Error(message.error.message));
        else done(message.result);
      }
    }
  });
  child.on('exit', () => {
    for (const { failed } of waiting.values()) failed(new Error('The browser ended.'));
  });
  return {
    // What the browser answers and tells is what the protocol says it is.
    send: <M extends keyof Answers & string>(method: M, params: object, sessionId?: string) =>
      new Promise<Answers[M]>((done, failed) => {
        waiting.set(++id, { done: (result) => done(result as Answers[M]), failed });
        out.write(`${JSON.stringify({ id, method, params, ...(sessionId && { sessionId }) })}\0`);
      }),
    on: <E extends keyof Events>(event: E, listener: (params: Events[E]) => void) =>
      listeners.set(event, (params) => listener(params as Events[E])),
  };
}

const pause = (milliseconds: number) => new Promise((done) => setTimeout(done, milliseconds));
