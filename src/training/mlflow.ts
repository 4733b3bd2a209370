/**
 * Logs a run to an MLflow server through its REST API (version 2.0). Everything goes through a queue that is sent in the
 * background: a slow, broken or missing server costs one warning, and never a training step.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { UntangleError } from '../errors.ts';
import { toJson } from '../runs/index.ts';
import { withoutSecrets } from '../shell.ts';

export interface MlflowOptions {
  /** The tracking server, such as http://localhost:5000. Who may log is said by the environment, as for MLflow's clients. */
  url: string;
  experiment: string;
  runName: string;
  params?: Record<string, unknown>;
  tags?: Record<string, string>;
  /** The MLflow run to go on with, after a resume. */
  runId?: string;
  /** Called once, if something could not be logged. */
  warn(sentence: string): void;
  /** How long one call may take. */
  timeoutMs?: number;
  /** How long the first wait before another try is; each further one is twice as long. */
  retryMs?: number;
}

export interface MlflowLogger {
  /** The run's id on the server, as soon as it is known. */
  readonly runId: string | undefined;
  /** Takes numbers by name; returns at once, and never fails. */
  log(step: number, values: Record<string, number>): void;
  /** Sends what is left and closes the run, for at most `patienceMs`; tells whether everything arrived. */
  close(status: 'FINISHED' | 'FAILED' | 'KILLED', patienceMs?: number): Promise<boolean>;
}

/**
 * Begins to log; returns at once, before the server has answered.
 *
 * @example const mlflow = openMlflow({ url: 'http://localhost:5000', experiment: 'untangle', runName: run.name, warn: console.warn })
 */
export function openMlflow(options: MlflowOptions): MlflowLogger {
  const server = connect(options);
  const queue: Metric[] = [];
  let runId = options.runId;
  let isWhole = true;
  let hasWarned = false;
  let isClosing = false;
  let isOff = false;
  let wake = () => {};

  const warnOnce = (reason: string) => {
    if (!hasWarned)
      options.warn(`MLflow at ${server.name}: ${reason}. Training goes on; numbers may be missing there.`);
    hasWarned = true;
  };
  const lost = (reason: string) => {
    isWhole = false;
    warnOnce(reason);
  };
  const post = (path: string, body: Record<string, unknown>) => server.call('POST', path, body, warnOnce);

  const logBatch = async (kind: 'metrics' | 'params' | 'tags', items: unknown[]) => {
    for (const batch of batches(items, kind === 'metrics' ? 1000 : 100)) {
      try {
        await post('runs/log-batch', { run_id: runId, [kind]: batch });
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        lost(error.message);
      }
    }
  };

  const work = async () => {
    if (runId !== undefined) await post('runs/update', { run_id: runId, status: 'RUNNING' });
    else {
      const experiment_id = await findExperiment(options.experiment, (method, path, body) =>
        server.call(method, path, body, warnOnce),
      );
      const tags = [{ key: 'mlflow.runName', value: options.runName }];
      const start = { experiment_id, run_name: options.runName, start_time: Date.now(), tags };
      runId = createdRun.parse(await post('runs/create', start)).run.info.run_id;
      await logBatch('params', entries(options.params ?? {}, longestParam));
      await logBatch('tags', entries(options.tags ?? {}, longestTag));
    }
    while (!isClosing || queue.length > 0) {
      if (queue.length === 0) await new Promise<void>((resolve) => (wake = resolve));
      await logBatch('metrics', queue.splice(0, 1000));
    }
  };
  const working = work().catch((error) => {
    isOff = true;
    lost(sentenceOf(error));
  });

  return {
    get runId() {
      return runId;
    },
    log: (step, values) => {
      if (isOff) return;
      const timestamp = Date.now();
      for (const [name, value] of Object.entries(values)) queue.push({ key: keyOf(name), value, timestamp, step });
      if (queue.length > longestQueue) {
        queue.splice(0, queue.length - longestQueue);
        lost('it is too slow to take all numbers');
      }
      wake();
    },
    close: async (status, patienceMs = 10_000) => {
      isClosing = true;
      wake();
      server.hurry();
      const impatience = setTimeout(server.stop, patienceMs);
      await working;
      if (runId !== undefined)
        await post('runs/update', { run_id: runId, status, end_time: Date.now() }).catch((error) =>
          lost(sentenceOf(error)),
        );
      clearTimeout(impatience);
      return isWhole;
    },
  };
}

