/** What pages ask for, checked before anything is done about it. */
import type { Context, Env, MiddlewareHandler } from 'hono';
import { z } from 'zod';
import { defined } from '../defined.ts';
import { dataOptions, labelOptions, type RequestValues, requestOptions } from '../options/index.ts';
import { flagsOf, quoted } from '../shell.ts';
import { type NamedRequest, requestOf } from '../training/index.ts';
import { Refusal } from './answers.ts';
import type { ItemPart } from './items.ts';

/** Bytes of a request's body, at most. */
export const largestBody = 65_536;

const text = z.string().min(1).max(2000);

const { preset, seed } = requestOptions;

/** The form that starts a run. */
export const startRequest: z.ZodType<StartForm> = z.strictObject({
  method: text,
  data: text,
  ...dataOptions,
  ...labelOptions,
  preset,
  seed,
  set: z.array(text).max(200).optional(),
  name: text.optional(),
});

export interface StartForm extends Omit<RequestValues, 'workers' | 'threads'> {
  method: string;
  data: string;
  set?: string[];
  name?: string;
}

export const picturesRequest = z.strictObject({
  kinds: z
    .array(z.string().regex(/^[a-z][a-z-]{0,30}$/))
    .min(1)
    .max(20),
});

/** Takes a JSON body that fits the schema, and tells the pages what that is. */
export function body<S extends z.ZodType<object>>(schema: S): Takes<'json', z.output<S>, z.output<S>> {
  return async (c, next) => {
    c.req.addValidatedData('json', checkedBody(await bodyOf(c), schema));
    await next();
  };
}

/** Takes what `read` makes of the address's query. */
function query<Out extends object, In = Partial<Out>>(read: (c: Context) => Out): Takes<'query', In, Out> {
  return async (c, next) => {
    c.req.addValidatedData('query', read(c));
    await next();
  };
}

type Takes<Target extends string, In, Out> = MiddlewareHandler<
  Env,
  string,
  { in: { [T in Target]: In }; out: { [T in Target]: Out } }
>;

async function bodyOf(c: Context): Promise<unknown> {
  if (!/^application\/json\b/i.test(c.req.header('content-type') ?? ''))
    throw new Refusal(400, 'The request’s body should be JSON, with content-type application/json.');
  try {
    return JSON.parse(await c.req.text());
  } catch {
    throw new Refusal(400, 'The request’s body is not JSON.');
  }
}

function checkedBody<S extends z.ZodType>(value: unknown, schema: S): z.output<S> {
  const checked = schema.safeParse(value);
  if (checked.success) return checked.data;
  const [issue] = checked.error.issues;
  const place = issue.path.length === 0 ? 'The request' : `“${issue.path.join('.')}”`;
  throw new Refusal(400, `${place} does not fit: ${issue.message}.`);
}

/** Items that are asked for at a time, at most. */
const mostItems = 20_000;

/** Which items of a part. */
export const span = query((c) => ({
  part: partOf(c),
  from: wholeNumber(c, 'from', 0, 2 ** 31),
  count: wholeNumber(c, 'count', 32, mostItems),
}));

/** The codes of which block, and of how many items. */
export const chosenCodes = query((c) => {
  const block = c.req.query('block');
  if (block === undefined) throw new Refusal(400, '“block” is missing: which block’s codes?');
  return { part: partOf(c), block, count: wholeNumber(c, 'count', 2000, mostItems) };
});

/** Logs that may be followed at a time. */
const mostFollowed = 50;

export interface Follow {
  run: string;
  /** The step of the last line that is known already. */
  after: number;
}

/** Which runs’ logs to follow: `follow=RUN:STEP`, as often as needed. */
export const followed = query((c): { follow: Follow[] } => ({
  follow: (c.req.queries('follow') ?? []).slice(0, mostFollowed).map((text) => {
    const [, run, after] = /^(.+):(\d{1,15})$/s.exec(text) ?? [];
    if (run === undefined)
      throw new Refusal(400, `“follow” takes a run and a step, as “mine:100”, not “${text.slice(0, 40)}”.`);
    return { run, after: Number(after) };
  }),
}));

function wholeNumber(c: Context, name: string, fallback: number, most: number): number {
  const given = c.req.query(name);
  if (given === undefined) return fallback;
  if (/^\d{1,15}$/.test(given)) return Math.min(Number(given), most);
  throw new Refusal(400, `“${name}” takes a whole number, not “${given.slice(0, 40)}”.`);
}

function partOf(c: Context): ItemPart {
  const part = c.req.query('part') ?? 'test';
  if (part === 'test' || part === 'background') return part;
  throw new Refusal(400, `“part” is test or background, not “${part.slice(0, 40)}”.`);
}

/** The form as the trainer takes it, with the call that does the same. */
export function trainRequestOf({ set = [], name, ...said }: StartForm, root: string): NamedRequest {
  const { method, ...flags } = said;
  const words = [...flagsOf(flags), ...set.flatMap((setting) => ['--set', setting])];
  return {
    ...requestOf(said),
    set,
    root,
    ...defined({ name }),
    command: ['untangle', 'train', method, ...words].map(quoted).join(' '),
  };
}
