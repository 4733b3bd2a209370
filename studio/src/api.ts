/** What the server offers, with its types: calls, binary items, and server-sent events. */
import type { Evaluation } from '../../src/runs/evaluation.ts';
import type { LogLine } from '../../src/runs/log.ts';
import type { ModelBlock, ModelFile } from '../../src/runs/model.ts';
import type { RunFile } from '../../src/runs/run.ts';
import type { Status } from '../../src/runs/status.ts';

export type { Evaluation, LogLine, ModelBlock, ModelFile, RunFile };

export type State = 'running' | 'done' | 'stopped' | 'failed' | 'damaged' | 'newer';

export interface RunSummary {
  name: string;
  state: State;
  /** Why it is in this state, for people. */
  sentence?: string;
  method?: string;
  data?: string;
  background?: string;
  step?: number;
  steps?: number;
  created?: string;
  seed?: number;
  metrics: Record<string, number>;
  /** At most 60 points. */
  loss: number[];
  files: { model: boolean };
}

/** Names that people gave to dimensions: by block, then by index. */
export type Names = Record<string, Record<string, string>>;

export interface RunDetail extends RunSummary {
  file?: RunFile;
  status?: Status;
  evaluation?: Evaluation;
  model?: ModelFile;
  pictures: string[];
  names: Names;
  command?: string;
  /** What is being done to it, or failed. */
  work?: { evaluate?: Job; pictures?: Job };
  /** What was worth knowing when it was started. */
  notes?: string[];
}

export interface Job {
  state: 'running' | 'failed';
  sentence?: string;
}

export interface Property {
  description?: string;
  default: number | string | boolean | (number | string)[];
  type?: 'number' | 'integer' | 'boolean' | 'string' | 'array';
  enum?: string[];
  anyOf?: { type: string; minimum?: number; maximum?: number }[];
  minimum?: number;
  maximum?: number;
}

export interface MethodFacts {
  name: string;
  title: string;
  summary: string;
  needs: 'data' | 'target+background' | 'labels' | 'few-labels';
  paper: { cite: string; equations: string };
  options: { properties: Record<string, Property> };
  presets: Record<string, Record<string, Property['default']>>;
}

export interface DatasetFacts {
  name: string;
  title: string;
  what: string;
  here: boolean;
  kind: 'single' | 'contrast' | 'unknown';
}

export interface Labels {
  labels?: { names: string[]; values: number[] };
  factors?: { name: string; values: number[] }[];
}

export interface StartRequest {
  method: string;
  data: string;
  background?: string;
  where?: string;
  backgroundWhere?: string;
  size?: number;
  crop?: boolean;
  grey?: boolean;
  label?: string;
  exclude?: string;
  labels?: number;
  preset?: string;
  seed?: number;
  set: string[];
  name?: string;
}

export interface StudioSession {
  token: string;
  version: string;
  runsFolder: string;
  workers: number;
}

export type Part = 'test' | 'background';

/** What the server said no to, with its hint. */
export class ApiError extends Error {
  readonly hint: string | undefined;
  readonly status: number;
  constructor(message: string, hint: string | undefined, status: number) {
    super(message);
    this.hint = hint;
    this.status = status;
  }
}

let session: Promise<StudioSession> | undefined;

/** The session, asked for once. */
export function studioSession(): Promise<StudioSession> {
  session ??= get<StudioSession>('/api/session');
  session.catch(() => {
    session = undefined;
  });
  return session;
}

const runPath = (name: string) => `/api/runs/${encodeURIComponent(name)}`;

