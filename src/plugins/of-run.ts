/**
 * The plugins that a run was made with: recorded with their hash, and asked for when the run is opened again. A run's folder may
 * come from somebody else, so what it names is never loaded from it.
 */
import { basename, relative } from 'node:path';
import { UntangleError, unknownName } from '../errors.ts';
import { type Method, methods } from '../methods/index.ts';
import type { RunFile, RunSettings } from '../runs/index.ts';
import { quoted } from '../shell.ts';
import { loadedPlugins } from './load.ts';

type Recorded = NonNullable<RunSettings['plugins']>;

/** The plugins that give a run its method, network or data, as `run.json` holds them. */
export function pluginsOf({ method, options, data }: Pick<RunSettings, 'method' | 'options' | 'data'>): Recorded {
  const sources = [data.target.source, ...(data.background ? [data.background.source] : [])];
  const isUsed = (name: string) => sources.some((source) => source === name || source.startsWith(`${name}:`));
  return loadedPlugins()
    .filter(
      ({ adds }) =>
        adds.methods.includes(method) ||
        adds.networks.some((name) => name === options.network) ||
        adds.datasets.some(isUsed),
    )
    .map(({ path, sha256 }) => ({ path, sha256 }));
}

/**
 * Sees to it that the plugins of a run are loaded as they were. One that has changed is an error, unless notes are heard.
 *
 * @example needPlugins(run.file) // This run was made with the plugin free-bits.js.
 */
export function needPlugins({ plugins = [] }: Pick<RunSettings, 'plugins'>, onNote?: (sentence: string) => void): void {
  for (const { path, sha256 } of plugins) {
    const name = basename(path);
    if (loadedPlugins().some((one) => one.sha256 === sha256)) continue;
    if (!loadedPlugins().some((one) => basename(one.path) === name))
      throw new UntangleError(`This run was made with the plugin ${name}, which is not loaded.`, {
        kind: 'call',
        hint: `A plugin is code that a run's folder can't vouch for. If it is yours, name it: --plugin ${quoted(path)}`,
      });
    const sentence = `The plugin ${name} is no longer what this run was made with.`;
    if (onNote === undefined)
      throw new UntangleError(sentence, { hint: 'Bring the old file back, or train a new run.' });
    onNote(sentence);
  }
}

/** The flags that name a run's plugins, for a call that goes on with it. */
export function pluginFlags({ plugins = [] }: Pick<RunSettings, 'plugins'>): string[] {
  return plugins.flatMap(({ path }) => {
    const near = relative('.', path);
    return ['--plugin', near.startsWith('..') ? path : near];
  });
}

/** The method of a run, which may be that of a plugin. */
export function methodOf(file: Pick<RunFile, 'method' | 'plugins'>, onNote?: (sentence: string) => void): Method {
  needPlugins(file, onNote);
  if (Object.hasOwn(methods, file.method)) return methods[file.method];
  const { message, hint } = unknownName('method', file.method, Object.keys(methods));
  throw new UntangleError(message, {
    kind: 'call',
    hint: `${hint} A program may have made this run of a method of its own; from a plugin, it is known to every command.`,
  });
}
