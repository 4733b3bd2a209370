/** What a plugin is: a module of one's own that adds methods, metrics, datasets and networks by their names. */
import * as analysis from '../analysis/index.ts';
import * as data from '../data/index.ts';
import { UntangleError } from '../errors.ts';
import * as methods from '../methods/index.ts';
import * as metrics from '../metrics/index.ts';
import * as model from '../model/index.ts';
import * as nn from '../nn/index.ts';
import * as objectives from '../objectives/index.ts';
import * as options from '../options/index.ts';
import * as random from '../random/index.ts';
import * as tensor from '../tensor/index.ts';

/** What a plugin adds. */
export interface Plugin {
  methods?: readonly methods.Method[];
  metrics?: readonly metrics.Metric[];
  datasets?: Readonly<Record<string, data.BuiltIn>>;
  networks?: Readonly<Record<string, nn.NetworkMaker>>;
}

/** The rooms that a plugin is written with: those of the copy of untangle that loads it. */
export const pluginRooms = {
  analysis,
  data,
  methods,
  metrics,
  model,
  nn,
  objectives,
  options,
  random,
  tensor,
  UntangleError,
};

/** What a plugin's module exports as its default: what it adds, or a function that makes it with untangle's rooms. */
export type PluginModule = Plugin | ((untangle: typeof pluginRooms) => Plugin | Promise<Plugin>);

/** The names of what was added. */
export interface AddedNames {
  methods: string[];
  metrics: string[];
  datasets: string[];
  networks: string[];
}

const kinds = ['methods', 'metrics', 'datasets', 'networks'];

/** Puts what a plugin adds into the registries. */
export function addPlugin(plugin: Plugin): AddedNames {
  const isRecord = typeof plugin === 'object' && plugin !== null && !Array.isArray(plugin);
  const other = isRecord ? Object.keys(plugin).find((key) => !kinds.includes(key)) : undefined;
  if (!isRecord || other !== undefined || Object.keys(plugin).length === 0)
    throw new UntangleError(
      other === undefined ? 'It adds nothing.' : `It adds “${other.slice(0, 100)}”, which nobody looks for.`,
      { kind: 'call', hint: `A plugin's default export holds ${kinds.join(', ')}, or some of them.` },
    );
  const { datasets = {}, networks = {} } = plugin;
  const [ownMethods, ownMetrics] = [listOf(plugin, 'methods'), listOf(plugin, 'metrics')];
  for (const one of ownMethods) methods.addMethod(one);
  for (const one of ownMetrics) metrics.addMetric(one);
  for (const [name, set] of Object.entries(datasets)) data.addDataset(name, set);
  for (const [name, maker] of Object.entries(networks)) nn.addNetwork(name, maker);
  return {
    methods: ownMethods.map(({ name }) => name),
    metrics: ownMetrics.map(({ name }) => name),
    datasets: Object.keys(datasets),
    networks: Object.keys(networks),
  };
}

function listOf<Kind extends 'methods' | 'metrics'>(plugin: Plugin, kind: Kind): NonNullable<Plugin[Kind]> {
  const list = plugin[kind] ?? [];
  if (Array.isArray(list)) return list;
  throw new UntangleError(`Its ${kind} are no list.`, { kind: 'call', hint: `As in: ${kind}: [mine].` });
}
