/**
 * Orders to a process or a thread of its own. Whoever orders gets news while the work goes on, then its result or its error, with
 * hint and stack as if it had been thrown here. Everything in untangle that runs beside its caller is talked to like this.
 */
import { fork } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { troubleOf } from './errno.ts';
import { UntangleError } from './errors.ts';

/** What is ordered, told in between, and given back: the type that both sides share. */
export interface Work {
  order: unknown;
  news: unknown;
  result: unknown;
}

interface Order {
  id: number;
  order: unknown;
}

type Answer = { id: number } & (
  | { kind: 'news'; news: unknown }
  | { kind: 'done'; result: unknown }
  | { kind: 'failed'; error: SentError }
);

interface SentError {
  message: string;
  hint?: string;
  kind: 'call' | 'work';
  code?: string;
  stack?: string;
}

/** What is done with another process. Told here, so that whoever uses untangle's types needs none of Node's. */
export interface OtherProcess {
  readonly connected: boolean;
  readonly exitCode: number | null;
  kill(signal?: 'SIGTERM' | 'SIGKILL'): boolean;
  disconnect(): void;
}

/** What is done with another thread. */
export interface OtherThread {
  terminate(): Promise<number>;
  ref(): void;
  unref(): void;
  once(event: 'exit', heard: () => void): unknown;
}

/** A process that carries out orders. */
export interface Hand<W extends Work> {
  readonly process: OtherProcess;
  /** Fails with the error of the work, with one that `onNews` throws, or when the process ends before it has answered. */
  order(order: W['order'], onNews?: (news: W['news']) => void): Promise<W['result']>;
}

/** How the other side came to its end, such as “by SIGKILL”, and the last that it said on stderr. */
export interface End {
  how: string;
  said: string;
}

/**
 * Starts a process that runs a built file, in which `carryOutOrders` waits. It ends when it is disconnected and has nothing left to do.
 *
 * @param lost the error of orders that it leaves unanswered
 * @example const trainer = startProcess<Training>('training/process.js', ({ how }) => new UntangleError(`It ended ${how}.`));
 */
export function startProcess<W extends Work>(
  path: string,
  lost: (end: End) => UntangleError,
  { execArgv, env }: { execArgv?: string[]; env?: Record<string, string | undefined> } = {},
): Hand<W> {
  const child = fork(fileURLToPath(builtFile(path)), {
    // Typed arrays go as they are.
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    execArgv,
    env,
  });
  let said = '';
  child.stderr!.on('data', (chunk: Buffer) => {
    said = (said + chunk.toString('utf8')).slice(-10_000);
  });
  const orders = new Orders<W>();
  child.on('message', (answer: Answer) => orders.hear(answer));
  child.on('error', (error) => orders.fail(lost({ how: `with an error (${error.message})`, said })));
  child.on('exit', (code, signal) =>
    orders.fail(lost({ how: signal === null ? `with code ${code}` : `by ${signal}`, said })),
  );
  return {
    process: child,
    order(order, onNews) {
      const { waits, result } = orders.add(order, onNews);
      child.send(waits);
      return result;
    },
  };
}

/** Starts a thread for one order, on a built file that calls `carryOutOrders`. It ends by itself when it has answered. */
export function startThread<W extends Work>(
  path: string,
  order: W['order'],
  onNews?: (news: W['news']) => void,
): { thread: OtherThread; result: Promise<W['result']> } {
  const orders = new Orders<W>();
  const { waits, result } = orders.add(order, onNews);
  const thread = new Worker(builtFile(path), { workerData: waits });
  thread.on('message', (answer: Answer) => orders.hear(answer));
  thread.on('error', (error) => orders.fail(receivedError(sentError(error))));
  thread.on('exit', (code) => orders.fail(new UntangleError(`A thread ended with code ${code}.`)));
  return { thread, result };
}

/** The side that works: in a process or thread that was started for it, carries out what is ordered. */
export function carryOutOrders<W extends Work>(
  carryOut: (order: W['order'], tell: (news: W['news']) => Promise<void>) => W['result'] | Promise<W['result']>,
): void {
  const onOrder = async ({ id, order }: Order) => {
    try {
      const result = await carryOut(order, (news) => answer({ id, kind: 'news', news }));
      await answer({ id, kind: 'done', result });
    } catch (error) {
      await answer({ id, kind: 'failed', error: sentError(error) });
    }
  };
  if (isMainThread) process.on('message', onOrder);
  else void onOrder(workerData);
}

/** A built file by its path under `dist/`: beside this one, or in `dist/` when this one runs from its source. */
export function builtFile(path: string): URL {
  const file = new URL(import.meta.url.endsWith('.js') ? path : `../dist/${path}`, import.meta.url);
  if (existsSync(fileURLToPath(file))) return file;
  throw new UntangleError(`dist/${path} is not built.`, { hint: 'Run “npm run build” first.' });
}

/** The orders that wait for their answers. */
class Orders<W extends Work> {
  private readonly waiting = new Map<
    number,
    { onNews?: (news: W['news']) => void; resolve: (result: W['result']) => void; reject: (error: unknown) => void }
  >();
  private next = 1;

  add(order: W['order'], onNews?: (news: W['news']) => void): { waits: Order; result: Promise<W['result']> } {
    const id = this.next++;
    const result = new Promise<W['result']>((resolve, reject) => {
      this.waiting.set(id, { onNews, resolve, reject });
    });
    return { waits: { id, order }, result };
  }

  hear(answer: Answer): void {
    const waiting = this.waiting.get(answer.id);
    if (waiting === undefined) return;
    if (answer.kind === 'news') {
      try {
        waiting.onNews?.(answer.news);
        return;
      } catch (error) {
        waiting.reject(error);
      }
    } else if (answer.kind === 'done') waiting.resolve(answer.result);
    else waiting.reject(receivedError(answer.error));
    this.waiting.delete(answer.id);
  }

  fail(error: UntangleError): void {
    for (const { reject } of this.waiting.values()) reject(error);
    this.waiting.clear();
  }
}

/** Sends to whoever ordered; done when it is on its way. Nobody hears it when the other side has gone. */
function answer(message: Answer): Promise<void> {
  return new Promise((done) => {
    if (parentPort !== null) {
      parentPort.postMessage(message);
      done();
    } else if (process.connected) process.send!(message, undefined, undefined, () => done());
    else done();
  });
}

function sentError(error: unknown): SentError {
  if (!(error instanceof Error)) return { message: String(error), kind: 'work' };
  const known = error instanceof UntangleError ? error : troubleOf(error);
  if (known === undefined) return { message: error.message, kind: 'work', stack: error.stack };
  const { message, hint, kind, code } = known;
  return { message, hint, kind, code, stack: error.stack };
}

function receivedError({ message, hint, kind, code, stack }: SentError): UntangleError {
  const error = new UntangleError(message, { hint, kind, code });
  if (stack !== undefined) error.stack = stack;
  return error;
}
