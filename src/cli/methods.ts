/** `untangle methods`: what there is, with one line each; or one method with its options and presets. */
import { type Method, methodNamed, methods } from '../methods/index.ts';
import { expectation, isSchedulable, jsonSchemaOf } from '../options/index.ts';
import { schemaOf } from '../training/session/index.ts';
import { print, printJson, styled, table, wrap } from './terminal.ts';

const needs: Record<Method['needs'], string> = {
  data: 'unlabelled data',
  'target+background': 'a target and a background',
  labels: 'labels',
  'few-labels': 'few labels, or none',
};

export function listMethods(name: string | undefined, { json }: { json?: boolean }): void {
  if (name !== undefined) {
    showMethod(methodNamed(name), json);
    return;
  }
  const list = Object.values(methods);
  if (json) {
    printJson(
      list.map(({ name: one, title, summary, paper, needs: from }) => ({
        name: one,
        title,
        summary,
        paper,
        needs: from,
      })),
    );
    return;
  }
  print(
    table([
      ['name', 'learns from', 'what it does'],
      ...list.map((method) => [styled('bold', method.name), needs[method.needs], method.summary]),
    ]),
  );
  print('\n“untangle methods NAME” shows a method’s options and the paper’s settings.');
}

function showMethod(method: Method, json?: boolean): void {
  const { name, title, summary, paper, presets } = method;
  const schema = schemaOf(method);
  const options = jsonSchemaOf(schema);
  if (json) {
    printJson({ name, title, summary, paper, needs: method.needs, options, presets });
    return;
  }
  print(`${styled('bold', title)} (${name}), ${paper.cite}, ${paper.equations}`);
  print(wrap(`${summary} It learns from ${needs[method.needs]}.`, 100));
  const rows = (names: string[]) =>
    names.map((option) => {
      const { default: value, description = '' } = options.properties[option];
      return [styled('bold', option), `${value}`, description];
    });
  const own = Object.keys(method.options);
  print(`\n${table([['option', 'default', 'meaning'], ...rows(own)])}`);
  const shared = Object.keys(schema).filter((option) => !own.includes(option));
  print(`\n${table([['training', 'default', 'meaning'], ...rows(shared)])}`);
  for (const [preset, values] of Object.entries(presets))
    print(
      `\n${styled('bold', `--preset ${preset}`)}\n${wrap(
        Object.entries(values)
          .map(([option, value]) => `${option}=${value}`)
          .join(', '),
        100,
        '  ',
      )}`,
    );
  print(`\nAny option is set with --set NAME=VALUE, such as --set ${own[0]}=${options.properties[own[0]].default}.`);
  const scheduled = Object.values(schema).find(isSchedulable);
  if (scheduled) print(`A number may be a schedule: it takes ${expectation(scheduled)}.`);
}