interface Metric {
  key: string;
  value: number;
  timestamp: number;
  step: number;
}

/** The limits of MLflow's API; what is longer is cut off. */
const longestKey = 250;
const longestParam = 6000;
const longestTag = 5000;
const largestBody = 900_000;
/** Numbers that wait for the server, of which the oldest are dropped. */
const longestQueue = 100_000;
const largestAnswer = 1_000_000;
const patientTries = 3;
const longestWaitMs = 30_000;

const foundExperiment = z.object({
  experiment: z.object({ experiment_id: z.string(), lifecycle_stage: z.string().optional() }),
});
const createdExperiment = z.object({ experiment_id: z.string() });
const createdRun = z.object({ run: z.object({ info: z.object({ run_id: z.string() }) }) });
const refusal = z.object({ error_code: z.string(), message: z.string().default('') });

/** An answer that another try would not change. */
class Refusal extends Error {
  readonly code: string;
  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

type Call = (method: 'GET' | 'POST', path: string, body: Record<string, unknown>) => Promise<unknown>;

/** The experiment's id; makes the experiment if there is none, also when another run does so at the same moment. */
async function findExperiment(name: string, call: Call): Promise<string> {
  const find = async () => {
    const { experiment } = foundExperiment.parse(
      await call('GET', 'experiments/get-by-name', { experiment_name: name }),
    );
    if (experiment.lifecycle_stage === 'deleted') throw new Refusal('', `its experiment “${name}” was deleted`);
    return experiment.experiment_id;
  };
  try {
    return await find();
  } catch (error) {
    if (!(error instanceof Refusal && error.code === 'RESOURCE_DOES_NOT_EXIST')) throw error;
  }
  try {
    return createdExperiment.parse(await call('POST', 'experiments/create', { name })).experiment_id;
  } catch (error) {
    if (!(error instanceof Refusal && error.code === 'RESOURCE_ALREADY_EXISTS')) throw error;
    return await find();
  }
}

/** Calls to the server, each tried until it is answered, it is refused, or `stop` is called. */
function connect({ url, timeoutMs = 10_000, retryMs = 500 }: MlflowOptions) {
  const address = URL.canParse(url) ? new URL(url) : undefined;
  if (address === undefined || !/^https?:$/.test(address.protocol))
    throw new UntangleError(`“${withoutSecrets(url)}” is not the address of an MLflow server.`, {
      kind: 'call',
      hint: 'Give an address such as http://localhost:5000.',
    });
  const authorization = authorizationFor(address);
  const headers = { 'content-type': 'application/json', ...(authorization && { authorization }) };
  const name = `${address.origin}${address.pathname}`.replace(/\/+$/, '');
  const stopped = new AbortController();
  const hurried = new AbortController();

  const once = async (method: string, path: string, body: Record<string, unknown>): Promise<unknown> => {
    const query = new URLSearchParams(
      method === 'GET' ? Object.fromEntries(Object.entries(body).map(([key, value]) => [key, `${value}`])) : '',
    );
    const response = await fetch(`${name}/api/2.0/mlflow/${path}?${query}`, {
      method,
      headers,
      ...(method === 'POST' && { body: toJson(body) }),
      signal: AbortSignal.any([AbortSignal.timeout(timeoutMs), stopped.signal]),
    });
    const answer = parsed(await textOf(response));
    if (response.ok) return answer;
    const { error_code, message } = refusal.safeParse(answer).data ?? { error_code: '', message: '' };
    const sentence = `it answers ${response.status}${message === '' ? '' : ` (${message.slice(0, 200).replace(/\.$/, '')})`}`;
    if (response.status >= 500 || [408, 429].includes(response.status)) throw new Error(sentence);
    throw new Refusal(error_code, sentence);
  };

  return {
    name,
    /** Gives up. */
    stop: () => stopped.abort(),
    /** Ends long waits. */
    hurry: () => hurried.abort(),
    call: async (
      method: 'GET' | 'POST',
      path: string,
      body: Record<string, unknown>,
      warn: (reason: string) => void,
    ) => {
      for (let attempt = 1; ; attempt++) {
        try {
          return await once(method, path, body);
        } catch (error) {
          if (error instanceof Refusal || stopped.signal.aborted) throw error;
          if (attempt >= patientTries) warn(sentenceOf(error));
        }
        await pause(hurried.signal.aborted ? retryMs : Math.min(longestWaitMs, retryMs * 2 ** (attempt - 1)));
      }
    },
  };

  /** Without a reference: a program that ends without `close` does not wait for another try. */
  async function pause(ms: number) {
    const signals = hurried.signal.aborted ? [stopped.signal] : [stopped.signal, hurried.signal];
    await sleep(ms, undefined, { signal: AbortSignal.any(signals), ref: false }).catch(() => {});
  }
}

/** Who we say that we are: by the address, or by the variables that MLflow's own clients read. */
function authorizationFor({ username, password }: URL): string | undefined {
  const { MLFLOW_TRACKING_TOKEN, MLFLOW_TRACKING_USERNAME, MLFLOW_TRACKING_PASSWORD } = process.env;
  const basic = (user = '', secret = '') => `Basic ${Buffer.from(`${user}:${secret}`).toString('base64')}`;
  if (username !== '' || password !== '') return basic(decoded(username), decoded(password));
  if (MLFLOW_TRACKING_USERNAME || MLFLOW_TRACKING_PASSWORD)
    return basic(MLFLOW_TRACKING_USERNAME, MLFLOW_TRACKING_PASSWORD);
  return MLFLOW_TRACKING_TOKEN ? `Bearer ${MLFLOW_TRACKING_TOKEN}` : undefined;
}

/** Splits what is to be sent by the API's limits on count and size. */
function* batches<T>(items: T[], most: number): Generator<T[]> {
  let batch: T[] = [];
  let size = 0;
  for (const item of items) {
    const length = Buffer.byteLength(toJson(item)) + 1;
    if (batch.length === most || (batch.length > 0 && size + length > largestBody)) {
      yield batch;
      [batch, size] = [[], 0];
    }
    batch.push(item);
    size += length;
  }
  if (batch.length > 0) yield batch;
}

function entries(given: Record<string, unknown>, longest: number): { key: string; value: string }[] {
  return Object.entries(given).map(([name, value]) => ({
    key: keyOf(name),
    value: cut(typeof value === 'string' ? value : toJson(value), longest),
  }));
}

/** A name that MLflow takes: letters, digits, _ - . / and spaces, in the form of a plain relative path. */
function keyOf(name: string): string {
  const parts = cut(name.replace(/[^\p{L}\p{N}_./ -]/gu, '_'), longestKey).split('/');
  return parts.filter((part) => !['', '.', '..'].includes(part)).join('/') || '_';
}

/** The first characters of a text, without half of a pair at the end. */
const cut = (text: string, most: number) =>
  text.length <= most ? text : text.slice(0, most).replace(/[\uD800-\uDBFF]$/, '');

async function textOf(response: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of response.body ?? []) {
    text += decoder.decode(chunk, { stream: true });
    if (text.length > largestAnswer) throw new Error('its answer is far too long');
  }
  return text;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function sentenceOf(error: unknown): string {
  if (error instanceof z.ZodError) return 'its answers are not those of an MLflow server';
  if (!(error instanceof Error)) return String(error);
  if (error.name === 'TimeoutError' || error.name === 'AbortError') return 'it does not answer in time';
  if (error.cause instanceof Error) return `it can't be reached (${error.cause.message || error.cause.name})`;
  return error.message;
}