export const api = {
  runs: () => get<RunSummary[]>('/api/runs'),
  run: (name: string) => get<RunDetail>(runPath(name)),
  log: async (name: string) => (await get<{ lines: LogLine[] }>(`${runPath(name)}/log`)).lines.map(readLine),
  methods: () => get<MethodFacts[]>('/api/methods'),
  datasets: () => get<DatasetFacts[]>('/api/datasets'),
  labels: (name: string, part: Part, from: number, count: number) =>
    get<Labels>(`${runPath(name)}/labels?part=${part}&from=${from}&count=${count}`),
  /** Items one after the other, and how many there are in all. */
  items: async (name: string, part: Part, from: number, count: number) => {
    const response = await checked(await fetch(`${runPath(name)}/items?part=${part}&from=${from}&count=${count}`));
    return {
      values: new Float32Array(await response.arrayBuffer()),
      count: Number(response.headers.get('x-items')),
      total: Number(response.headers.get('x-total')),
    };
  },
  /** Posterior means of a block, a row for each item from the first on. */
  codes: async (name: string, part: Part, block: string, count: number) => {
    const query = `part=${part}&block=${encodeURIComponent(block)}&count=${count}`;
    const response = await checked(await fetch(`${runPath(name)}/codes?${query}`));
    return new Float32Array(await response.arrayBuffer());
  },
  modelFile: async (name: string, file: 'encoder.onnx' | 'decoder.onnx') => {
    const response = await checked(await fetch(`${runPath(name)}/model/${file}`));
    return new Uint8Array(await response.arrayBuffer());
  },
  pictureUrl: (name: string, file: string, version: number | string) =>
    `${runPath(name)}/pictures/${encodeURIComponent(file)}?v=${version}`,
  previewUrl: (dataset: string) => `/api/datasets/${encodeURIComponent(dataset)}/preview.png`,
  start: (request: StartRequest) => change<{ name: string }>('POST', '/api/runs', request),
  stop: (name: string) => change('POST', `${runPath(name)}/stop`),
  resume: (name: string) => change('POST', `${runPath(name)}/resume`),
  evaluate: (name: string) => change('POST', `${runPath(name)}/evaluate`),
  draw: (name: string, kinds: string[]) => change('POST', `${runPath(name)}/pictures`, { kinds }),
  remove: (name: string) => change('DELETE', runPath(name)),
  nameDimension: (name: string, block: string, index: number, given: string) =>
    change('PUT', `${runPath(name)}/names`, { block, index, name: given }),
};

/** Follows the list of runs; gives back how to stop. */
export function followRuns(onRuns: (runs: RunSummary[]) => void, onLink: (open: boolean) => void): () => void {
  const source = new EventSource('/api/runs/events');
  source.addEventListener('runs', (event) => onRuns(parse(event)));
  source.addEventListener('open', () => onLink(true));
  source.addEventListener('error', () => onLink(false));
  return () => source.close();
}

export interface RunEvents {
  onLine(line: LogLine): void;
  onState(): void;
  onPictures(): void;
}

/** Follows the log of a run from a step on; gives back how to stop. */
export function followRun(name: string, after: number, { onLine, onState, onPictures }: RunEvents): () => void {
  const source = new EventSource(`${runPath(name)}/log/events?after=${after}`);
  source.addEventListener('line', (event) => onLine(readLine(parse(event))));
  source.addEventListener('state', onState);
  source.addEventListener('pictures', onPictures);
  return () => source.close();
}

/** Numbers that JSON has no word for stand as text: `"NaN"`. */
function readLine({ terms, weights, validation, ...line }: LogLine): LogLine {
  const numbers = (values: Record<string, unknown>) =>
    Object.fromEntries(Object.entries(values).map(([name, value]) => [name, Number(value)]));
  return {
    ...line,
    terms: numbers(terms),
    ...(weights && { weights: numbers(weights) }),
    ...(validation && { validation: numbers(validation) }),
  };
}

async function get<T>(path: string): Promise<T> {
  return await json<T>(await checked(await fetch(path)));
}

async function change<T>(method: 'POST' | 'PUT' | 'DELETE', path: string, body?: object): Promise<T> {
  const { token } = await studioSession();
  const response = await fetch(path, {
    method,
    headers: { 'x-untangle-token': token, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  return await json<T>(await checked(response));
}

async function checked(response: Response): Promise<Response> {
  if (response.ok) return response;
  const said: { error?: string; hint?: string } = await response.json().catch(() => ({}));
  throw new ApiError(said.error ?? `The server answered ${response.status}.`, said.hint, response.status);
}

// The server has checked what it sends, and is of the same version as this page.
async function json<T>(response: Response): Promise<T> {
  const text = await response.text();
  return (text === '' ? undefined : JSON.parse(text)) as T;
}
function parse<T>(event: MessageEvent<string>): T {
  return JSON.parse(event.data) as T;
}
