/** Code of one's own: methods, metrics, datasets and networks that a call names, and the runs that were made with them. */
export { type LoadedPlugin, loadedPlugins, loadNamedPlugins, loadPlugin } from './load.ts';
export { methodOf, needPlugins, pluginFlags, pluginsOf } from './of-run.ts';
export type { AddedNames, Plugin, PluginModule, pluginRooms } from './plugin.ts';
