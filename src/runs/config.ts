/**
 * Where a run's options come from: the method's defaults, then a preset, then a config file (YAML or JSON), then `--set`, each
 * over the one before. A name that nobody declared is an error with the nearest known one.
 */
import { extname } from 'node:path';
import { parse, YAMLParseError } from 'yaml';
import { UntangleError, unknownName } from '../errors.ts';
import {
  checkOptions,
  defaultsOf,
  type Options,
  type OptionValues,
  optionValues,
  parseSettings,
  type StoredOptions,
} from '../objectives/options.ts';
import { readBounded } from './files.ts';
import { isRecord } from './json.ts';

/** A config file: what stands under `options:`, and everything beside it (method, data, seed …). */
export interface ConfigFile {
  path: string;
  settings: Record<string, unknown>;
  options: Record<string, unknown>;
}

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

/**
 * Reads a config file.
 *
 * @example const { settings, options } = await readConfigFile('beta-vae.yaml')
 */
export async function readConfigFile(path: string): Promise<ConfigFile> {
  if (!['.yaml', '.yml', '.json'].includes(extname(path).toLowerCase()))
    throw new UntangleError(`“${path}” is not a config file by its name.`, {
      kind: 'call',
      hint: 'Give a file that ends in .yaml, .yml or .json.',
    });
  const bytes = await readBounded(path, largest);
  if (bytes === undefined) throw new UntangleError(`There is no config file “${path}”.`, { kind: 'call' });
  const value = parseYaml(bytes.toString('utf8'), path) ?? {};
  if (!isRecord(value)) throw notSettings(path, 'it is not a list of names with values');
  const { options, ...settings } = value;
  const given = options ?? {};
  if (!isRecord(given)) throw notSettings(path, 'what stands under “options” is not a list of names with values');
  return { path, settings, options: given };
}

const largest = 1_000_000;

/** YAML 1.2, of which JSON is a part. The parser itself refuses duplicate names and aliases that unfold without end. */
function parseYaml(text: string, path: string): unknown {
  try {
    return parse(text, { logLevel: 'error' });
  } catch (error) {
    if (!(error instanceof YAMLParseError) || error.linePos === undefined)
      throw notSettings(path, firstLine(error), error);
    const [{ line, col }] = error.linePos;
    throw notSettings(path, `${firstLine(error)} (line ${line}, column ${col})`, error);
  }
}

function notSettings(path: string, reason: string, cause?: unknown): UntangleError {
  return new UntangleError(`The config file “${path}” can't be read: ${reason}.`, { kind: 'call', cause });
}

const firstLine = (error: unknown) =>
  (error instanceof Error ? error.message : String(error))
    .split('\n')[0]
    .replace(/( at line \d+, column \d+)?[.:]?$/, '');

/** Says in which layer the trouble is. */
function within<T>(place: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof UntangleError)) throw error;
    throw new UntangleError(`In ${place}: ${error.message}`, { kind: 'call', hint: error.hint, cause: error });
  }
}
