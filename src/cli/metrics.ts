/** `untangle metrics`: what there is, with one line each, or one metric with its options. */
import { z } from 'zod';
import { unknownName } from '../errors.ts';
import { metrics, protocols } from '../metrics/index.ts';
import { print, printJson, styled, table, wrap } from './terminal.ts';

export function listMetrics(name: string | undefined, options: { json?: boolean }): void {
  if (name === undefined) listAll(options.json === true);
  else showOne(name, options.json === true);
}

function listAll(json: boolean): void {
  const list = Object.values(metrics);
  if (json) {
    printJson({
      metrics: list.map(({ name, title, version, describe, better, needs }) => ({
        name,
        title,
        version,
        describe,
        better,
        needs,
      })),
    });
    return;
  }
  const rows = list.map(({ name, needs, describe }) => [styled('bold', name), needs.join(', '), describe]);
  print(table([['metric', 'needs', 'what it says'], ...rows]));
  print(
    `\nProtocols: ${Object.entries(protocols)
      .map(([key, { title }]) => `${key} (${title})`)
      .join('; ')}.`,
  );
}

function showOne(name: string, json: boolean): void {
  if (!Object.hasOwn(metrics, name)) throw unknownName('metric', name, Object.keys(metrics));
  const metric = metrics[name];
  const schema = z.toJSONSchema(metric.options, { io: 'input' });
  if (json) {
    const { title, version, describe, better, needs } = metric;
    printJson({ name, title, version, describe, better, needs, options: schema.properties ?? {} });
    return;
  }
  print(`${styled('bold', metric.title)} (${name}, version ${metric.version})`);
  print(wrap(metric.describe, 100));
  print(
    `Needs ${metric.needs.join(', ')}. ${metric.better === 'neither' ? '' : `${metric.better[0].toUpperCase()}${metric.better.slice(1)} is better.`}`,
  );
  const properties = Object.entries(schema.properties ?? {});
  if (properties.length === 0) return;
  const rows = properties.map(([key, value]) => {
    const property = typeof value === 'object' ? value : {};
    return [
      key,
      JSON.stringify(property.default ?? null),
      property.enum?.join(' | ') ?? String(property.type ?? ''),
      property.description ?? '',
    ];
  });
  print(`\n${table([['option', 'default', 'values', 'meaning'], ...rows])}`);
}
