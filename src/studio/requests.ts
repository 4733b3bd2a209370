/** What pages ask for, checked before anything is done about it. */
import type { Context } from 'hono';
import { z } from 'zod';
import { quoted } from '../shell.ts';
import type { TrainRequest } from '../training/index.ts';
import { Refusal } from './answers.ts';

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

/** The body of a request, checked. */
export async function bodyOf<T>(c: Context, schema: z.ZodType<T>): Promise<T> {
  if (!/^application\/json\b/i.test(c.req.header('content-type') ?? ''))
    throw new Refusal(400, 'The request’s body should be JSON, with content-type application/json.');
  let value: unknown;
  try {
    value = JSON.parse(await c.req.text());
  } catch {
    throw new Refusal(400, 'The request’s body is not JSON.');
  }
  const checked = schema.safeParse(value);
  if (checked.success) return checked.data;
  const [issue] = checked.error.issues;
  const place = issue.path.length === 0 ? 'The request' : `“${issue.path.join('.')}”`;
  throw new Refusal(400, `${place} does not fit: ${issue.message}.`);
}

/** A whole number of an address's query. */
export function wholeQuery(c: Context, name: string, fallback: number, most: number): number {
  const given = c.req.query(name);
  if (given === undefined) return fallback;
  if (/^\d{1,15}$/.test(given)) return Math.min(Number(given), most);
  throw new Refusal(400, `“${name}” takes a whole number, not “${given.slice(0, 40)}”.`);
}

export function partQuery(c: Context): 'test' | 'background' {
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
