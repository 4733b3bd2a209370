/** What pages ask for, checked before anything is done about it. */
import type { Context, Env, MiddlewareHandler } from 'hono';
import { z } from 'zod';
import { quoted } from '../shell.ts';
import type { TrainRequest } from '../training/index.ts';
import { Refusal } from './answers.ts';
import type { ItemPart } from './items.ts';

/** Bytes of a request's body, at most. */
export const largestBody = 65_536;

const text = z.string().min(1).max(2000);

/** The form that starts a run. */
export const startRequest = z.strictObject({
  method: text,
  data: text,
  background: text.optional(),
  where: text.optional(),
  backgroundWhere: text.optional(),
  size: z.int().min(1).max(4096).optional(),
  crop: z.boolean().optional(),
  grey: z.boolean().optional(),
  label: text.optional(),
  exclude: text.optional(),
  labels: z.int().min(0).optional(),
  preset: text.optional(),
  seed: z.int().min(0).optional(),
  set: z.array(text).max(200).default([]),
  name: text.optional(),
});

export const picturesRequest = z.strictObject({
  kinds: z
    .array(z.string().regex(/^[a-z][a-z-]{0,30}$/))
    .min(1)
    .max(20),
});

/** Takes a JSON body that fits the schema, and tells the pages what that is. */
export function body<S extends z.ZodObject>(schema: S): Takes<'json', z.input<S>, z.output<S>> {
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

function checkedBody<S extends z.ZodObject>(value: unknown, schema: S): z.output<S> {
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

/** After which step. */
export const afterStep = query((c) => ({ after: wholeNumber(c, 'after', 0, Number.MAX_SAFE_INTEGER) }));

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
export function trainRequestOf(form: z.infer<typeof startRequest>, root: string): TrainRequest {
  const { method, data, background, where, backgroundWhere, labels, preset, seed, set, name } = form;
  const { size, crop, grey, label, exclude } = form;
  const chosen = { background, where, 'background-where': backgroundWhere, size, crop, grey, label, exclude };
  const words = Object.entries({ data, ...chosen, labels, preset, seed }).flatMap(([flag, value]) => {
    if (value === undefined || value === false) return [];
    return value === true ? [`--${flag}`] : [`--${flag}`, `${value}`];
  });
  const settings = set.flatMap((setting) => ['--set', setting]);
  return {
    method,
    data,
    choice: {
      ...(background !== undefined && { background }),
      ...(where !== undefined && { where }),
      ...(backgroundWhere !== undefined && { backgroundWhere }),
      ...(size !== undefined && { size }),
      ...(crop && { crop }),
      ...(grey && { grey }),
      ...(label !== undefined && { label }),
      ...(exclude !== undefined && { exclude: exclude.split(',').map((column) => column.trim()) }),
    },
    labels: { ...(labels !== undefined && { labels }) },
    ...(preset !== undefined && { preset }),
    ...(seed !== undefined && { seed }),
    set,
    root,
    ...(name !== undefined && { name }),
    command: ['untangle', 'train', method, ...words, ...settings].map(quoted).join(' '),
  };
}
