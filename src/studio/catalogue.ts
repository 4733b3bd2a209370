/** What there is to train and to train on, as the form that starts a run needs it. */
import { z } from 'zod';
import { builtIn, isHere } from '../data/index.ts';
import { methods } from '../methods/index.ts';
import { jsonSchemaOf } from '../options/index.ts';
import { schemaOf } from '../training/session/index.ts';

const range = { minimum: z.number().optional(), maximum: z.number().optional() };

/** An option as a field of a form shows it: the parts of a JSON schema that it looks at. */
const property = z.looseObject({
  description: z.string().optional(),
  default: z.union([z.number(), z.string(), z.boolean(), z.array(z.union([z.number(), z.string()]))]),
  type: z.enum(['number', 'integer', 'boolean', 'string', 'array']).optional(),
  enum: z.array(z.string()).optional(),
  anyOf: z.array(z.looseObject({ type: z.string(), ...range })).optional(),
  ...range,
});
export type Property = z.infer<typeof property>;
const form = z.object({ properties: z.record(z.string(), property) });

/** Every method with its options as a JSON schema. */
export function methodList() {
  return Object.values(methods).map((method) => {
    const { name, title, summary, needs, paper, presets } = method;
    return { name, title, summary, needs, paper, options: form.parse(jsonSchemaOf(schemaOf(method))), presets };
  });
}

/** Sets that open as a target with its background. */
const contrasts = new Set(['grassy-mnist', 'grassy-mnist-nonlinear', 'styled-mnist', 'shapes-contrast']);
/** Sets of which that depends on the part. */
const either = new Set(['celeba', 'affectnet']);

/** Whether a set opens as a target with its background. */
function kindOf(name: string): 'single' | 'contrast' | 'unknown' {
  if (contrasts.has(name)) return 'contrast';
  return either.has(name) ? 'unknown' : 'single';
}

/** Every registered dataset, and whether its files are here. */
export function datasetList() {
  return Object.entries(builtIn).map(([name, set]) => ({
    name,
    title: set.title,
    what: set.what,
    here: isHere(set),
    kind: kindOf(name),
  }));
}
