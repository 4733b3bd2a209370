/** Config files, YAML or JSON: what stands under `options:`, and everything beside it. */
import { extname } from 'node:path';
import { parse, YAMLParseError } from 'yaml';
import { readBounded } from '../disk.ts';
import { UntangleError } from '../errors.ts';
import { isRecord } from './json.ts';

/** A config file: what stands under `options:`, and everything beside it (method, data, seed …). */
export interface ConfigFile {
  path: string;
  settings: Record<string, unknown>;
  options: Record<string, unknown>;
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
