/** What a person writes to start a sweep: a YAML or JSON file with a training, the settings to try, and how to compare them. */
import { z } from 'zod';
import type { Choice } from '../data/index.ts';
import { UntangleError, unknownName } from '../errors.ts';
import { methodNamed } from '../methods/index.ts';
import { metrics } from '../metrics/index.ts';
import { schemaOf, settler, type TrainRequest } from '../training/index.ts';
import type { Configuration, Plan } from './plan.ts';
import type { Rungs } from './search/halving.ts';
import { pointsOf, searchSchema } from './search/points.ts';
import type { SweepObjective } from './search/ranking.ts';
import { dimensionSchema, type Point } from './search/space.ts';
import { trialOf } from './trial.ts';

const settings = z.record(z.string(), z.union([z.number(), z.string(), z.boolean()]));
const space = z.record(z.string(), dimensionSchema);
const share = z.union([
  z.number().gt(0).lt(1),
  z
    .string()
    .regex(/^1\/([2-9]|[1-9]\d)$/, 'Invalid input: expected a share such as 1/3')
    .transform((text) => 1 / Number(text.slice(2))),
]);

/** What says which run a trial is, but for the settings that are tried. */
const training = {
  method: z.string(),
  data: z.string(),
  where: z.string().optional(),
  background: z.string().optional(),
  backgroundWhere: z.string().optional(),
  labels: z.int().min(0).optional(),
  preset: z.string().optional(),
  set: settings.default({}),
};

const sweepSchema = z.strictObject({
  ...training,
  method: training.method.optional(),
  data: training.data.optional(),
  /** How many seeds, from 1 on, or which. */
  seeds: z.union([z.int().min(1).max(10_000), z.array(z.int().min(0)).min(1)]).default(3),
  space: space.default({}),
  /** Trainings that differ in more than a setting, each with a space of its own over the common one. */
  variants: z
    .array(z.strictObject({ ...z.object(training).partial().shape, space: space.optional() }))
    .min(1)
    .optional(),
  search: searchSchema.default({ kind: 'grid' }),
  objectives: z
    .record(z.string(), z.enum(['max', 'min']))
    .refine((all) => Object.keys(all).length > 0, 'expected one objective or more'),
  budget: z.strictObject({
    steps: z.int().min(1),
    prune: z
      .strictObject({
        kind: z.literal('asha'),
        rungs: z.array(z.int().min(1)).min(2).optional(),
        keep: share.default(1 / 3),
      })
      .optional(),
  }),
  evaluate: z
    .strictObject({
      part: z.enum(['train', 'validation', 'test', 'held-out', 'all']).default('test'),
      items: z.int().min(10).default(5_000),
      metrics: z.array(z.string()).default([]),
      options: z.record(z.string(), z.record(z.string(), z.unknown())).optional(),
    })
    .prefault({}),
});
export type SweepFile = z.infer<typeof sweepSchema>;

/** Checks what stands in a sweep file; `path` is for sentences. */
export function checkSweepFile(value: unknown, path: string): SweepFile {
  const { success, data, error } = sweepSchema.safeParse(value);
  if (success) return data;
  const [{ path: where, message }] = error.issues;
  const at = where.length === 0 ? '' : ` at “${where.join('.')}”`;
  throw new UntangleError(`“${path}” is no sweep${at}: ${message.replace(/^Invalid input: /, '')}.`, {
    kind: 'call',
    hint: 'docs/sweeps.md shows what a sweep file holds.',
  });
}

/**
 * Settles a sweep: every trial's settings, with the data opened once. Nothing is trained.
 *
 * @param points what is tried, in place of what the file's search gives
 */
