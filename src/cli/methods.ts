/** `untangle methods`: what there is, with one line each; or one method with its options and presets. */
import { type Method, methodNamed, methods } from '../methods/index.ts';
import { expectation, isSchedulable, jsonSchemaOf } from '../options/index.ts';
import { foundPresets } from '../studies/index.ts';
import { schemaOf } from '../training/session/index.ts';
import { print, printJson, styled, table, wrapped } from './terminal.ts';

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
  const { name, title, summary, paper, presets, ours = [] } = method;
  const found = foundPresets[name] ?? {};
  const schema = schemaOf(method);
  const options = jsonSchemaOf(schema);
  if (json) {
    printJson({ name, title, summary, paper, needs: method.needs, options, ours, presets, found });
    return;
  }
  print(`${styled('bold', title)} (${name}), ${paper.cite}, ${paper.equations}`);
  print(wrapped(`${summary} It learns from ${needs[method.needs]}.`, 100));
  const rows = (names: string[]) =>
    names.map((option) => {
      const { default: value, description = '' } = options.properties[option];
      return [styled('bold', option), `${value}`, description];
    });
  const own = Object.keys(method.options);
  const ofPaper = own.filter((option) => !ours.includes(option));
  print(`\n${table([['option', 'default', 'meaning'], ...rows(ofPaper)])}`);
  if (ours.length > 0) print(`\n${table([['ours, not the paper’s', 'default', 'meaning'], ...rows([...ours])])}`);
  const shared = Object.keys(schema).filter((option) => !own.includes(option));
  print(`\n${table([['training', 'default', 'meaning'], ...rows(shared)])}`);
  printPresets(presets);
  if (Object.keys(found).length > 0) print(`\n${styled('bold', 'found by our searches, not the paper’s')}`);
  printPresets(found);
  print(`\nAny option is set with --set NAME=VALUE, such as --set ${own[0]}=${options.properties[own[0]].default}.`);
  const scheduled = Object.values(schema).find(isSchedulable);
  if (scheduled) print(`A number may be a schedule: it takes ${expectation(scheduled)}.`);
}

function printPresets(presets: Method['presets']): void {
  for (const [preset, values] of Object.entries(presets)) {
    const settings = Object.entries(values).map(([option, value]) => `${option}=${value}`);
    print(`\n${styled('bold', `--preset ${preset}`)}\n${wrapped(settings.join(', '), 100, '  ')}`);
  }
}
