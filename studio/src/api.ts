/** What the server offers: its own routes as typed calls, binary items, and server-sent events. */
import { hc } from 'hono/client';
import type { LogLine } from '../../src/runs/index.ts';
import type { StudioApi } from '../../src/studio/app.ts';
import type { ItemPart } from '../../src/studio/items.ts';
import type { RunRow } from '../../src/studio/runs.ts';
import {
  type ArrayFacts,
  factHeader,
  type SentLine,
  type SentRow,
  type Spelled,
  tokenHeader,
} from '../../src/studio/wire.ts';

/** What the server said no to, with its hint. */
export class ApiError extends Error {
  readonly hint: string | undefined;
  constructor(message: string, hint: string | undefined) {
    super(message);
    this.hint = hint;
  }
}

const client = hc<StudioApi>('/', { fetch: ask }).api;
const calls = client.runs[':name'];

/** The names of an address. */
const of = <T extends Record<string, string>>(names: T): { param: T } => ({
  param: {
    ...names,
    ...Object.fromEntries(Object.entries(names).map(([key, name]) => [key, encodeURIComponent(name)])),
  },
});

type StudioSession = Awaited<ReturnType<typeof openSession>>;
let session: Promise<StudioSession> | undefined;

/** A server that was started anew has another session. */
export function forgetSession(): void {
  session = undefined;
}

/** The session, asked for once. */
export function studioSession(): Promise<StudioSession> {
  session ??= openSession();
  session.catch(() => {
    session = undefined;
  });
  return session;
}

const openSession = async () => (await client.session.$get()).json();

export const api = {
  runs: async () => (await (await client.runs.$get()).json()).map(rowOf),
  run: async (name: string) => {
    const run = await (await calls.$get(of({ name }))).json();
    return { ...run, ...rowOf(run) };
  },
  log: async (name: string) => (await (await calls.log.$get(of({ name }))).json()).lines.map(lineOf),
  methods: async () => (await client.methods.$get()).json(),
  datasets: async () => (await client.datasets.$get()).json(),
  labels: async (name: string, part: ItemPart, from: number, count: number) => {
    const { labels, factors } = await (
      await calls.labels.$get({ ...of({ name }), query: { part, from, count } })
    ).json();
    return { labels, factors: factors?.map((factor) => ({ ...factor, values: factor.values.map(Number) })) };
  },
  /** Items one after the other, and how many there are in all. */
  items: async (name: string, part: ItemPart, from: number, count: number) => {
    const response = await calls.items.$get({ ...of({ name }), query: { part, from, count } });
    const fact = (which: keyof ArrayFacts) => Number(response.headers.get(factHeader(which)));
    return { values: new Float32Array(await response.arrayBuffer()), count: fact('items'), total: fact('total') };
  },
  /** Posterior means of a block, a row for each item from the first on. */
  codes: async (name: string, part: ItemPart, block: string, count: number) => {
    const response = await calls.codes.$get({ ...of({ name }), query: { part, block, count } });
    return new Float32Array(await response.arrayBuffer());
  },
  modelFile: async (name: string, file: 'encoder.onnx' | 'decoder.onnx') => {
    const response = await calls.model[':file'].$get(of({ name, file }));
    return new Uint8Array(await response.arrayBuffer());
  },
  pictureUrl: (name: string, file: string, version: number | string) =>
    `${calls.pictures[':file'].$path(of({ name, file }))}?v=${version}`,
  previewUrl: (name: string) => client.datasets[':name']['preview.png'].$path(of({ name })),
  start: async (json: StartRequest) => (await client.runs.$post({ json })).json(),
  stop: (name: string) => calls.stop.$post(of({ name })),
  resume: (name: string) => calls.resume.$post(of({ name })),
  evaluate: (name: string) => calls.evaluate.$post(of({ name })),
  draw: (name: string, kinds: string[]) => calls.pictures.$post({ ...of({ name }), json: { kinds } }),
  remove: (name: string) => calls.$delete(of({ name })),
  note: (name: string, json: { note?: string; tags?: string[] }) => calls.notes.$put({ ...of({ name }), json }),
  nameDimension: (run: string, block: string, index: number, name: string) =>
    calls.names.$put({ ...of({ name: run }), json: { block, index, name } }),
};

type Answer<K extends keyof typeof api> = Awaited<ReturnType<(typeof api)[K]>>;
export type RunDetail = Answer<'run'>;
export type MethodFacts = Answer<'methods'>[number];
export type DatasetFacts = Answer<'datasets'>[number];
export type KnownLabels = Partial<Answer<'labels'>>;
export type StartRequest = Parameters<typeof client.runs.$post>[0]['json'];

export const rowOf = (row: SentRow): RunRow => ({ ...row, metrics: numbers(row.metrics) });

export function lineOf({ terms, weights, validation, ...line }: SentLine): LogLine {
  return {
    ...line,
    terms: numbers(terms),
    weights: weights && numbers(weights),
    validation: validation && numbers(validation),
  };
}

const numbers = (record: Record<string, Spelled>): Record<string, number> =>
  Object.fromEntries(Object.entries(record).map(([name, value]) => [name, Number(value)]));

/** A call as pages make it: with the token where it changes something; a refusal is thrown. */
async function ask(input: RequestInfo | URL, init: RequestInit = {}): Promise<Response> {
  const headers = new Headers(init.headers);
  if (init.method !== 'GET') headers.set(tokenHeader, (await studioSession()).token);
  const response = await fetch(input, { ...init, headers });
  if (response.ok) return response;
  const said: unknown = await response.json().catch(() => undefined);
  const word = (name: string) => {
    const value: unknown = typeof said === 'object' && said !== null ? Reflect.get(said, name) : undefined;
    return typeof value === 'string' ? value : undefined;
  };
  throw new ApiError(word('error') ?? `The server answered ${response.status}.`, word('hint'));
}