export async function planSweep(file: SweepFile, name: string, points?: readonly Point[]): Promise<Plan> {
  const objectives = Object.entries(file.objectives).map(
    ([of, goal]): SweepObjective => ({ name: of, better: goal === 'max' ? 'higher' : 'lower' }),
  );
  const measured = [...new Set([...objectives.map(({ name: of }) => of.split('.')[0]), ...file.evaluate.metrics])];
  const names = measured.filter((one) => Object.hasOwn(metrics, one));
  for (const one of file.evaluate.metrics)
    if (!Object.hasOwn(metrics, one)) throw unknownName('metric', one, Object.keys(metrics));
  const seeds = typeof file.seeds === 'number' ? Array.from({ length: file.seeds }, (_, i) => i + 1) : file.seeds;
  const settle = settler();
  const configurations: Configuration[] = [];
  for (const { point, request } of requestsOf(file, points)) {
    // Seeds differ in nothing but their number, and settling takes milliseconds.
    const { settings: first } = await settle({ ...request, seed: seeds[0] });
    const trials = seeds.map((seed) => trialOf({ ...first, training: { ...first.training, seed } }));
    configurations.push({ point, trials: await Promise.all(trials) });
  }
  const { part, items, options } = file.evaluate;
  return {
    name,
    rungs: rungsOf(file.budget),
    objectives,
    measure: { names, options, part, items },
    ...(file.variants === undefined && { space: file.space }),
    configurations,
  };
}

/** The training of every point of the search, for any seed. */
function requestsOf(
  { variants = [{}], ...file }: SweepFile,
  points?: readonly Point[],
): { point: Point; request: TrainRequest }[] {
  return variants.flatMap((variant) => {
    const { method, data, where, background, backgroundWhere, labels, preset } = { ...file, ...variant };
    if (method === undefined || data === undefined)
      throw new UntangleError(`A sweep needs a ${method === undefined ? 'method' : 'dataset'}.`, {
        kind: 'call',
        hint: `Write “${method === undefined ? 'method: beta-vae' : 'data: dsprites-small'}”.`,
      });
    const tried = { ...file.space, ...variant.space };
    const known = Object.keys(schemaOf(methodNamed(method)));
    for (const one of Object.keys(tried))
      if (!known.includes(one)) throw unknownName(`option of ${method}`, one, known);
    const fixed = Object.entries({ steps: file.budget.steps, ...file.set, ...variant.set });
    const choice: Choice = { where, background, backgroundWhere };
    return (points ?? pointsOf(tried, file.search)).map((point) => ({
      point: variants.length > 1 ? { ...labelOf(variant), ...point } : point,
      request: {
        method,
        data,
        choice: Object.fromEntries(Object.entries(choice).filter(([, value]) => value !== undefined)),
        labels: labels === undefined ? undefined : { labels },
        preset,
        set: [...fixed, ...Object.entries(point)].map(([key, value]) => `${key}=${value}`),
        workers: 1,
        threads: 1,
        command: '',
      } satisfies TrainRequest,
    }));
  });
}

/** What tells a variant apart, as settings of its points. */
function labelOf({ method, data, preset, set = {} }: NonNullable<SweepFile['variants']>[number]): Point {
  const named = { method, data, preset };
  const given = Object.entries(named).flatMap(([key, value]) => (value === undefined ? [] : [[key, value] as const]));
  return { ...Object.fromEntries(given), ...set };
}

/** Rungs as given, or from the whole training down by the share that is kept, as far as they have meaning. */
function rungsOf({ steps, prune }: SweepFile['budget']): Rungs {
  if (prune === undefined) return { steps: [steps], keep: 1 };
  const { keep, rungs } = prune;
  const wrong = rungs?.some((rung, i) => rung <= (rungs[i - 1] ?? 0)) || (rungs && rungs[rungs.length - 1] !== steps);
  if (wrong)
    throw new UntangleError(`Rungs rise to the whole ${steps} steps; ${rungs?.join(', ')} do not.`, {
      kind: 'call',
      hint: `Write, for example, rungs: [${Math.round(steps / 9)}, ${Math.round(steps / 3)}, ${steps}].`,
    });
  if (rungs) return { steps: rungs, keep };
  const found = [2, 1, 0].map((power) => Math.round(steps * keep ** power)).filter((step) => step >= 1);
  return { steps: [...new Set(found)], keep };
}
