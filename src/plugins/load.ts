/**
 * Plugins are code, so only those are loaded that somebody names: by a call, or in UNTANGLE_PLUGINS, which processes and threads
 * hear from whoever started them.
 */
import { readFile } from 'node:fs/promises';
import { basename, delimiter, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { sha256 } from '../disk.ts';
import { codeOf } from '../errno.ts';
import { UntangleError } from '../errors.ts';
import { type AddedNames, addPlugin, type PluginModule, pluginRooms } from './plugin.ts';

/** A plugin that was loaded: its file, the hash of its bytes, and what it added. */
export interface LoadedPlugin {
  path: string;
  sha256: string;
  adds: AddedNames;
}

const loaded = new Map<string, Promise<LoadedPlugin>>();
const known: LoadedPlugin[] = [];

const variable = 'UNTANGLE_PLUGINS';
const namedPaths = () => (process.env[variable] ?? '').split(delimiter).filter((path) => path !== '');

/** The plugins of this process. */
export function loadedPlugins(): readonly LoadedPlugin[] {
  return known;
}

/**
 * Loads a plugin: what it adds has its name from now on, here and in every process and thread that is started from here.
 *
 * @example await loadPlugin('./free-bits.js'); // prepareRun({ method: 'free-bits', … })
 */
export async function loadPlugin(path: string): Promise<LoadedPlugin> {
  const whole = resolve(path);
  const found = loaded.get(whole) ?? load(whole);
  loaded.set(whole, found);
  const plugin = await found;
  const others = namedPaths();
  if (!others.includes(whole)) process.env[variable] = [...others, whole].join(delimiter);
  return plugin;
}

/** Loads the plugins that UNTANGLE_PLUGINS names, as whoever started this process has them. */
export async function loadNamedPlugins(): Promise<void> {
  for (const path of namedPaths()) await loadPlugin(path);
}

async function load(path: string): Promise<LoadedPlugin> {
  const name = basename(path);
  let bytes: Buffer;
  try {
    bytes = await readFile(path);
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error;
    throw new UntangleError(`There is no plugin ${path}.`, { kind: 'call' });
  }
  try {
    const { default: given } = (await import(pathToFileURL(path).href)) as { default?: PluginModule };
    if (given === undefined) throw new UntangleError('It has no default export.', { kind: 'call', hint: howTo });
    const adds = addPlugin(typeof given === 'function' ? await given(pluginRooms) : given);
    const plugin = { path, sha256: await sha256(bytes), adds };
    known.push(plugin);
    return plugin;
  } catch (error) {
    throw new UntangleError(`The plugin ${name} could not be loaded. ${reasonOf(error)}`, {
      kind: 'call',
      hint: hintOf(error, name),
      cause: error,
    });
  }
}

const howTo = 'docs/plugins.md shows a plugin.';

function reasonOf(error: unknown): string {
  if (codeOf(error) === 'ERR_UNKNOWN_FILE_EXTENSION') return 'This version of Node takes no such file.';
  return error instanceof Error ? error.message : String(error);
}

function hintOf(error: unknown, name: string): string {
  if (error instanceof UntangleError) return error.hint ?? howTo;
  if (codeOf(error) === 'ERR_UNKNOWN_FILE_EXTENSION')
    return `Write it in JavaScript, or let TypeScript make JavaScript of ${name}.`;
  // What is thrown inside a plugin is its author's, who looks for the line.
  const line = error instanceof Error ? error.stack?.split('\n').find((one) => one.includes(name)) : undefined;
  return line === undefined ? howTo : line.trim();
}
