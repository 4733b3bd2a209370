/**
 * Where the options of a run come from: the method's defaults, then a preset, then a config file, then `--set`, each over the
 * one before. A name that nobody declared is an error with the nearest known one.
 */
import { UntangleError, unknownName } from '../errors.ts';
import { checkOptions, defaultsOf, optionValues, parseSettings } from './check.ts';
import type { Options, OptionValues, StoredOptions } from './options.ts';

export interface Layers {
  /** The presets that there are, and the one that is asked for. */
  presets?: Readonly<Record<string, Record<string, unknown>>>;
  preset?: string;
  /** The part of a config file that belongs to these options. */
  file?: { path: string; values: Record<string, unknown> };
  /** Settings as typed, such as `beta=4`. */
  set?: readonly string[];
}

/**
 * The options that all layers together give: as a method gets them, and as `run.json` holds them.
 *
 * @example resolveOptions(method.options, { presets: method.presets, preset: 'dsprites', set: ['beta=2'] }, 'option of beta-vae')
 */
export function resolveOptions<S extends Options>(
  schema: S,
  { presets = {}, preset, file, set = [] }: Layers,
  what = 'option',
): { values: OptionValues<S>; stored: StoredOptions } {
  if (preset !== undefined && !Object.hasOwn(presets, preset))
    throw unknownName('preset', preset, Object.keys(presets));
  const stored = {
    ...defaultsOf(schema),
    ...(preset !== undefined && within(`the preset “${preset}”`, () => checkOptions(schema, presets[preset], what))),
    ...(file !== undefined && within(`“${file.path}”`, () => checkOptions(schema, file.values, what))),
    ...parseSettings(schema, set, what),
  };
  return { values: optionValues(schema, stored), stored };
}

/** Says in which layer the trouble is. */
function within<T>(place: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof UntangleError)) throw error;
    throw new UntangleError(`In ${place}: ${error.message}`, { kind: 'call', hint: error.hint, cause: error });
  }
}
