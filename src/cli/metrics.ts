/** `untangle metrics`: what there is, with one line each, or one metric with its options. */
import { checkMetric, metrics, protocols } from '../metrics/index.ts';
import { expectation, jsonSchemaOf } from '../options/index.ts';
import { print, printJson, styled, table, wrapped } from './terminal.ts';

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
  checkMetric(name);
  const { title, version, describe, better, needs, options } = metrics[name];
  const { properties } = jsonSchemaOf(options);
  if (json) {
    printJson({ name, title, version, describe, better, needs, options: properties });
    return;
  }
  print(`${styled('bold', title)} (${name}, version ${version})`);
  print(wrapped(describe, 100));
  const betterText = better === 'neither' ? '' : `${better[0].toUpperCase()}${better.slice(1)} is better.`;
  print(`Needs ${needs.join(', ')}. ${betterText}`);
  const rows = Object.entries(properties).map(([key, property]) => [
    key,
    JSON.stringify(property.default),
    expectation(options[key]),
    property.description ?? '',
  ]);
  if (rows.length > 0) print(`\n${table([['option', 'default', 'takes', 'meaning'], ...rows])}`);
}
